"""Traits counted in a completion of any subject, and the columns kept of a reward's parts."""

from __future__ import annotations

import math
import re
import string
import zlib
from array import array
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from reward_verifiers.verifiers.reading.prose import is_number
from reward_verifiers.verifiers.reading.prose import numbers as numbers_in
from reward_verifiers.verifiers.runtime.records import dataclass

from .findings import MOST_ROWS

LONGEST = 20_000
"""Characters of a completion that are looked at: its first and last halves of this."""
_TAG = re.compile(r"</?[A-Za-z][\w-]{0,30}>")
SCRIPTS = ("hangul", "han", "kana", "latin", "cyrillic")
_RUNS = tuple(
    re.compile(f"[{letters}]+")
    for letters in (
        "가-힣ㄱ-ㅎㅏ-ㅣ",
        "\u4e00-\u9fff\u3400-\u4dbf",
        "\u3040-\u30ff",
        "\u00c0-\u024f",
        "\u0400-\u04ff",
    )
)
"""Letters of each script beyond ASCII."""
_ASCII = bytes(range(128))
_ASCII_LETTERS = string.ascii_letters.encode()
_FEWEST_LETTERS = 20
"""Letters without which nothing is said about the language of a text."""
_ENDING = 300
"""Characters at the end in which the last number is looked for."""
_NEVER = 'A-DF-Zjwyz=:;!?"\\[\\]*#'
"""Signs that no number has, not even in words, but for a fraction in TeX."""
_DIGIT = r"[^\x00-/:-~]"
"""What every number has one of: a digit, or a sign beyond ASCII."""
_NEXT, _UP_TO = re.compile(f"[{_NEVER}]"), re.compile(f".*(?=[{_NEVER}])", re.DOTALL)
_LAST_PIECE = re.compile(rf".*([{_NEVER}](?=[^{_NEVER}]*?{_DIGIT})[^{_NEVER}]++[{_NEVER}]?)", re.DOTALL)
_LATIN_ALONE = tuple(float(name == "latin") for name in SCRIPTS)


@dataclass(frozen=True, slots=True)
class Traits:
    """Traits counted in a completion.

    Args:
        tags: Tags such as ``<answer>``.
        repeated: The share of the text that a compressor saves beyond what it saves on ordinary text, 0 to 1;
            NaN where nobody follows it.
        scripts: The share of letters in each of `SCRIPTS`; empty for a text with hardly any letters.
        last: The last number at the end of it, or its last letters and digits where there is none.
    """

    tags: int
    repeated: float
    scripts: tuple[float, ...]
    last: str


def traits_of(text: str, followed: bool = True) -> Traits:
    """Count the traits of a text.

    Args:
        text: A completion.
        followed: Whether repetition is followed over steps: to measure it takes as long as to read the row.

    >>> traits_of("<a>1</a><a>2</a>").tags, traits_of("so it is 3/4.").last
    (4, '3/4')
    """
    if len(text) > LONGEST:
        text = text[: LONGEST // 2] + text[-LONGEST // 2 :]
    repeated = _repeated(text) if followed else NAN
    return Traits(len(_TAG.findall(text)), repeated, _scripts(text), last_value(text))


def main_script(text: str) -> str:
    """Return the script of most letters of a prompt; empty where it has hardly any letters.

    >>> main_script("12 더하기 35는 얼마입니까? x와 y는 쓰지 마십시오. 답만 간단히 적으세요.")
    'hangul'
    """
    shares = _scripts(text[-LONGEST:])
    return max(zip(shares, SCRIPTS, strict=True))[1] if shares else ""


def _scripts(text: str) -> tuple[float, ...]:
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) == len(text):
        return _LATIN_ALONE if len(raw) - len(raw.translate(None, _ASCII_LETTERS)) >= _FEWEST_LETTERS else ()
    # Without signs and blanks between them the letters of a script stand in few runs.
    beyond = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    counts = [sum(map(len, runs.findall(beyond))) for runs in _RUNS]
    counts[SCRIPTS.index("latin")] += len(raw) - len(raw.translate(None, _ASCII_LETTERS))
    letters = sum(counts)
    return tuple(count / letters for count in counts) if letters >= _FEWEST_LETTERS else ()


def last_value(text: str) -> str:
    """Return the last number in a text, or its last letters and digits where there is none."""
    ending = text[-_ENDING:]
    piece = None if "\\" in ending else _LAST_PIECE.match(ending)
    found = (numbers_in(piece[1]) if piece is not None else []) or numbers_in(ending)
    if found:
        return found[-1].group().replace(",", "")
    return "".join(each for each in ending[-60:].casefold() if each.isalnum())[-20:]


def stands_in(value: str, text: str) -> bool:
    """Return whether a text contains a value as a whole, not as part of a longer number or word.

    >>> stands_in("672", "I get 672."), stands_in("72", "I get 672 or 72.5"), stands_in("1234", "all 1,234")
    (True, False, True)
    >>> stands_in("Paris", "It is Paris."), stands_in("art", "a party")
    (True, False)
    """
    value, text = value.strip(), text[-LONGEST:]
    if not value or len(value) > _ENDING:
        return False
    if _is_number(value):
        wanted = value.replace(",", "")
        if len(wanted) > 3 or "\\" in text:  # it may have commas in the text, or be in a fraction
            return wanted in text.replace(",", "") and _is_among(wanted, text)
        at = text.find(wanted)
        while at >= 0:
            before, after = _UP_TO.match(text, 0, at), _NEXT.search(text, at)
            end = len(text) if after is None else after.end()
            if _is_among(wanted, text[before.end() if before else 0 : end]):
                return True
            at = text.find(wanted, end)
        return False
    at = text.find(value)
    while at >= 0:
        if not (_joins(text[:at][-1:], value[0]) or _joins(value[-1], text[at + len(value) :][:1])):
            return True
        at = text.find(value, at + 1)
    return False


_is_number = lru_cache(maxsize=4096)(is_number)
"""The reference of a prompt is looked for in each of its completions."""


def _is_among(wanted: str, text: str) -> bool:
    return any(found.group().replace(",", "") == wanted for found in numbers_in(text))


def _joins(left: str, right: str) -> bool:
    """Return whether two adjacent characters belong to one word: a Korean particle may follow a value."""
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def last_line(text: str) -> str:
    """Return the last line of a text that is not blank, or its end."""
    return text.rstrip()[-_ENDING:].rpartition("\n")[2]


def _repeated(text: str) -> float:
    """Return how far a text compresses beyond a fifth of its size, the best of ordinary long texts."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) < 200:
        return 0.0
    left = len(zlib.compress(raw, 1)) / len(raw)
    return min(1.0, max(0.0, (0.2 - left) / 0.2))


NAN = math.nan


def known(values: Iterable[float]) -> list[float]:
    """Return the values other than NaN, which stands for none."""
    return [value for value in values if not math.isnan(value)]


def number(value: object) -> float:
    """Return a finite number, or NaN for any other value in a row."""
    if type(value) is float and -math.inf < value < math.inf:  # as most are
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NAN
    try:
        found = float(value)
    except OverflowError:
        return NAN
    return found if math.isfinite(found) else NAN


class Cases:
    """The rows in which something occurs, by their numbers."""

    def __init__(self) -> None:
        self.all = array("q")

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.all)

    @property
    def rows(self) -> list[int]:
        """The first of the rows."""
        return self.all[:MOST_ROWS].tolist()

    def add(self, row: int) -> None:
        """Count a row."""
        self.all.append(row)

    def drop(self, rows: int) -> None:
        """Forget the first rows of all and renumber the others from 1."""
        self.all = array("q", [row - rows for row in self.all if row > rows])


class Part:
    """A part of the reward, or the verdict on one, over all rows.

    Args:
        name: Its name in the recipe.
        rows: Number of rows that lack it.
    """

    def __init__(self, name: str, rows: int) -> None:
        self.name, self.verifier = name, ""
        self.refers = False
        """Whether its verdicts say what was expected."""
        self.scores = array("d", [NAN] * rows)
        self.no_answer = array("b", bytes(rows))
        self.faults = Cases()
        self.unscored: dict[str, Cases] = {}
        """By reason."""

    def add(self, row: int, value: object, verdict: Mapping[str, Any] | None) -> None:
        """Add the part of a row.

        Args:
            row: Its number.
            value: Value of the part; None if there is only a verdict.
            verdict: On the part; None where it has none of its own.
        """
        self.extend(row - 1)
        if verdict is None:
            self.scores.append(number(value))
            self.no_answer.append(0)
            return
        self.verifier = self.verifier or str(verdict["verifier"])
        self.scores.append(number(verdict.get("score")))
        self.refers = self.refers or verdict.get("expected") is not None
        reason, status = verdict.get("reason"), verdict.get("status")
        self.no_answer.append(reason == "no_answer")
        if status == "fault":
            self.faults.add(row)
        elif status == "unscored":
            self.unscored.setdefault(str(reason), Cases()).add(row)

    def extend(self, rows: int) -> None:
        """Make room: rows that do not have the part have no score of it."""
        missing = rows - len(self.scores)
        if missing > 0:
            self.scores.extend([NAN] * missing)
            self.no_answer.extend([0] * missing)

    def drop(self, rows: int) -> None:
        """Forget the first rows."""
        del self.scores[:rows], self.no_answer[:rows]
        for cases in (self.faults, *self.unscored.values()):
            cases.drop(rows)
        self.unscored = {reason: cases for reason, cases in self.unscored.items() if cases.count}
