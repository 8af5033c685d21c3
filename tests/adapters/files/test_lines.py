"""A line and its row."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.formats.lines import parse

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
