"""The texts that no reward should pay, by what they try: of ``families.toml``, and made for a reward."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..rows import DataRow

_FILE = Path(__file__).with_name("families.toml")
_LENGTHS = (20, 60, 150, 400, 1000, 2500, 6000)
_WORDS = (
    "the garden was quiet and the old clock in the hall went on while people talked about small things "
    "that nobody would remember in the evening when rain came over the hills and lamps were lit "
).split()


@dataclass(frozen=True)
class Family:
    """Texts of one kind.

    Args:
        name: The finding's.
        says: What is wrong where they are paid.
        texts: Of every reward.
        inside: Whether they are tried as the answer in a form, too.
        bare: Whether they are tried as they are.
        made: What makes further ones.
    """

    name: str
    says: str
    texts: tuple[str, ...] = ()
    inside: bool = False
    bare: bool = True
    made: str = ""

    def all_texts(self, rows: Sequence[DataRow], about: Mapping[str, Any]) -> list[str]:
        """All of them, for a reward and its data."""
        more = _MAKERS[self.made](rows, about) if self.made else ()
        return list(dict.fromkeys((*self.texts, *more)))


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """All kinds, the simplest cause first."""
    with _FILE.open("rb") as file:
        data = tomllib.load(file)
    return tuple(
        Family(
            name,
            each["says"],
            tuple(each.get("texts", ())),
            each.get("inside", False),
            each.get("bare", True),
            each.get("made", ""),
        )
        for name, each in data.items()
    )


def words(length: int) -> str:
    """A text of words that say nothing, of a number of characters.

    >>> len(words(100)), words(10)
    (100, 'the garden')
    """
    text = " ".join(_WORDS)
    return (text + " ") * (length // len(text)) + text[: length % (len(text) + 1)] if length else ""


def _numbers(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    for end, step in ((10, 1), (100, 1), (1000, 1)):
        yield ", ".join(map(str, range(0, end + 1, step)))
    yield " ".join(map(str, range(201)))
    yield " or ".join(map(str, range(31)))
    yield "".join(map(str, range(301)))
    yield "0123456789"


def _references(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    kinds: dict[str, list[str]] = {}
    for row in rows:
        if 0 < len(row.plain) <= 60:
            kinds.setdefault(row.kind, []).append(row.plain)
    for plain in kinds.values():
        if len(plain) > 1:
            yield from (mark.join(dict.fromkeys(plain)) for mark in (" ", ", ", " or ", "\n", " and "))


def _lengths(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    own = about.get("literals", {}).get("lengths", ())
    for length in sorted({*_LENGTHS, *(each + 1 for each in own), *(each - 1 for each in own)}):
        yield words(length)
        if length < 400:
            yield "a " * length
    yield "\n".join(f"Step {each}: {words(30)}." for each in range(1, 13))


def _repetitions(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    for phrase in ("very ", "step by step ", "a", "Wait, let me check again. ", "therefore "):
        yield phrase * 40
        yield phrase * 400


def _literals(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    texts = about.get("literals", {}).get("texts", ())
    yield from texts
    for text in texts:
        if text.rstrip().endswith((":", "=")):
            yield from (
                f"{text.rstrip()} {each}" for each in ("1", "1.0", "10", "yes", "true", "correct", "A")
            )
    together = " ".join(texts)
    yield together
    yield f"{together} " * 3
    yield f"{together} " * 3 + words(600)


def _question(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    return iter(())  # made for each row: see `floor`


_MAKERS: dict[str, Callable[[Sequence[DataRow], Mapping[str, Any]], Iterator[str]]] = {
    "numbers": _numbers,
    "references": _references,
    "lengths": _lengths,
    "repetitions": _repetitions,
    "literals": _literals,
    "question": _question,
}
