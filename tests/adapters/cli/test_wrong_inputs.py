"""Wrong input to every verb: one sentence that says what is wrong, a status, and nothing lost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.cli import app

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

READ: list[tuple[str, int, str]] = [
    ("empty.jsonl", 2, "no rows"),
    ("blank.jsonl", 2, "no rows"),
    ("folder", 2, "is a folder; name the files in it"),
    ("binary.jsonl", 2, "is a binary file"),
    ("mark.jsonl", 0, ""),
    ("utf16.jsonl", 2, "is UTF-16, not UTF-8; convert it: iconv -f UTF-16"),
    ("utf16le.jsonl", 2, "is UTF-16LE, not UTF-8; convert it: iconv -f UTF-16LE"),
    ("utf16be.jsonl", 2, "is UTF-16BE, not UTF-8; convert it: iconv -f UTF-16BE"),
    ("cp949.csv", 2, "iconv -f CP949"),
    ("crlf.jsonl", 0, ""),
    ("cut.jsonl.gz", 2, "cannot be read to its end"),
    ("plain.jsonl.gz", 0, ""),
    ("corrupt.jsonl.gz", 2, "cannot be read to its end"),
    ("semicolons.csv", 0, ""),
    ("ragged.csv", 1, "ragged.csv:2: 1 fields, but the header has 2"),
    ("open.csv", 1, "open.csv:2: not readable as CSV"),
    ("twice.csv", 2, "two columns are called 'completion'"),
    ("text.parquet", 2, "is not a Parquet file, though it is called one"),
    ("text.arrow", 2, "is not an Arrow file, though it is called one"),
    ("lines.parquet", 0, ""),
    ("object.jsonl", 1, "neither text nor chat messages but dict"),
    ("five.jsonl", 1, "neither text nor chat messages but int"),
    ("null.jsonl", 1, "neither text nor chat messages but NoneType"),
    ("mixed.jsonl", 1, "neither text nor chat messages but list"),
    ("keys.jsonl", 1, "the key 'completion' stands twice"),
    ("comma.jsonl", 1, "comma.jsonl:1: not JSON"),
    ("quotes.json", 1, "quotes.json:1: not JSON"),
    ("cutoff.jsonl", 1, "cutoff.jsonl:2: not JSON"),
    ("array.jsonl", 1, "not a JSON object but an array"),
    ("nan.jsonl", 3, "nothing was judged"),
    ("http://x.example/rows.jsonl", 2, "no such file"),
    ("none*.jsonl", 2, "no file has such a name"),
    ("none.jsonl", 2, "no such file"),
]
"""What `score` is given, its status, and what it says."""

OPTIONS: list[tuple[str, str]] = [
    ("scor ok.jsonl", "Did you mean 'score'"),
    ("score ok.jsonl --reciep x", "--recipe"),
    ("score", "Missing argument"),
    ("score ok.jsonl -r r1_zer", "did you mean 'r1_zero'"),
    ("score ok.jsonl -r TagFromat", "did you mean 'TagFormat'"),
    ("score ok.jsonl -r broken.yaml", "broken.yaml is not YAML: expected"),
    ("score ok.jsonl -r empty.yaml", "a recipe is a mapping"),
    ("score ok.jsonl -r list.yaml", "a recipe is a mapping"),
    ("score ok.jsonl -r field.yaml", "field.yaml:1: reward.ExactMatch"),
    ("score ok.jsonl -r none.yaml", "cannot read the recipe none.yaml"),
    ("score ok.jsonl -r raises.py:f", "raises.py cannot be imported: RuntimeError: boom"),
    ("score ok.jsonl -r nothing.py:x", "neither a reward nor a verifier nor a function"),
    ("score ok.jsonl -r nothing.py:y", "has no attribute 'y'"),
    ("score ok.jsonl -r none.py:f", "none.py: no such file"),
    ("score ok.jsonl -r raises:f", "cannot be imported: RuntimeError: boom"),
    ("score ok.jsonl -r nowhere:f", "cannot be imported"),
    ("score ok.jsonl --fail-on accuracy", "is no condition"),
    ("score ok.jsonl --fail-on acc<1", "did you mean 'MathEquivalence'"),
    ("score ok.jsonl --fail-on unscord>2%", "did you mean 'unscored'"),
    ("score ok.jsonl --workers 0", "--workers must be at least 1"),
    ("score ok.jsonl --progress 2", "--progress is a share of training from 0 to 1, got 2"),
    ("score ok.jsonl --group-by promt", "has no column 'promt'"),
    ("score ok.jsonl --log wandbb", "did you mean 'wandb'"),
    ("score ok.jsonl --reference-field anwser", "did you mean 'answer'"),
    ("score ok.jsonl -r TagFormat --reference-field answer", "would be ignored"),
    ("score ok.jsonl --address here", "add --engine ray"),
    ("score ok.jsonl --resume", "--resume needs an output file"),
    ("score ok.jsonl -o ok.jsonl", "already exists"),
    ("score ok.jsonl -o ok.jsonl --force", "both an input and a file to write"),
    ("score ok.jsonl -o scored.jsonl", "already exists; --resume continues it"),
    ("score ok.jsonl -o hard.jsonl --force", "both an input and a file to write"),
    ("score ok.jsonl -o kept.jsonl", "kept.rejected.jsonl: is a folder"),
    ("score ok.jsonl --completion-field complation", "has no column 'complation'"),
    (
        "score ok.jsonl -r loop.yaml",
        "loop.yaml:1: the recipe holds more than 10,000 values, or contains itself",
    ),
    ("score ok.jsonl -o folder", "is a folder"),
    ("score ok.jsonl -o none/x.jsonl", "the folder none does not exist"),
    ("score ok.jsonl -o x.csv", "would misread"),
    ("score ok.jsonl -o x.parquet", "would misread"),
    ("score ok.jsonl -o x.jsonl.gz", "gzip them later"),
    ("explain", "takes either a FILE"),
    ("explain 4 --reference 4", "a completion as text is given with --completion"),
    ("explain ok.jsonl --completion x", "either a FILE"),
    ("explain ok.jsonl --reference-field gold", "has no column 'gold'"),
    ("explain --completion x -r nothing", "there is no preset or verifier 'nothing'"),
    ("explain cutoff.jsonl --row 2", "cutoff.jsonl:2: not JSON"),
    ("explain ok.jsonl --row 9", "has no row on line 9; its last row is on line 1"),
    ("explain ok.jsonl --row 0", "--row"),
    ("explain ok.jsonl --reference 7", "belong to --completion"),
    ("references ok.jsonl -r TagFormat", "no part of it reads a reference"),
    ("references gold.jsonl", "has no column 'answer'"),
    ("references ok.jsonl --reference-field anser", "did you mean 'answer'"),
    ("references ok.jsonl -r MathEquivalense", "did you mean 'MathEquivalence'"),
    ("references blank.jsonl", "no rows"),
    ("references none.jsonl", "no such file"),
    ("report ok.jsonl", "is not a scored row"),
    ("audit ok.jsonl", "is not a scored row"),
    ("show ok.jsonl", "is not a scored row"),
    ("groups ok.jsonl", "is not a scored row"),
    ("groups empty.jsonl", "empty.jsonl: no rows"),
    ("groups comma.jsonl", "comma.jsonl:1: not JSON"),
    ("select none.jsonl", "none.jsonl: no such file"),
    ("select ok.jsonl", "ok.jsonl:1: is not a scored row"),
    ("cases ok.jsonl", "is not a scored row"),
    ("publish ok.jsonl", "is not a scored row"),
    ("diff ok.jsonl ok.jsonl", "is not a scored row"),
    ("diff scored.jsonl", "takes two scored files, or one FILE"),
    ("diff scored.jsonl", "got 1 files and 0 recipes"),
    ("diff scored.jsonl ok.jsonl -r ExactMatch", "got 2 files and 1 recipes"),
    ("diff - -r ExactMatch", "not from a pipe"),
    ("diff scored.jsonl none.jsonl", "none.jsonl: no such file"),
    ("diff scored.jsonl scored.jsonl --fail-on worse", "is no condition"),
    ("diff - -", "only one side can come from standard input"),
    ("diff scored.jsonl scored.jsonl --key idd", "has no column 'idd'"),
    ("diff scored.jsonl scored.jsonl", "nothing tells which rows belong together"),
    ("report scored.jsonl -o x.xyz", "name a file that ends with"),
    ("report scored.jsonl -o scored.jsonl", "name a file that ends with"),
    ("report scored.jsonl -o none/x.html", "the folder none does not exist"),
    ("report scored.jsonl --outcome MathEquivalense -o -", "did you mean 'MathEquivalence'"),
    ("report scored.jsonl folder -o -", "the folder of one run"),
    ("report - -o -", "not from a pipe"),
    ("report scored.jsonl --watch -o x.html", "writes no file"),
    ("report scored.jsonl none.jsonl", "none.jsonl: no such file"),
    ("show scored.jsonl --status scord", "did you mean 'scored'"),
    ("show scored.jsonl none.jsonl", "none.jsonl: no such file"),
    ("select scored.jsonl", "has no column 'prompt'"),
    ("select parts.jsonl --require formt", "has no part 'formt'; did you mean 'format'"),
    ("select parts.jsonl --outcome acuracy", "has no part 'acuracy'; did you mean 'accuracy'"),
    ("groups parts.jsonl --group-field promt", "--group-field"),
    ("groups parts.jsonl --group-field promt", "did you mean 'prompt'"),
    ("groups parts.jsonl", "parts.jsonl:3: the rows of one 'prompt' must follow one another"),
    ("score apart.jsonl -r ranked.yaml", "apart.jsonl:3: the rows of one 'prompt'"),
    ("score apart.jsonl -r ranked.yaml --group-field id", "has no column 'id'"),
    ("score apart.jsonl -r ranked.yaml -o parts.jsonl --resume", "cannot be resumed"),
    ("score ok.jsonl -r dapo_math", "has no column 'completion_tokens'"),
    ("select scored.jsonl --for sftt", "'sftt' is not one of"),
    ("audit scored.jsonl --fail-on alrm", "did you mean 'alarm'"),
    ("cases scored.jsonl --labels labels.jsonl", "is no label that a page exported"),
    ("cases scored.jsonl --labels lable", "has no column 'lable'"),
    ("publish scored.jsonl -o scored.jsonl", "is a file; name a folder"),
    ("publish scored.jsonl -o .", "has files in it"),
    ("prefer ok.jsonl --judge ExactMatch", "Judge"),
    ("serve -r ExactMatch --port 80000", "--port"),
    ("recipe check SoftOverlong", "it takes parameters, so it needs a recipe file"),
    ("recipe check TagFromat", "did you mean 'TagFormat'"),
    ("recipe show r1_zer", "did you mean 'r1_zero'"),
    ("completion tcsh", "'tcsh' is not one of"),
    ("list TagFromat", "did you mean 'TagFormat'"),
    ("new 1bad", "made of letters and digits"),
    ("new class", "made of letters and digits"),
    ("test none", "neither a case file nor a folder"),
    ("test ok.jsonl -r ExactMatch --verifier ExactMatch", "not both"),
]
"""Wrong usage, and what is said; all of it ends with status 2."""


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
    for number, (name, status, said) in enumerate(READ):
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
    for line, said in OPTIONS[part::4]:
        status, lines = said_by(line.split())
        assert status == 2, (line, lines)
        assert len(lines) == 1, (line, lines)
        assert said in lines[0], (line, lines)
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
