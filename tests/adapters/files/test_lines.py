"""A line and its row: where lines are split, kept together and given up, on each side of every limit."""

from __future__ import annotations

import gzip
import io
import json
import threading
import time
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files import engines
from adapters.files.formats import lines as file_lines
from adapters.files.formats.json_lines import array_items, json_rows
from adapters.files.formats.lines import parse
from adapters.files.gathering import gathered
from adapters.files.jsonl import CHUNK_BYTES, CHUNK_ROWS, MAX_LINE, Line, Overlong, Source
from adapters.files.line_groups import group_key
from adapters.files.row_faults import MOST_ENDED, Ended, apart
from adapters.files.scored_output import RunError
from adapters.files.tallies import Tally
from tests.timing import HANG
from verifiers import ConfigError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    JSON,
    st.booleans(),
    st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-32", "utf-8-sig"]),
    st.sampled_from(["", " ", "\t", "x", "}", "\x00", "\ud800"]),
)
def test_a_row_is_what_the_parser_of_python_reads(
    value: object, plain: bool, coding: str, after: str
) -> None:
    """With lone surrogates as escapes, NaN, and what should not follow; but in UTF-8 alone."""
    raw = (json.dumps({"a": value}, ensure_ascii=not plain) + after).encode(coding, "surrogatepass")
    try:
        raw.decode("utf-8-sig")
        expected = json.loads(raw) if coding.startswith("utf-8") else None
    except ValueError:
        expected = None
    if expected is None:
        with pytest.raises(ValueError, match="not"):
            parse(raw)
    else:
        assert json.dumps(parse(raw)) == json.dumps(expected)


@given(JSON, st.lists(st.text(max_size=3), max_size=3))
def test_a_key_that_stands_twice_is_told_wherever_it_is(value: object, path: list[str]) -> None:
    inner = json.dumps(value)
    for key in path:
        inner = f"{{{json.dumps(key)}: {inner}}}"
    once, twice = f'{{"a": {inner}, "b": 1}}', f'{{"a": {inner}, "a": 1}}'
    assert json.dumps(parse(once.encode())) == json.dumps(json.loads(once))
    with pytest.raises(ValueError, match="the key 'a' stands twice"):
        parse(twice.encode())
    with pytest.raises(ValueError, match=r"the key 'k' stands twice in x\[1\]"):
        parse(f'{{"x": [{inner}, {{"k": 1, "k": {inner}}}]}}'.encode())


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"{" * 100_000, "not readable JSON: nested too deeply|not JSON"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"1" * 5000 + b"}", "an integer of 5,000 digits at column 7; at most 4,300"),
        (b'{"t": "' + b"1" * 5000 + b'", "a": -' + b"1" * 5000 + b"}", "digits at column 5016"),
        (b'{"a": ' + b"[" * 930 + b"]" * 930 + b"}", "at most 930 objects and arrays"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8: invalid continuation byte at byte 7"),
        ('{"a": 1}'.encode("utf-32-le"), "UTF-32"),
        (b'{"a": "\xff"}', "not UTF-8: invalid start byte at byte 7"),
        (b'{"a": 1} 2', "not JSON: Extra data at column 10"),
        (b'{"a": }', "not JSON: Expecting value at column 7"),
        (b"[1]", "not a JSON object but an array"),
        (b'"a"', "not a JSON object but a string"),
        (b"true", "not a JSON object but a boolean"),
        (b"null", "not a JSON object but null"),
        (b"1.5", "not a JSON object but a number"),
        (b"\0 no JSON", "not JSON: it begins with a null byte"),
    ],
)
def test_what_is_no_row_is_told(raw: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(raw)


def test_rows_that_end_what_scores_them_are_given_up_after_so_many() -> None:
    """One by one, and all in a row: a single one that is scored shows that others may be."""
    tried: list[range] = []

    def never(rows: range) -> Ended:
        tried.append(rows)
        return Ended("gone")

    with pytest.raises(RunError, match="gone"):
        apart(never, lambda rows, _: rows, range(64))
    assert sum(len(rows) == 1 for rows in tried) == MOST_ENDED


def test_only_values_between_0_and_1_bound_an_interval() -> None:
    tally = Tally()
    for value in (1.4, 1.6, 1.5):
        tally.add("scored", value)
    interval = tally.interval()
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < interval.mean < interval.high


def test_a_chunk_ends_where_a_group_does() -> None:
    """The group in which it is full is still in it."""
    rows = [Line("f", number, json.dumps({"prompt": number // 3}).encode()) for number in range(3 * 150)]
    chunks = [chunk for chunk in gathered(iter([rows]), "prompt") if isinstance(chunk, list)]
    assert [len(chunk) for chunk in chunks] == [
        CHUNK_ROWS + -CHUNK_ROWS % 3,
        450 - CHUNK_ROWS - -CHUNK_ROWS % 3,
    ]


def test_how_much_is_read_grows_to_the_whole(tmp_path: Path) -> None:
    """Over all files and within each, so that progress counts bytes on disk."""
    paths = [str(tmp_path / name) for name in ("one.jsonl", "two.jsonl")]
    for path in paths:
        Path(path).write_text('{"completion": "1"}\n' * (2 * CHUNK_ROWS))
    source = Source(paths)
    seen = [source.position() for _ in source.chunks()]
    assert (source.total_bytes, len(seen)) == (2 * 20 * 2 * CHUNK_ROWS, 4)
    assert 0 < seen[0] <= seen[1] < seen[2] <= seen[3] <= source.position() == source.total_bytes


def test_an_item_that_is_too_long_is_not_one_that_is_damaged() -> None:
    short = b'[{"a": 1}, {"a": "' + b"x" * 60 + b'"}]'
    with pytest.raises(ConfigError, match="item 2 of the JSON array is longer than 16 MB"):
        list(array_items("f", short, io.BytesIO().read, 40, 10))
    unending = io.BytesIO(b"x" * 1000)
    with pytest.raises(ConfigError, match="item 1 of the JSON array is longer than 16 MB, or is not JSON"):
        list(array_items("f", b'[{"a": "', unending.read, 40, 10))
    with pytest.raises(ConfigError, match="item 1 of the JSON array cannot be read: Expecting value"):
        list(array_items("f", b'[{"a": }]', io.BytesIO().read, 40, 10))


def test_a_bracket_before_much_white_space_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is held back than a piece, to see whether an array begins."""
    monkeypatch.setattr(file_lines, "PIECE", 10)
    found = list(json_rows("f", io.BytesIO(b"[\n" + b"\n" * 20 + b'{"a": 1}\n')))
    assert not any(isinstance(each, Overlong) for each in found)
    assert [each.raw for each in found if isinstance(each, Line)] == [b"[", b'{"a": 1}']


def test_the_order_of_keys_makes_no_other_group() -> None:
    """A prompt may be an object, and is one prompt however it is written."""
    one, other = {"prompt": {"a": 1, "b": 2}}, {"prompt": {"b": 2, "a": 1}}
    assert group_key(one, "prompt") == group_key(other, "prompt")
    assert group_key(one, "prompt") != group_key({"prompt": {"a": 2, "b": 1}}, "prompt")


def test_to_close_waits_for_no_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is interrupted ends at once: its processes are ended, and nobody waits for their work."""
    ended = threading.Event()
    monkeypatch.setattr(engines, "score_in", lambda *_: ended.wait(2 * HANG))
    engine = engines.Processes(1)
    honest = engine._pool.close
    monkeypatch.setattr(engine._pool, "close", lambda: (ended.set(), honest())[1])
    engine.submit(types.SimpleNamespace(pickled=lambda: b""), [])  # type: ignore[arg-type]
    started = time.monotonic()
    engine.close()
    assert time.monotonic() - started < HANG


def _read(path: Path) -> list[Any]:
    """Chunks as lists of (line number, bytes); what is too long as ("long", number, bytes)."""
    found: list[Any] = []
    for chunk in Source([str(path)]).chunks():
        if isinstance(chunk, Overlong):
            pieces: list[bytes] = []
            chunk.copy_to(pieces.append)
            found.append(("long", chunk.number, b"".join(pieces)))
        else:
            found.append([(line.number, line.raw) for line in chunk])
    return found


def test_the_longest_line_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    """16 MiB is the limit, its line break aside; what is too long can be copied whole, and reading continues."""
    assert MAX_LINE == 16 * 1024 * 1024
    path = tmp_path / "rows.jsonl"
    for ending in (b"\n", b""):
        fits = b"x" * (MAX_LINE - len(ending)) + ending
        path.write_bytes(fits)
        assert _read(path) == [[(1, fits.rstrip())]]
    exactly = b"x" * MAX_LINE + b"\n"
    path.write_bytes(exactly + b"{}\n")
    assert _read(path) == [[(1, b"x" * MAX_LINE)], [(2, b"{}")]]
    over = b"x" * (MAX_LINE + 1)
    path.write_bytes(b"{}\n" + over + b"\n{}")
    assert _read(path) == [[(1, b"{}")], ("long", 2, over + b"\n"), [(3, b"{}")]]
    path.write_bytes(over)
    assert _read(path) == [("long", 1, over + b"\n")]
    path.write_bytes(over * 2 + b"\n" + over + b"\n{}\n")
    # Whoever does not copy a line that is too long has skipped it.
    skipped = list(Source([str(path)]).chunks())
    assert [type(each) for each in skipped] == [Overlong, Overlong, list]
    assert skipped[2] == [Line(str(path), 3, b"{}")]


def test_chunks_are_small_in_rows_and_in_bytes(tmp_path: Path) -> None:
    """So that memory stays small with short rows and with long ones, and no row is in two of them."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"1\n" * (2 * CHUNK_ROWS + 1))
    chunks = _read(path)
    assert [len(chunk) for chunk in chunks] == [CHUNK_ROWS, CHUNK_ROWS, 1]
    assert [number for chunk in chunks for number, _ in chunk] == list(range(1, 2 * CHUNK_ROWS + 2))
    third = CHUNK_BYTES // 3 + 1
    path.write_bytes((b"x" * third + b"\n") * 7)
    assert [len(chunk) for chunk in _read(path)] == [3, 3, 1]
    path.write_bytes((b"x" * (CHUNK_BYTES // 2) + b"\n") * 2 + b"y\n")
    assert [len(chunk) for chunk in _read(path)] == [2, 1], "a chunk that is just full is handed on"
    path.write_bytes(b"\n \n\t\r\n")
    assert _read(path) == []


def test_a_byte_order_mark_counts_at_the_start_of_a_file_only(tmp_path: Path) -> None:
    """In a later line it is part of the row, which is then no JSON."""
    mark = b"\xef\xbb\xbf"
    path = tmp_path / "rows.jsonl"
    path.write_bytes(mark + b"{}\r\n" + mark + b"{}\n\n[]\n")
    assert _read(path) == [[(1, b"{}"), (2, mark + b"{}"), (4, b"[]")]]
    packed = tmp_path / "rows.gz"
    packed.write_bytes(gzip.compress(mark + b"{}"))
    assert _read(packed) == [[(1, b"{}")]]


def test_sources_say_how_far_they_are(tmp_path: Path) -> None:
    """In bytes as they lie on disk, over all files; unknown with standard input."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"{}\n")
    two.write_bytes(gzip.compress(b"{}\n{}\n"))
    source = Source([str(one), str(two)])
    size = one.stat().st_size + two.stat().st_size
    assert (source.total_bytes, source.position()) == (size, 0)
    assert sum(len(chunk) for chunk in source.chunks() if isinstance(chunk, list)) == 3
    assert source.position() == size
    assert Source([str(one), "-"]).total_bytes is None
    assert Source(["-", str(one)]).total_bytes is None
    two.write_bytes(gzip.compress(b"{}\n" * 1000)[:-9])
    with pytest.raises(ConfigError, match="cannot be read to its end"):
        list(Source([str(two)]).chunks())
    for path, message in ((tmp_path / "three", "no such file"), (tmp_path, "is a folder")):
        with pytest.raises(ConfigError, match=message):
            Source([str(path)])
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    with pytest.raises(ConfigError, match="is a binary file"):
        Source([str(tmp_path / "binary")])
    (tmp_path / "rows.csv").write_text('\ufeff{"a": 1}\n')
    assert sum(map(len, Source([str(tmp_path / "rows.csv")]).chunks())) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "head", "said"),
    [
        ("a.jsonl", "{}".encode("utf-16"), "is UTF-16, not UTF-8; .*iconv -f UTF-16"),
        ("a.jsonl", "{}".encode("utf-32"), "is UTF-32, not UTF-8; .*iconv -f UTF-32"),
        ("a.xlsx", b"PK\x03\x04", "is a zip archive or a workbook"),
        ("a.jsonl.xz", b"\xfd7zXZ", "is compressed by xz, not JSON Lines; unpack it: xz -d "),
        ("a.feather", b"FEA1", "is of Feather's first version"),
    ],
)
def test_another_format_is_named_once_with_its_cure(
    tmp_path: Path, name: str, head: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(head)
    with pytest.raises(ConfigError, match=said):
        Source([str(path)])


def test_pieces_of_a_long_line_stay_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lines, "MAX_LINE", 10)
    monkeypatch.setattr(file_lines, "PIECE", 4)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"0123456789abcdefghij\n{}\n")
    [chunk, rest] = _pieces(path)
    assert (chunk, rest) == ([b"0123456789a", b"bcde", b"fghi", b"j\n"], [b"{}"])


def _pieces(path: Path) -> list[list[bytes]]:
    found: list[list[bytes]] = []
    for chunk in Source([str(path)]).chunks():
        pieces: list[bytes] = []
        if isinstance(chunk, Overlong):
            chunk.copy_to(pieces.append)
        else:
            pieces += [line.raw for line in chunk]
        found.append(pieces)
    return found
