"""Our frozen dataclasses are those of the standard library, by all that can be seen of them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from verifiers.runtime import records

Maker = Callable[..., Callable[[type], type]]


def _plain(maker: Maker, **options: bool) -> type:
    @maker(frozen=True, **options)
    class Each:
        one: int
        two: str = "b"
        three: list[int] = field(default_factory=list, compare=False)
        four: int = field(default=4, init=False, repr=False)

    return Each


def _single(maker: Maker, **options: bool) -> type:
    @maker(frozen=True, **options)
    class Each:
        one: Any

        def __post_init__(self) -> None:
            if self.one is None:
                raise ValueError("none")

    return Each


def _own(maker: Maker, **options: bool) -> type:
    @maker(frozen=True, **options)
    class Each:
        one: Any

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

    return Each


def _derived(maker: Maker, **options: bool) -> type:
    @maker(frozen=True, **options)
    class Base:
        one: Any

    @maker(frozen=True, **options)
    class Each(Base):
        two: int = 2

    return Each


def _said(work: Callable[[], object]) -> object:
    """What comes of it: an error by its kind, and by its words where we choose them."""
    try:
        return work()
    except dataclasses.FrozenInstanceError as error:
        return str(error)
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("options", [{}, {"slots": True}, {"eq": False}, {"repr": False}, {"kw_only": True}])
@pytest.mark.parametrize("made", [_plain, _single, _own, _derived])
def test_they_do_what_the_standard_ones_do(
    made: Callable[..., Any], options: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = (made(each, **options) for each in (records.dataclass, dataclasses.dataclass))
    arguments: list[dict[str, Any]] = [{"one": 1}, {"one": 2}, {"one": []}, {"one": None}, {}, {"five": 5}]
    seen = []
    for kind in (ours, theirs):
        monkeypatch.setitem(globals(), "Each", kind)
        kind.__qualname__ = "Each"
        found: list[object] = [
            [(each.name, each.init) for each in dataclasses.fields(kind)],
            kind.__match_args__,
        ]
        for given in arguments:
            try:
                each, other = kind(**given), kind(**given)
            except (TypeError, ValueError) as error:
                found.append(type(error))
                continue
            found += [
                each == other, each != kind(one=7), each == 1, _said(lambda: hash(each) == hash(other)),  # noqa: B023
                repr(each).partition(" object at")[0], dataclasses.asdict(each),
                _said(lambda: setattr(each, "one", 3)), _said(lambda: delattr(each, "one")),  # noqa: B023
                # What is no field: theirs with slots says something else, for it looks in the class without.
                "slots" in options or _said(lambda: setattr(each, "more", 3)),  # noqa: B023
                dataclasses.replace(each, one=5).one,
                copy.copy(each).one, copy.deepcopy(each).one, pickle.loads(pickle.dumps(each)).one,
                dataclasses.astuple(kind("positional")) if "kw_only" not in options else None,
            ]  # fmt: skip
            if options.get("eq", True) and made is not _own and given["one"]:
                found.append(hash(each))
        seen.append(found)
    assert seen[0] == seen[1]
