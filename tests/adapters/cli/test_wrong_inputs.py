"""Wrong input to every verb: one sentence that says what is wrong, a status, and nothing lost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.cli import app
from tests.support import FIXTURES, rows

ROW = b'{"completion": "7", "answer": "7"}\n'
PACKED = gzip.compress(ROW * 100)
CORRUPT = PACKED[:20] + b"\xff" * 10 + PACKED[30:]
FILES: dict[str, bytes] = {
    "ok.jsonl": ROW,
    "empty.jsonl": b"",
    "blank.jsonl": b"\n \n",
    "binary.jsonl": bytes(range(256)) * 10,
    "mark.jsonl": b"\xef\xbb\xbf" + ROW,
    "utf16.jsonl": ROW.decode().encode("utf-16"),
    "utf16le.jsonl": ROW.decode().encode("utf-16-le"),
    "utf16be.jsonl": ROW.decode().encode("utf-16-be"),
    "cp949.csv": "completion,answer\n서울,서울\n".encode("cp949"),
    "crlf.jsonl": ROW.replace(b"\n", b"\r\n"),
    "cut.jsonl.gz": gzip.compress(ROW * 1000)[:-20],
    "plain.jsonl.gz": ROW,
    "corrupt.jsonl.gz": CORRUPT,
    "semicolons.csv": b"completion;answer\n7;7\n",
    "ragged.csv": b"completion,answer\n7\n7,7\n",
    "open.csv": b'completion,answer\n"7,7\n',
    "twice.csv": b"completion,completion,answer\n7,7,7\n",
    "text.parquet": b"hello, this is text\n",
    "text.arrow": b"hello, this is text\n",
    "lines.parquet": ROW,
    "object.jsonl": b'{"completion": {"a": 1}, "answer": "7"}\n',
    "five.jsonl": b'{"completion": 5, "answer": "7"}\n',
    "null.jsonl": b'{"completion": null, "answer": "7"}\n',
    "mixed.jsonl": b'{"completion": ["a", 1], "answer": "7"}\n',
    "keys.jsonl": b'{"completion": "7", "completion": "8", "answer": "7"}\n',
    "comma.jsonl": ROW.strip() + b",\n",
    "quotes.json": b"{'completion': '7'}\n",
    "cutoff.jsonl": ROW + b'{"completion": "7", "ans',
    "array.jsonl": b"[1, 2]\n",
    "nan.jsonl": b'{"completion": "7", "answer": NaN}\n',
    "broken.yaml": b"reward: {ExactMatch: [\n",
    "empty.yaml": b"",
    "list.yaml": b"- 1\n",
    "field.yaml": b"reward: {ExactMatch: {ignore_cas: true}}\n",
    "loop.yaml": b"reward: &a {sum: [*a]}",
    "raises.py": b"raise RuntimeError('boom')\n",
    "nothing.py": b"x = 3\n",
    "labels.jsonl": b"[1]\n",
    "gold.jsonl": b'{"gold": "1"}\n',
    "ranked.yaml": b"reward: {WinRate: {reward: MathEquivalence}}",
    "apart.jsonl": b"".join(
        b'{"prompt": "%s", "completion": "<think>x</think><answer>4</answer>", "answer": "4"}\n' % prompt
        for prompt in (b"easy", b"hard", b"easy")
    ),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of these files, and a scored one."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "folder").mkdir()
    (folder / "kept.rejected.jsonl").mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "hard.jsonl").hardlink_to(folder / "ok.jsonl")
    for name, out, *options in (("ok", "scored"), ("apart", "parts", "-r", "r1_zero")):
        score = ["score", str(folder / f"{name}.jsonl"), "-o", str(folder / f"{out}.jsonl"), *options]
        assert (done := CliRunner().invoke(app, score)).exit_code == 0, done.output
    return folder


def said_by(arguments: list[str]) -> tuple[int, list[str]]:
    """The status, and what stands on standard error; a traceback is neither."""
    done = CliRunner().invoke(app, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), (arguments, done.exception)
    return done.exit_code, done.stderr.splitlines()


def test_files_that_are_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is read, or refused in a sentence; a line that cannot be scored is kept beside the output."""
    monkeypatch.chdir(place)
    for number, row in enumerate(rows(FIXTURES / "refused" / "files.jsonl")):
        name, status, said = row["file"], row["status"], row["said"]
        out = place / f"out{number}.jsonl"
        found, lines = said_by(["score", name, "-o", str(out)])
        assert found == status, (name, lines)
        assert said in "\n".join(lines), (name, lines)
        if status == 1:
            assert out.with_name(f"out{number}.rejected.jsonl").stat().st_size > 0, name
        elif status == 2:
            assert len(lines) == 1, (name, lines)
            assert not out.exists() or not out.stat().st_size, name


@pytest.mark.parametrize("part", range(4))
def test_wrong_usage_is_one_sentence(part: int, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is wrong and what was meant; nothing is written and nothing is lost."""
    monkeypatch.chdir(place)
    before = {path: path.read_bytes() for path in place.iterdir() if path.is_file()}
    for row in rows(FIXTURES / "refused" / "command_lines.jsonl")[part::4]:
        status, lines = said_by(row["line"].split())
        assert (status, len(lines)) == (2, 1), (row, lines)
        assert row["said"] in lines[0], (row, lines)
    after = {path: path.read_bytes() for path in place.iterdir() if path.is_file()}
    assert after == before


def test_lost_texts_are_not_shown_as_data(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scored file without its completions is refused by whatever shows them."""
    monkeypatch.chdir(place)
    row = json.loads((place / "scored.jsonl").read_text(encoding="utf-8"))
    del row["completion"]
    (place / "bare.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    for verb in ("show", "report", "audit", "groups", "explain", "cases"):
        status, lines = said_by([verb, "bare.jsonl"])
        assert status == 2, verb
        assert "has no column 'completion'" in lines[0], (verb, lines)
    (place / "bare.jsonl").unlink()
