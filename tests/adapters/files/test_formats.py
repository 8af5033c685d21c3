"""Files of any format give the same rows, with their places; what cannot be read is refused with a sentence."""

from __future__ import annotations

import datetime
import decimal
import gzip
import io
import json
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.formats import lines as limits
from adapters.files.formats.csv_rows import csv_rows
from adapters.files.jsonl import Line, Overlong, Source, parse
from verifiers import ConfigError

ROWS = [
    {"prompt": f'질문 {n}, "quoted"', "completion": f"line\nbreak {n}", "answer": str(n)} for n in range(700)
]


def _json(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _csv(rows: list[dict[str, Any]], delimiter: str = ",") -> bytes:
    def quoted(value: str) -> str:
        return '"' + value.replace('"', '""') + '"'

    text = [delimiter.join(rows[0])]
    text += [delimiter.join(quoted(value) for value in row.values()) for row in rows]
    return ("\r\n".join(text) + "\r\n").encode()


def _stream(rows: list[dict[str, Any]]) -> bytes:
    table = pa.Table.from_pylist(rows)
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return sink.getvalue()


def _arrow(rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.feather.write_feather(pa.Table.from_pylist(rows), sink, compression="zstd")
    return sink.getvalue()


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), sink, row_group_size=300)
    return sink.getvalue()


def _zstd(data: bytes) -> bytes:
    half = len(data) // 2  # two frames, as tools that append write them
    return b"".join(pa.compress(part, codec="zstd", asbytes=True) for part in (data[:half], data[half:]))


FORMATS: dict[str, Callable[[], bytes]] = {
    "rows.jsonl": lambda: _json(ROWS), "rows.json": lambda: json.dumps(ROWS, indent=1).encode(),
    "rows.jsonl.gz": lambda: gzip.compress(_json(ROWS)), "rows.jsonl.zst": lambda: _zstd(_json(ROWS)),
    "rows.csv": lambda: b"\xef\xbb\xbf" + _csv(ROWS), "rows.csv.gz": lambda: gzip.compress(_csv(ROWS)),
    "rows.CSV.zst": lambda: _zstd(_csv(ROWS)), "semicolons.csv": lambda: _csv(ROWS, ";"),
    "rows.tsv": lambda: _csv(ROWS, "\t"), "rows.parquet": lambda: _parquet(ROWS),
    "rows.arrow": lambda: _arrow(ROWS), "rows.feather": lambda: _arrow(ROWS),
    "data-00000.arrow": lambda: _stream(ROWS), "named_otherwise.txt": lambda: _parquet(ROWS),
}  # fmt: skip


def _lines(*paths: str | Path) -> list[Line]:
    found: list[Line] = []
    for chunk in Source([str(path) for path in paths]).chunks():
        assert not isinstance(chunk, Overlong)
        assert len(chunk) <= limits.CHUNK_ROWS
        found += chunk
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    """In order, with the number of the row, or in text that of the line; also when they were looked at first."""
    path = tmp_path / name
    path.write_bytes(FORMATS[name]())
    found = _lines(path)
    assert [parse(line.raw) for line in found] == ROWS
    csv = name.startswith(("rows.csv", "rows.CSV", "semicolons", "rows.tsv"))
    assert [line.number for line in found] == [2 * n + 2 if csv else n + 1 for n in range(len(ROWS))]
    source = Source([str(path)])
    assert source.look()[:300] == found[:300]
    assert [line for chunk in source.chunks() for line in chunk] == found  # type: ignore[union-attr]
    assert source.position() == source.total_bytes == path.stat().st_size
    assert [line for chunk in source.chunks() for line in chunk] == found  # type: ignore[union-attr]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_csv_holds_any_text(rows: list[tuple[str, str]]) -> None:
    """As it is written by rule: quotes doubled, delimiters and line breaks inside of quotes; never as numbers."""
    data = _csv([{"a": "", "b": ""}, *({"a": one, "b": two} for one, two in rows)])
    found = [parse(line.raw) for line in csv_rows("x", io.BytesIO(data)) if isinstance(line, Line)]
    assert found[1:] == [{"a": one, "b": two} for one, two in rows]


def test_rows_of_csv_that_are_none_are_refused_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line and the reason; the others are read."""
    monkeypatch.setattr(limits, "MAX_LINE", 2_000_000)
    big = b"x" * 1_000_000
    data = (
        b'a,b\n1,2\n3\n4,5,6\n7,"8" 9\n\n\xff,1\nNA,007\n1,'
        + big
        + b"\n1,"
        + 3 * big
        + b'\n"1\n2",3\n1,"never closed\n2,3\n'
    )
    found: list[Any] = []
    told: list[str] = []
    for line in csv_rows("x", io.BytesIO(data)):
        if isinstance(line, Overlong):
            copied: list[bytes] = []
            line.copy_to(copied.append)
            found.append((line.number, sum(map(len, copied))))
            continue
        try:
            found.append((line.number, parse(line.raw)))
        except ValueError as problem:
            found.append((line.number, str(problem)))
            told.append(json.loads(line.rejected)["problem"])
    assert found == [
        (2, {"a": "1", "b": "2"}),
        (3, "1 fields, but the header has 2"),
        (4, "3 fields, but the header has 2"),
        (5, "not readable as CSV: ',' expected after '\"'"),
        (7, "not UTF-8: invalid start byte at byte 0 of line 7"),
        (8, {"a": "NA", "b": "007"}),
        (9, {"a": "1", "b": big.decode()}),
        (10, 3_000_003),
        (11, {"a": "1\n2", "b": "3"}),
        (13, "not readable as CSV: unexpected end of data (lines 13 to 14: is a quote left open?)"),
    ]
    assert told == [problem for _, problem in found if isinstance(problem, str)]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", b"a,a\n1,2\n", "two columns are called 'a'"),
        ("a.csv", "completion,answer\n정답,1\n".encode("cp949"), "is not UTF-8; .*iconv -f CP949"),
        ("a.csv", "pr\xe9,completion\na,b\n".encode("latin-1"), "is not UTF-8; convert it"),
        ("a.csv", b'"\xff","completion"\na,b\n', "is not UTF-8; convert it"),
        # Whole lines show Korean of Windows, whatever the last piece that was read ends with.
        ("a.csv", "q,a\n질문,답\n가".encode("cp949"), "is not UTF-8; convert it"),
        ("a.parquet", b"PAR1 and no more", "cannot be read as Parquet"),
        ("a.arrow", b"ARROW1\0\0nothing", "cannot be read as Arrow"),
        # Without the time of packing, which would give the test another name in each process.
        ("a.parquet.gz", gzip.compress(b"PAR1", mtime=0), "is Parquet inside of a packed file"),
        ("a.jsonl.zst", _zstd(_json(ROWS))[:500], "cannot be read to its end"),
    ],
)
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigError, match=said):
        _lines(tmp_path / name)


def test_values_that_json_does_not_have(tmp_path: Path) -> None:
    """Each in one way, whatever is installed: times as ISO 8601, decimals as text, bytes as what they are."""
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5)
    table = pa.table(
        {
            "time": pa.array([moment], pa.timestamp("ns")),
            "day": pa.array([moment.date()]),
            "times": pa.array([[moment]], pa.list_(pa.timestamp("ns"))),
            "inner": pa.array([{"at": moment, "n": 1}]),
            "exact": pa.array([decimal.Decimal("1.10")]),
            "bytes": pa.array([b"\xff"]),
            "kind": pa.array(["x"]).dictionary_encode(),
            "nested": pa.array([[{"role": "user", "content": "a"}]]),
            "big": pa.array([2**63], pa.uint64()),
            "none": pa.nulls(1),
        }
    )
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(table, path)
    assert parse(_lines(path)[0].raw) == {
        "time": "2024-01-02 03:04:05.000000000", "day": "2024-01-02",
        "times": ["2024-01-02 03:04:05.000000000"], "inner": {"at": "2024-01-02 03:04:05.000000", "n": 1},
        "exact": "1.10", "bytes": {"base64": "/w=="}, "kind": "x",
        "nested": [{"role": "user", "content": "a"}], "big": 2**63, "none": None,
    }  # fmt: skip
    pyarrow.parquet.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]), path)
    with pytest.raises(ConfigError, match="two columns are called 'a'"):
        _lines(path)


def test_a_row_of_a_table_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LINE", 50)
    path = tmp_path / "a.parquet"
    path.write_bytes(_parquet([{"a": "x"}, {"a": "x" * 100}, {"a": "y"}]))
    kinds = [type(chunk).__name__ for chunk in Source([str(path)]).chunks()]
    assert kinds == ["list", "Overlong", "list"]


def _saved(folder: Path, rows: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True)
    (folder / "data-00000-of-00001.arrow").write_bytes(_stream(rows))
    (folder / "state.json").write_text('{"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}')


def test_folders_and_patterns(tmp_path: Path) -> None:
    """What `save_to_disk` wrote is read without `datasets`; of several splits one is named."""
    _saved(tmp_path / "set" / "test", ROWS[:3])
    (tmp_path / "set" / "dataset_dict.json").write_text('{"splits": ["test"]}')
    assert [parse(line.raw) for line in _lines(tmp_path / "set")] == ROWS[:3]
    _saved(tmp_path / "set" / "train", ROWS[3:5])
    (tmp_path / "set" / "dataset_dict.json").write_text('{"splits": ["test", "train"]}')
    with pytest.raises(ConfigError, match=r"several splits; name one: .*set/test, .*set/train"):
        Source([str(tmp_path / "set")])
    assert len(_lines(tmp_path / "set" / "t*" / "*.arrow")) == 5
    with pytest.raises(ConfigError, match="no file has such a name"):
        Source([str(tmp_path / "no-*.jsonl")])
    (tmp_path / "set" / "test" / "state.json").unlink()
    with pytest.raises(ConfigError, match=r"is a folder; name its files, for example '.*/\*.arrow'"):
        Source([str(tmp_path / "set" / "test")])


def test_data_sets_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their names; without a network, or a split, a sentence says what to do."""

    class Dataset:
        data = pa.Table.from_pylist(ROWS[:5])

        def __len__(self) -> int:
            return 5

        def with_format(self, kind: str) -> Dataset:
            assert kind == "arrow"
            return self

        def iter(self, size: int) -> Any:
            yield from (self.data.slice(0, 3), self.data.slice(3))

    asked: list[Any] = []

    def load_dataset(name: str, config: str | None, split: str | None) -> Any:
        asked.append((name, config, split))
        if name == "no/network":
            raise ConnectionError("Couldn't reach the Hub\nand more")
        return Dataset() if split else {"train": Dataset(), "test": Dataset()}

    monkeypatch.setitem(sys.modules, "datasets", types.SimpleNamespace(load_dataset=load_dataset))
    assert [parse(line.raw) for line in _lines("some/set:main@test")] == ROWS[:5]
    assert asked == [("some/set", "main", "test")]
    with pytest.raises(ConfigError, match="several splits; name one: some/set@train, some/set@test"):
        _lines("some/set")
    with pytest.raises(ConfigError, match=r"no/network: no such file, .*reach the Hub \(name it as"):
        _lines("no/network")


def test_standard_input_of_other_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of text where that is said; what is packed, and Arrow streams, by their beginnings."""

    def read(data: bytes, kind: Any = None) -> list[Any]:
        stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))  # type: ignore[type-var]
        monkeypatch.setattr(sys, "stdin", stdin)
        source = Source(["-"], kind)
        assert source.total_bytes is None
        return [parse(line.raw) for chunk in source.chunks() for line in chunk]  # type: ignore[union-attr]

    for data, kind in (
        (_csv(ROWS), "csv"), (gzip.compress(_csv(ROWS, "\t")), "tsv"), (_zstd(_json(ROWS)), None),
        (json.dumps(ROWS).encode(), None), (_stream(ROWS), None),
    ):  # fmt: skip
        assert read(data, kind) == ROWS
    with pytest.raises(
        ConfigError, match="standard input: Parquet is read from its end, which a pipe has not"
    ):
        read(_parquet(ROWS))
