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
    st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-8-sig"]),
    st.sampled_from(["", " ", "\t", "x", "}", "\x00", "\ud800"]),
)
def test_a_row_is_what_the_parser_of_python_reads(
    value: object, plain: bool, coding: str, after: str
) -> None:
    """In every encoding that it finds by itself, with lone surrogates, NaN, and what should not follow."""
    raw = (json.dumps({"a": value}, ensure_ascii=not plain) + after).encode(coding, "surrogatepass")
    try:
        expected = json.loads(raw)
    except ValueError:
        with pytest.raises(ValueError, match="not"):
            parse(raw)
    else:
        assert json.dumps(parse(raw)) == json.dumps(expected)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"{" * 100_000, "not readable JSON: nested too deeply|not JSON"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"1" * 5000 + b"}", "not readable JSON: Exceeds the limit"),
        (b'{"a": "\xff"}', "not UTF-8: invalid start byte at byte 7"),
        (b'{"a": 1} 2', "not JSON: Extra data at column 10"),
        (b"[1]", "not a JSON object but an array"),
    ],
)
def test_what_is_no_row_is_told(raw: bytes, said: str) -> None:
    """With the place, where there is one."""
    with pytest.raises(ValueError, match=said):
        parse(raw)
