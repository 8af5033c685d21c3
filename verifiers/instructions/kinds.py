"""Kinds of instructions, and the registry of all of them.

A kind is a frozen dataclass whose fields are the instruction's parameters, under the names that the public
sets give them::

    @KINDS.register
    @kind("length_constraints:number_words")
    class NumberOfWords(Kind):
        relation: str = "at least"
        num_words: int = REQUIRED

        def judge(self, text: Text) -> Outcome: ...
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from ..core.checks import MisfitError, field_types, fit
from ..core.component import Component
from ..core.registry import Registry
from ..errors import ConfigError, nearest
from ..language.instruction_words import RELATIONS
from .counted_texts import Piece, Text

K = TypeVar("K", bound="Kind")
REQUIRED: Any = None
"""The default of a parameter without which an instruction says nothing."""
LANGUAGES = ("en", "fr", "es", "ja", "ko", "zh", "de", "it", "pt")
"""Codes that may stand before an id, as in ``fr:punctuation:no_comma``."""
AROUND = 0.1
"""The share by which a count may miss a number that it is to be around."""


class Outcome(NamedTuple):
    """Outcome of one instruction.

    Args:
        followed: Whether the response follows it; None if that cannot be told.
        said: Counted or found values, for a person: "3 of at least 5 sentences".
        span: Place of the first thing that matters in the response, if any.
        reason: Another reason than ``followed`` and ``not_followed``.
    """

    followed: bool | None
    said: str = ""
    span: tuple[int, int] | None = None
    reason: str = ""


@dataclass(frozen=True, repr=False)
class Kind(Component):
    """One kind of instruction. Its fields are the parameters; `judge` says whether a response follows it."""

    ids: ClassVar[tuple[str, ...]] = ()
    """Names in the public sets, without a language in front."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """Parameters that may be missing although they have no default that says something."""

    def unusable(self, language: str, official: bool) -> str:
        """Why no response can be judged by it; "" if responses can.

        Args:
            language: The language of the instruction.
            official: Whether it is counted as the official graders do.
        """
        return ""

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        """The packages of the extra `instructions` that it counts with."""
        return ()

    def judge(self, text: Text) -> Outcome:
        """Return whether a response follows the instruction.

        Args:
            text: The response, with the language and the way of counting.
        """
        raise NotImplementedError(f"{type(self).__name__} must implement judge(text)")


@dataclass_transform(frozen_default=True)
def kind(*ids: str) -> Callable[[type[K]], type[K]]:
    """Make a class a kind.

    Args:
        ids: Ids in the public datasets, without a language in front.
    """

    def made(cls: type[K]) -> type[K]:
        cls.ids = ids
        return dataclass(frozen=True, repr=False)(cls)

    return made


KINDS: Registry[Kind] = Registry(
    "KINDS", Kind, "reward_verifiers.verifiers", entry_points="reward_verifiers.instructions"
)


class Misread(NamedTuple):
    """Why an instruction could not be read.

    Args:
        reason: ``unknown_kind`` or ``bad_parameters``.
        said: A sentence for a person.
    """

    reason: str
    said: str


@functools.cache
def kinds_by_id() -> dict[str, str]:
    """The names of the classes, by id: those of this package and of other distributions."""
    for module in sorted(set(KINDS.homes().values())):
        importlib.import_module(module)
    return {each: name for name in KINDS.names() for each in KINDS.get(name).ids}


def split_id(given: str) -> tuple[str, str]:
    """The language and the kind of an id.

    >>> split_id("fr:punctuation:no_comma"), split_id("punctuation:no_comma")
    (('fr', 'punctuation:no_comma'), ('', 'punctuation:no_comma'))
    """
    language, _, rest = given.partition(":")
    return (language, rest) if language in LANGUAGES else ("", given)


def read_kind(given: str, parameters: dict[str, Any]) -> tuple[str, Kind] | Misread:
    """An instruction by its id, or the name of its class, and its parameters; nulls are none.

    Returns:
        The language in front of the id ("" without one) and the kind; or why it is none.
    """
    language, name = split_id(given)
    table = kinds_by_id()
    # Kinds of one language are found by either name, as the sets write both.
    found = table.get(f"{language}:{name}") or table.get(name) or (name if name in KINDS else None)
    if found is None:
        return Misread("unknown_kind", f"there is no kind of instruction {given!r}{nearest(name, table)}")
    kind = KINDS.get(found)
    names = {field.name for field in fields(kind)}
    hints = field_types(kind)
    taken = {}
    for key, value in parameters.items():
        if value is None or key not in names:
            continue
        try:
            taken[key] = fit(_plain(value), hints[key])
        except MisfitError as problem:
            return Misread("bad_parameters", f"{given}: {key} must be {problem.wanted}, got {value!r:.80}")
    missing = [
        field.name
        for field in fields(kind)
        if field.default is REQUIRED and field.name not in taken and field.name not in kind.optional
    ]
    if missing:
        return Misread(
            "bad_parameters", f"{given} needs {', '.join(missing)}, and the row gives no such value"
        )
    for key, value in taken.items():
        if said := _empty_or_unknown(key, value, kind):
            return Misread("bad_parameters", f"{given}: {said}")
    try:
        return language, kind(**taken)
    except ConfigError as problem:
        return Misread("bad_parameters", str(problem))


def _empty_or_unknown(name: str, value: Any, kind: type[Kind]) -> str:
    """Return the fault of a parameter of the right type; "" if there is none."""
    if name.endswith("relation") and value and value.strip().lower() not in RELATIONS:
        return f"there is no {name} {value!r:.60}{nearest(value, RELATIONS)}"
    needed = getattr(kind, name, None) is REQUIRED
    texts = [value] if isinstance(value, str) else value if isinstance(value, tuple) else ["-"]
    if needed and not (texts and all(not isinstance(each, str) or each.strip() for each in texts)):
        return f"{name} is empty"
    return ""


def _plain(value: Any) -> Any:
    """Whole numbers, which some sets write as 13.0, as what they are; lists as tuples."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return tuple(map(_plain, value)) if isinstance(value, list) else value


def compared(count: int, relation: str, wanted: int) -> bool:
    """Compare a count with a number by a relation, in any of the languages of the sets.

    >>> compared(3, "al menos", 3), compared(3, "less than", 3), compared(11, "around", 10)
    (True, False, True)
    """
    name = relation_of(relation)
    return {
        "at least": count >= wanted,
        "at most": count <= wanted,
        "less than": count < wanted,
        "more than": count > wanted,
        "exactly": count == wanted,
        "around": abs(count - wanted) <= max(round(wanted * AROUND), 1),
    }[name]


def relation_of(relation: str) -> str:
    """The English name of a relation.

    Raises:
        ConfigError: There is no such relation.
    """
    name = RELATIONS.get(relation.strip().lower())
    if name is None:
        raise ConfigError(f"there is no relation {relation!r}{nearest(relation, RELATIONS)}")
    return name


def counted(
    count: int, relation: str, wanted: int, what: str, first: tuple[int, int] | None = None
) -> Outcome:
    """The outcome of an instruction that compares a count.

    >>> counted(3, "at least", 5, "sentences").said
    '3 of at least 5 sentences'
    """
    return Outcome(
        compared(count, relation, wanted), f"{count:,} of {relation_of(relation)} {wanted:,} {what}", first
    )


def exactly(count: int, wanted: int, what: str, first: tuple[int, int] | None = None) -> Outcome:
    """The outcome of an instruction that wants one number."""
    return counted(count, "exactly", wanted, what, first)


def absent(found: Piece | None, what: str) -> Outcome:
    """The outcome of an instruction that forbids something, of which the first one was looked for."""
    if found is None:
        return Outcome(True, f"no {what}")
    return Outcome(False, f"{what}: {found.text!r:.60}", (found.start, found.end))


def present(found: Piece | None, what: str) -> Outcome:
    """The outcome of an instruction that asks for something, of which the first one was looked for."""
    if found is None:
        return Outcome(False, f"no {what}")
    return Outcome(True, f"{what}: {found.text!r:.60}", (found.start, found.end))
