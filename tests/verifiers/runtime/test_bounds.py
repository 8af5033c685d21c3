"""Whatever a reference expands to is bounded, and a bomb is unscored with a sentence that names the limit."""

from __future__ import annotations

import base64
import gzip
import json
import os
import pickle
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import forks
from tests.support import FIXTURES, first_of_each
from tests.timing import examples
from verifiers.runtime.bounds import (
    ExpansionError,
    Kept,
    from_base64,
    from_json,
    from_literal,
    from_pickled_text,
    from_source,
    inflated,
    one_reference,
)

MIB = 1 << 20
BOMBS: dict[str, str] = {
    "zlib": "{'livecodebench': {'private_test_cases': b64(packed(b' ', 400 << 20))}}",
    "gzip": "{'livecodebench': {'private_test_cases': b64(packed(b' ', 400 << 20, 31))}}",
    "memo": "{'livecodebench': {'private_test_cases': b64(zlib.compress(b'\\x80\\x04X\\2\\0\\0\\0[]r\\xff\\xff\\xff\\x7f'))}}",
    "packed lists": "{'livecodebench': {'private_test_cases': b64(zlib.compress(pickle.dumps('[' + '[],' * 30_000_000)))}}",
    "JSON": "'{\"stdio\": [' + '[],' * 6_000_000 + '0]}'",
    "many JSON texts": "{'livecodebench': {'public_test_cases': [{'input': '[' + '0,' * 10**6 + '0]', 'output': '1', "
    "'testtype': 'functional'}] * 9, 'metadata': {'func_name': 'f'}}}",
    "literal": "{'apps': {'input_output': '[' + '(1,),' * 600_000 + \"'']\"}}",
    "source": "{'asserts': ['assert f() == 1'], 'setup': 'a\\n' * 2_000_000}",
    "test file": "{'kodcode': {'question': 'q', 'test': 'def test_a():\\n' + '    a\\n' * 2_000_000}}",
    "tests": "'{\"asserts\": [' + '\"assert f()\",' * 500_000 + '\"\"]}'",
    "nested": "'{\"stdio\": ' + '[' * 10**6 + ']' * 10**6 + '}'",
}
KINDS = {"gzip": "zlib", "many JSON texts": "JSON", "tests": "JSON", "nested": "JSON", "test file": "source"}
"""Bombs that are of another one's kind."""
PROGRAM = (FIXTURES / "scripts" / "reference_in_bounds.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", first_of_each(BOMBS, lambda name: KINDS.get(name, name)))
def test_a_bomb_is_unscored_and_takes_bounded_memory(name: str, tmp_path: Path) -> None:
    """In a process that may take 1.3 GB more than before, the row's own text included."""
    program = tmp_path / "bomb.py"
    program.write_text(PROGRAM, encoding="utf-8")
    done = forks.run(program, BOMBS[name])
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("unscored bad_reference tests"), done.stdout
    assert any(word in done.stdout for word in ("more than", "at most", "pickle", "nested", "recursion")), (
        done.stdout
    )


@settings(max_examples=examples(60))
@given(st.text(), st.integers(0, 5))
def test_honest_texts_come_back(text: str, protocol: int) -> None:
    """As pickle, zlib, gzip and base64 wrote them; lone surrogates have no UTF-8."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        raw = text.encode()
        assert inflated(zlib.compress(raw)) == inflated(gzip.compress(raw)) == raw
        assert from_base64(base64.b64encode(raw).decode()) == raw
        if protocol:  # the first writes lines of ASCII, which no data set has
            assert from_pickled_text(pickle.dumps(text, max(protocol, 1))) == text
    assert from_json(json.dumps([text])) == [text]
    assert from_literal(repr([text])) == [text]


@settings(max_examples=examples(100))
@given(
    st.binary(max_size=60)
    | st.builds(lambda value, cut: pickle.dumps(value)[:cut], st.text(), st.integers(0, 30))
)
def test_no_bytes_make_the_reader_of_pickles_do_more_than_refuse(data: bytes) -> None:
    try:
        found = from_pickled_text(data)
    except ValueError:
        return
    assert found == pickle.loads(data)


@pytest.mark.parametrize("value", [3, None, ["a"], ("a",), {"a": "b"}, b"a", 1.5, complex(1), len, object])
@pytest.mark.parametrize("protocol", range(6))
def test_what_is_no_text_is_refused(value: Any, protocol: int) -> None:
    with pytest.raises(ValueError, match="pickle"):
        from_pickled_text(pickle.dumps(value, protocol))


def test_packed_data_is_unpacked_to_the_limit_and_no_further() -> None:
    for cut in (zlib.compress(b"a" * MIB), gzip.compress(b"a" * MIB)):
        assert len(inflated(cut, MIB)) == MIB
        with pytest.raises(ExpansionError, match="unpacks to more than 0 MiB"):
            inflated(cut, MIB - 1)
        with pytest.raises(ValueError, match="cut off"):
            inflated(cut[:-1])
    for wrong in (b"", b"no", b"\x1f\x8b"):
        with pytest.raises(ValueError, match=r"cut off|incorrect|invalid"):
            inflated(wrong)
    noise = os.urandom(3 * MIB)
    assert inflated(zlib.compress(noise)) == noise


def test_commas_in_texts_are_no_values() -> None:
    """A large text is one value, whatever is in it."""
    text = json.dumps({"input": ",[{:" * 2_000_000, "escaped": '\\",' * 2_000_000})
    assert len(from_json(text)["input"]) == 8_000_000
    assert len(from_literal(repr(["1, 2, 3, 4, 5 " * 100_000]))[0]) == 1_400_000
    source = f"x = {'a, ' * 300_000!r}\n"
    assert from_source(source).body


def test_what_is_read_of_one_reference_counts_together() -> None:
    """And another reference begins anew."""
    some = "[" + "0," * 2_000_000 + "0]"

    def thrice() -> None:
        from_json(some)
        assert one_reference(from_json, some)[1].weight > 4_000_000 * 100
        with pytest.raises(ExpansionError, match="more than 5000000 values"):
            one_reference(from_json, some)

    one_reference(thrice)
    assert len(from_json(some)) == 2_000_001


def test_what_is_kept_stays_within_its_bytes() -> None:
    kept = Kept[int](100)
    for number in range(50):
        kept.put(number, number, 30)
    assert [number for number in range(50) if kept.get(number) is not None] == [47, 48, 49]
    kept.put(47, 4, 90)
    assert (kept.get(47), kept.get(49)) == (4, None)
    kept.put("large", 1, 101)
    assert kept.get("large") is None


def test_a_child_keeps_nothing_and_no_lock() -> None:
    """Another thread may have held it at the fork."""
    kept = Kept[int](100)
    kept.put("a", 1, 1)
    taken, over = threading.Event(), threading.Event()

    def hold() -> None:
        with kept._lock:
            taken.set()
            over.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if kept.get("a") is None else 1)
    over.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert kept.get("a") == 1


READS: dict[str, Callable[[str], Any]] = {"JSON": from_json, "literal": from_literal, "source": from_source}


@pytest.mark.parametrize("name", READS)
@pytest.mark.parametrize("text", ["", "(", "[1", "\x00", "{1: 2", "'", "nan nan"])
def test_what_is_wrong_is_a_value_error_or_one_of_syntax(name: str, text: str) -> None:
    if name == "source" and not text:
        return
    with pytest.raises((ValueError, SyntaxError)):
        READS[name](text)
