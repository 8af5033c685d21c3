"""Laws of the bridge, with both ends in one process: values arrive as what they are, and no message is believed."""

from __future__ import annotations

import io
import json
import os
import threading
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import HANG, examples
from verifiers.code.jail.bridge.link import Link
from verifiers.code.jail.bridge.rules import TestsError

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None, exclude_categories=()), max_size=8)
    | st.binary(max_size=8)
    | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False)
    | st.fractions()
    | st.dates()
    | st.datetimes()
    | st.timedeltas()
)
_KEYS = st.booleans() | st.integers() | st.text(max_size=4) | st.tuples(st.integers(), st.text(max_size=2))
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(_KEYS, inner, max_size=3)
        | st.sets(_KEYS, max_size=3)
        | st.frozensets(_KEYS, max_size=3)
        | st.lists(inner, max_size=3).map(deque)
        | st.dictionaries(_KEYS, inner, max_size=3).map(OrderedDict)
        | st.dictionaries(_KEYS, inner, max_size=3).map(lambda each: defaultdict(list, each))
        | st.lists(_KEYS, max_size=3).map(Counter)
        | st.binary(max_size=4).map(bytearray)
    ),
    max_leaves=12,
)


def _alike(one: Any, other: Any) -> bool:
    """Equality with types, at any depth."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            _alike(key, twin) and _alike(one[key], other[twin]) for key, twin in zip(one, other, strict=True)
        )
    if isinstance(one, list | tuple | deque):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


class _Program:
    """The other end, in a thread."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def echo(self, value: Any) -> Any:
        return value

    def keep(self, value: Any) -> None:
        self.kept.append(value)


@pytest.fixture
def tests_end() -> Iterator[tuple[Link, _Program]]:
    there_read, here_write = os.pipe()
    here_read, there_write = os.pipe()
    program = _Program()
    requests = os.fdopen(there_read, "rb")
    far = Link(
        requests,
        there_write,
        strict=False,
        handlers={"echo": program.echo, "keep": program.keep},
    )

    def serve() -> None:
        try:
            while far.serve():
                pass
        except TestsError:
            pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with os.fdopen(here_read, "rb") as answers:
        yield Link(answers, here_write, strict=True), program
        os.close(here_write)
        thread.join(HANG)
    requests.close()
    os.close(there_write)


def test_values_cross_as_what_they_are(tests_end: tuple[Link, _Program]) -> None:
    """There and back, with their types, and a container comes back as itself."""
    link, _ = tests_end

    @given(_VALUES)
    @settings(max_examples=examples(60), deadline=None)
    def holds(value: Any) -> None:
        found = link.ask("echo", value)
        assert _alike(found, value)
        if isinstance(value, list | dict | set | deque | bytearray):
            assert found is value

    holds()


def test_examples_cross(tests_end: tuple[Link, _Program]) -> None:
    """Values that are easily mistaken for others."""
    link, _ = tests_end
    for value in [
        1.0, True, -0.0, 1 << 70, float("inf"), Decimal("1.10"), Fraction(3), date(2020, 2, 29), datetime(2020, 1, 1),
        timedelta(1), range(3), ..., NotImplemented, type(None), int, ValueError, slice(1, None), b"\xff", "\ud800",
        (1, [2, {3: {4}}]), frozenset({frozenset()}),
    ]:  # fmt: skip
        assert _alike(link.ask("echo", [value]), [value]), value


def test_both_hold_one_list(tests_end: tuple[Link, _Program]) -> None:
    """What either side changes, at any depth, the other sees; what nobody keeps is forgotten."""
    link, program = tests_end

    @given(st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.integers(0, 9)), max_size=8))
    @settings(max_examples=examples(60), deadline=None)
    def holds(steps: list[tuple[bool, int, int]]) -> None:
        program.kept.clear()
        mine: list[Any] = [[0], {"a": [1]}, deque([2])]
        link.ask("keep", mine)
        [theirs] = program.kept
        for here, place, number in steps:
            target = (mine if here else theirs)[place]
            if isinstance(target, dict):
                target["a"].append(number)
            else:
                target.append(number)
            link.ask("echo", 0)
            assert mine == theirs
        program.kept.clear()
        del theirs
        link.ask("echo", 0)
        link.ask("echo", 0)

    holds()


_TAGS = st.sampled_from(
    [*"mhyYCXREGeMoKAtzivfcbrT", "n", "c", "d", "v", "x", "s", "q", "u", "of", "is", "k", "a", "f"]
)
_MESSAGES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.sampled_from(["l", "d", "A", "instance", "int", "types", "__eq__"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TAGS, inner, max_size=4),
    max_leaves=14,
)
_WANTED = "what the tests want"


@given(st.lists(_MESSAGES | _MESSAGES.map(lambda value: {"v": value}), min_size=1, max_size=3))
@settings(max_examples=examples(150), deadline=None)
def test_no_message_equals_what_is_wanted(messages: list[Any]) -> None:
    """Whatever a program writes: it is data, an object that equals nothing, or an error."""
    lines = "".join(json.dumps(each) + "\n" for each in messages)
    with open(os.devnull, "wb") as nowhere:
        link = Link(io.BytesIO(lines.encode()), nowhere.fileno(), strict=True)
        try:
            found = link.ask("named", "f")
        except (RuntimeError, TestsError):  # it is no answer, or the program has ended
            return
        try:
            same = found == _WANTED
        except TestsError:  # an object whose program can no longer be asked
            return
        assert same is False


@pytest.mark.parametrize("data", [None, True, 0, 1.5, "", "what the tests", [], [_WANTED], _WANTED])
def test_data_is_compared_as_data(data: Any) -> None:
    """The law above would hold, too, if every answer was refused."""
    with open(os.devnull, "wb") as nowhere:
        link = Link(io.BytesIO(json.dumps({"v": data}).encode() + b"\n"), nowhere.fileno(), strict=True)
        found = link.ask("named", "f")
    assert _alike(found, data)
    assert (found == _WANTED) is (data == _WANTED)
