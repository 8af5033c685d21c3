"""JSON arrays as files of rows, and columns inside of columns."""

from __future__ import annotations

import gzip
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.columns import column_names, column_of, has_column
from adapters.files.formats import lines as jsonl
from adapters.files.formats.json_lines import array_items
from adapters.files.jsonl import Line, Overlong, Source
from tests.adapters.cli.commands import cli
from training.config import Data
from training.data.row_prompts import filled, prompt_rows
from training.data.row_sources import read_rows
from verifiers import ConfigError

CONTEST = [
    {
        "id": f"rag-{number}",
        "input": {"question_type": "선택형", "question": f"{{할 수/할수}} 있다. {number}번에서 옳은 것은?"},
        "output": {"answer": "\"할 수 있다.\"가 옳다. 의존 명사 '수'는 앞말과 띄어 쓴다."},
        "prediction": {"text": "\"할 수 있다.\"가 옳다. '수'는 의존 명사이므로 띄어 쓴다."},
    }
    for number in range(5)
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ROWS = st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), max_size=8)


def _lines(path: Path) -> list[Line]:
    found: list[Line] = []
    for chunk in Source([str(path)]).chunks():
        assert not isinstance(chunk, Overlong)
        found += chunk
    return found


@given(ROWS, st.sampled_from([None, 0, 2, "\t"]), st.integers(1, 40), st.booleans())
def test_an_array_gives_its_items(rows: list[dict[str, Any]], indent: Any, piece: int, escaped: bool) -> None:
    """However it is laid out, and wherever what is read at a time ends; each on one line."""
    data = json.dumps(rows, indent=indent, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    stream = io.BytesIO(data)
    items = list(array_items("x.json", stream.read(piece), stream.read, 10_000, piece)) if rows else []
    assert [number for number, _ in items] == list(range(1, len(rows) + 1))
    assert [json.loads(raw) for _, raw in items] == rows
    assert not any(b"\n" in raw for _, raw in items)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n  ", "\r\n"])
def test_files_of_arrays_are_files_of_rows(tmp_path: Path, compressed: bool, start: str) -> None:
    """As the contest publishes them: laid out, compressed or not; numbers stay as they were written."""
    path = tmp_path / ("rows.json.gz" if compressed else "rows.json")
    text = start + json.dumps(CONTEST, indent=2, ensure_ascii=False).replace('"rag-0"', "1.50e1")
    path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    lines = _lines(path)
    assert [line.number for line in lines] == [1, 2, 3, 4, 5]
    assert b'"id": 1.50e1' in lines[0].raw
    assert json.loads(lines[4].raw) == CONTEST[4]


def test_lines_that_are_arrays_are_still_lines(tmp_path: Path) -> None:
    """They are no rows, and are told by their numbers; an array that holds nothing has no rows."""
    path = tmp_path / "rows.jsonl"
    for text, wanted in (
        ('[1, 2]\n{"a": 1}\n', [1, 2]), ('["x"]\n', [1]), ('[\n{"a": 1}\n]\n', [1]), ("[\n1]\n", [1, 2]),
        ("[]\n", []), ("[", [1]), ('{"a": [{"b": 1}]}\n[{"a": 1}]\n', [1, 2]),
    ):  # fmt: skip
        path.write_text(text, encoding="utf-8")
        assert [line.number for line in _lines(path)] == wanted, text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1}, {"a": ]', "item 2 of the JSON array cannot be read"),
        ('[{"a": 1}', "the file ends instead of , or ] after item 1"),
        ('[{"a": 1} {"a": 2}]', "'{' instead of , or ] after item 1"),
        ('[{"a": 1},]', "nothing follows the comma after item 1"),
        ('[{"a": 1}] x', "text follows its closing bracket"),
        ('[{"a": "\udcff"}]', "not UTF-8"),
        ('[{"a": ' + "[" * 100_000, "item 1 of the JSON array"),
        ('[{"a": "' + "x" * 2000 + '"}]', "item 1 of the JSON array is longer"),
    ],
)
def test_a_broken_array_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    """With the item, and without a traceback; what follows cannot be told apart."""
    if "longer" in said:
        monkeypatch.setattr(jsonl, "MAX_LINE", 1000)
    path = tmp_path / "rows.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError) as told:
        _lines(path)
    assert said in str(told.value)
    assert str(path) in str(told.value)


def test_large_arrays_are_read_in_linear_time(tmp_path: Path) -> None:
    """And in bounded memory: chunks come before the file is read."""
    path = tmp_path / "rows.json"
    times = []
    for count in (5_000, 20_000):
        path.write_text(json.dumps([{"completion": "x" * 400, "answer": str(n)} for n in range(count)]))
        started = time.process_time()
        assert sum(len(chunk) for chunk in Source([str(path)]).chunks() if isinstance(chunk, list)) == count
        times.append(time.process_time() - started)
    assert times[1] < 10 * times[0] + 0.2, times


def test_columns_inside_of_columns() -> None:
    """By their path; a column whose own name has a dot comes first; what is no mapping has none."""
    row = {"a": {"b": {"c": 3, "x.y": 4}, "n": None}, "a.b": 1, "list": [{"b": 1}], "": {"": 5}}
    for name, value in (("a.b", 1), ("a.b.c", 3), ("a.b.x.y", 4), ("a.n", None), (".", 5), ("a", row["a"])):
        assert has_column(row, name), name
        assert column_of(row, name) == value
    for name in ("a.c", "a.b.c.d", "list.b", "list.0", "b", "a.", ".a", "a..b"):
        assert not has_column(row, name), name
        assert column_of(row, name) is None
    assert column_names(row)[:4] == ["a", "a.b", "a.b.c", "a.b.x.y"]


def test_the_contests_files_are_scored_explained_and_surveyed(tmp_path: Path) -> None:
    """By the names of their inner columns; another name is answered with the nearest."""
    path = tmp_path / "contest.json"
    path.write_text(json.dumps(CONTEST, ensure_ascii=False, indent=1), encoding="utf-8")
    fields = ["-r", "malpyeong_rouge", "--reference-field", "output.answer"]
    texts = ["--completion-field", "prediction.text", "--prompt-field", "input.question"]
    out = tmp_path / "scored.jsonl"
    done = cli("score", str(path), *fields, *texts, "-o", str(out), "--group-field", "input.question")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == [row["id"] for row in CONTEST]
    assert all(0.6 < row["reward"] < 1.0 and row["output"] == CONTEST[0]["output"] for row in rows)
    shown = cli("explain", str(path), "--row", "3", *fields, *texts, status=0)
    assert "reason_form" in shown.stdout
    survey = cli("references", str(path), *fields, status=0)
    assert "5 references" in survey.stdout
    groups = cli("groups", str(out), "--outcome", "em", *texts[:2], "--group-field", "input.question")
    assert groups.returncode == 0, groups.stderr
    chosen = cli("select", str(out), "--outcome", "em", *texts[:2], "--group-field", "input.question")
    assert json.loads(chosen.stdout.splitlines()[0])["prompt"] == CONTEST[0]["input"]["question"]
    wrong = cli("score", str(path), "-r", "malpyeong_rouge", *texts, "--reference-field", "output.anwser")
    assert wrong.returncode == 2
    assert "no column 'output.anwser'" in wrong.stderr
    assert "did you mean 'output.answer'?" in wrong.stderr


def test_the_contests_files_are_trained_on(tmp_path: Path) -> None:
    """With our names for their inner columns, or with a template."""
    path = tmp_path / "contest.json"
    path.write_text(json.dumps(CONTEST, ensure_ascii=False, indent=1), encoding="utf-8")
    data = Data(source=str(path), columns={"question": "input.question", "answer": "output.answer"})
    rows = prompt_rows(read_rows(data), data, chat=False)
    assert [row["prompt"] for row in rows] == [row["input"]["question"] for row in CONTEST]
    assert rows[0]["answer"] == CONTEST[0]["output"]["answer"]
    assert filled("{input.question_type}: {id!r:>8}", CONTEST[0], "data.template") == "선택형:  'rag-0'"
    with pytest.raises(ConfigError, match=r"no column 'input.qestion'.*did you mean 'input.question'"):
        prompt_rows(CONTEST, Data(source=str(path), columns={"question": "input.qestion"}), chat=False)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "train.json").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert len(read_rows(Data(source=str(folder)))) == 5
    (folder / "rows.jsonl").write_text('{"question": "1?"}\n')
    assert read_rows(Data(source=str(folder))) == [{"question": "1?"}]
