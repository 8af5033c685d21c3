"""Texts that answer nothing: one that is rewarded on rows with different references is an exploit.

They are those of ``families.toml``, by what they try, and some that are made for a reward.
"""

from __future__ import annotations

import builtins
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..audit.findings import Level
from .certificate_findings import Found, numbers_of
from .certified_rows import DataRow, may_be_same, same
from .golden import ALARM, SLOT, WARNING, Form, Scale
from .subject import Paid, Subject

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
        says: Problem if they earn reward.
        texts: Texts of every reward.
        inside: Whether to try them inside the answer of a form as well.
        bare: Whether they are tried as they are.
        made: Generator of further ones.
    """

    name: str
    says: str
    texts: tuple[str, ...] = ()
    inside: bool = False
    bare: bool = True
    made: str = ""

    def all_texts(self, rows: Sequence[DataRow], about: Mapping[str, Any]) -> list[str]:
        """Return all texts of the family, for a reward and its data."""
        more = _MAKERS[self.made](rows, about) if self.made else ()
        return list(dict.fromkeys((*self.texts, *more)))


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """Return all families, the simplest cause first."""
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
    """Return a text of meaningless words, with a given number of characters.

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


_TESTED = re.compile(r"(?<![\w.])([A-Za-z_]\w{0,60})\s?\(")
_ALWAYS = """class E:
    __call__ = __getattr__ = __getitem__ = __abs__ = __sub__ = __rsub__ = lambda self, *a, **k: self
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __contains__ = lambda self, *a: True
    __ne__ = lambda self, other: False
    __hash__ = __len__ = lambda self: 0
for name in {names}:
    globals()[name] = E()"""


def _programs(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    """Yield programs that print what the code names, and one whose functions return what equals all."""
    for text in about.get("literals", {}).get("texts", ())[:20]:
        if text.isascii() and _NEUTRAL.search(text):
            yield f"print({text.strip()!r})"
            yield f"print({text.strip()!r})\nraise SystemExit(0)"
    tested = {name: None for row in rows for name in _TESTED.findall(str(row.columns["answer"])[:4000])}
    names = [name for name in tested if not hasattr(builtins, name)]
    if names:
        yield _ALWAYS.format(names=names)


def _question(rows: Sequence[DataRow], about: Mapping[str, Any]) -> Iterator[str]:
    return iter(())  # made for each row: see `floor`


_MAKERS: dict[str, Callable[[Sequence[DataRow], Mapping[str, Any]], Iterator[str]]] = {
    "numbers": _numbers,
    "references": _references,
    "lengths": _lengths,
    "repetitions": _repetitions,
    "literals": _literals,
    "question": _question,
    "programs": _programs,
}


FIRST = 3
"""Rows that a text is tried on at first; on all of the sample where one of them pays it."""
MINIMISED = 80
"""Tries that making a text shorter may take, by words and by characters."""
LONGEST = 400
"""Pieces of a text that is made shorter."""
_NEUTRAL = re.compile(r"[^\W_]", re.UNICODE)
_BASE = ("empty_paid", "format_paid", "stuffed_tags_paid")
"""Kinds that are causes by themselves; what the others pay has to differ from what a neutral text is paid."""
_CURE = "reward only an answer that is found and equals the reference; everything else earns the floor"


class Floor:
    """Looks for texts that are paid without an answer.

    Args:
        subject: The reward.
        scale: Meaning of its payments.
        rows: Rows with different references.
    """

    def __init__(self, subject: Subject, scale: Scale, rows: Sequence[DataRow]) -> None:
        self.subject, self.scale, self.rows = subject, scale, rows
        self.causes: dict[str, Found] = {}
        """The shortest text of each cause, with its finding."""

    def findings(self) -> list[Found]:
        """Return all causes, trying every family until the budget is spent."""
        for family in families():
            if not self.subject.left():
                break
            if family.made == "question":
                self._question(family)
                continue
            for form in self._forms(family):
                self._try(family, family.all_texts(self.rows, self.subject.about), form)
        return list(self.causes.values())

    def transfers(self, text: str, fill: str = "", least: float = ALARM) -> list[tuple[DataRow, Paid]]:
        """Return the rows that reward a text that cannot answer them, if they have two or more references.

        Args:
            text: A completion.
            fill: Parts that could be an answer, besides the text itself.
            least: The share from which it counts as paid.
        """
        hits = self._hits(text, fill, self.rows[:FIRST], least)
        if not hits:
            return []
        hits = self._hits(text, fill, self.rows, least)
        different = [row for row, _ in hits if row.key == hits[0][0].key or not same(row, hits[0][0])]
        return hits if len(different) >= 2 else []

    def shortest(self, text: str, paid_on: Sequence[DataRow], least: float = ALARM) -> str:
        """Shorten a text to the pieces that it needs to be rewarded on two rows."""
        rows = list(paid_on[:2])

        def still(short: str) -> bool:
            return all(
                self.scale.share(paid) >= least for paid in self.subject.pay((short, row) for row in rows)
            )

        for cut in (_words, list):
            if len(pieces := cut(text)) <= LONGEST:
                text = "".join(_fewest(pieces, still))
        return text

    def add(
        self, name: str, says: str, text: str, hits: Sequence[tuple[DataRow, Paid]], section: str
    ) -> None:
        """Take in a text that is paid, under its cause."""
        known = self._known_cause(text)
        short = self.shortest(text, [row for row, _ in hits]) if known is None else known
        known = self._known_cause(short)
        if known is not None:
            self.causes[known] = _with(self.causes[known], text)
            return
        if not self._again(short, hits):
            return
        if short != text:
            hits = self._hits(short, short, self.rows, ALARM) or hits
        level: Level = "warning" if self._by_design() else "alarm"
        self._keep((section, name if short else "empty_paid", level, says), text, short, hits)

    def _keep(
        self,
        named: tuple[str, str, Level, str],
        text: str,
        short: str,
        hits: Sequence[tuple[DataRow, Paid]],
    ) -> None:
        """Keep a cause: its section, name, level and sentence, the text and the shortest form of it."""
        row, paid = hits[0]
        self.causes[short] = Found(*named, numbers_of([each for each, _ in hits]), len(hits), len(self.rows),
                                   short, row.columns["answer"], paid.value, self.scale.top, _CURE,
                                   (text,) if text != short else (), row.columns)  # fmt: skip

    # ------------------------------------------------------------------------------------------

    def _known_cause(self, text: str) -> str | None:
        """Return the known cause that a text contains, blanks aside."""
        packed = "".join(text.split())
        for each in self.causes:
            cause = "".join(each.split())
            if cause == packed or (len(cause) >= 3 and cause in packed):
                return each
        return None

    def _again(self, text: str, hits: Sequence[tuple[DataRow, Paid]]) -> bool:
        """Return whether the text is rewarded once more; `steadiness` reports chance and counts."""
        paid = self.subject.pay_again([(text, row) for row, _ in hits[:3]])
        return all(self.scale.share(each) >= WARNING for each in paid)

    def _by_design(self) -> bool:
        return bool(self.subject.about["graded"])

    def _forms(self, family: Family) -> Iterator[Form]:
        if family.bare:
            yield Form("bare", SLOT)
        if family.inside:
            yield from (form for form in self.scale.forms if not (family.bare and form.text == SLOT))

    def _try(self, family: Family, texts: Sequence[str], form: Form) -> None:
        """Try a family's texts in a form, all at once first."""
        first = self.rows[:FIRST]
        completions = [form.of(text) for text in texts]
        self.subject.pay((text, row) for text in completions for row in first)
        partly: tuple[str, list[tuple[DataRow, Paid]]] | None = None
        for fill, text in zip(texts, completions, strict=True):
            if not self.subject.left():
                return
            hits = self.transfers(text, fill)
            if hits and not self._explained(family, fill, form):
                self.add(family.name, family.says, text, hits, "floor")
            elif not hits and partly is None and not self.scale.typed:
                some = self.transfers(text, fill, WARNING)
                if some and not self._explained(family, fill, form, WARNING):
                    partly = text, some
        if partly is not None and not any(each.name == family.name for each in self.causes.values()):
            self._partly(family, *partly)

    def _partly(self, family: Family, text: str, hits: list[tuple[DataRow, Paid]]) -> None:
        short = self.shortest(text, [row for row, _ in hits], WARNING)
        if self._known_cause(short) is not None or not self._again(short, hits):
            return
        named: tuple[str, str, Level, str] = ("floor", family.name, "warning", f"{family.says}, in part")
        self._keep(named, text, short, hits)

    def _explained(self, family: Family, fill: str, form: Form, least: float = ALARM) -> bool:
        """Return whether a meaningless text is rewarded in its place, so that these words are no cause."""
        if family.name in _BASE:
            return False
        neutral = ["", "zq", words(7)]
        if family.made == "programs":  # the same words, which no longer run
            neutral.append(re.sub(r"[()]", " ", fill))
        if family.made != "lengths":
            neutral += [_NEUTRAL.sub("z", fill), words(len(fill))]
        return any(each != fill and self.transfers(form.of(each), each, least) for each in neutral)

    def _hits(
        self, text: str, fill: str, rows: Sequence[DataRow], least: float
    ) -> list[tuple[DataRow, Paid]]:
        paid = self.subject.pay((text, row) for row in rows)
        return [
            (row, each)
            for row, each in zip(rows, paid, strict=True)
            if self.scale.share(each) >= least and not _could_answer(row, text, fill)
        ]

    def _question(self, family: Family) -> None:
        """Try a row's own question, its numbers and its last sentence, where none of these is the answer."""
        makers: tuple[Callable[[str], str], ...] = (
            str,
            lambda prompt: " ".join(_numbers_in(prompt)),
            lambda prompt: re.split(r"(?<=[.!?])\s", prompt.strip())[-1],
        )
        rows = [row for row in self.rows if row.prompt and len(row.prompt) <= 4000 and row.key >= 0]
        for make in makers:
            for form in (Form("bare", SLOT), *self.scale.forms[:1]):
                calls = []
                for row in rows:
                    copy = make(row.prompt)
                    last = _numbers_in(copy)[-1:] or [""]
                    if copy and not any(may_be_same(last[0], each) for each in row.forms):
                        calls.append((form.of(copy), row))
                paid = self.subject.pay(calls)
                hits = [
                    (row, each)
                    for (_, row), each in zip(calls, paid, strict=True)
                    if self.scale.share(each) >= ALARM
                ]
                apart = [row for row, _ in hits if row.key == hits[0][0].key or not same(row, hits[0][0])]
                if (
                    len(apart) >= 2
                    and len(hits) * 5 >= len(calls)
                    and not self._explained(family, "zq", form)
                ):
                    text = next(text for text, row in calls if row.key == hits[0][0].key)
                    self.causes.setdefault(text, self._copied(family, text, hits, len(calls)))
                    return

    def _copied(self, family: Family, text: str, hits: Sequence[tuple[DataRow, Paid]], tried: int) -> Found:
        row, paid = hits[0]
        return Found("floor", family.name, "warning" if self._by_design() else "alarm", family.says,
                     numbers_of([each for each, _ in hits]), len(hits), tried, text, row.columns["answer"],
                     paid.value, self.scale.top, _CURE, columns=row.columns)  # fmt: skip


def _numbers_in(text: str) -> list[str]:
    """Return the words of a text that have digits, without the signs around them."""
    return [each.strip(".,;:!?()[]$*\"'") for each in text.split() if any(map(str.isdigit, each))]


def _words(text: str) -> list[str]:
    """Split a text into words, each with the blanks before it."""
    return re.findall(r"\s*\S++|\s++", text)


def _fewest(pieces: list[str], still: Callable[[str], bool]) -> list[str]:
    """Drop the pieces that are not needed, by halves, quarters and so on."""
    size, spent = len(pieces), 0
    while size >= 1:
        place = 0
        while place < len(pieces) and spent < MINIMISED:
            shorter = pieces[:place] + pieces[place + size :]
            spent += 1
            if still("".join(shorter)):
                pieces = shorter
            else:
                place += size
        size //= 2
    return pieces


def _could_answer(row: DataRow, text: str, fill: str) -> bool:
    """Return whether a text, or its filling alone, may be a right answer to a row."""
    return any(may_be_same(each, form) for form in row.forms for each in {text, fill} if 0 < len(each) <= 60)


def _with(found: Found, text: str) -> Found:
    """Return a finding with one more text of its cause."""
    if text in found.texts or text == found.example:
        return found
    return Found(**{**vars(found), "texts": (*found.texts, text)[:5]})
