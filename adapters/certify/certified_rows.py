"""The data that a reward is certified on: rows, the forms of their references, and a diverse sample."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from reward_verifiers.verifiers import ConfigError, MathEquivalence
from reward_verifiers.verifiers.extract.answers_and_references import reference_answer

from ..files.columns import column_names, column_of, has_column, reference_column
from ..files.jsonl import Source, rows_of
from ..known_sets.recognition import Reading, recognised

Kind = Literal["number", "fraction", "choice", "truth", "words", "maths", "text", "other"]
PROMPTS = ("prompt", "question", "problem", "instruction", "input")
"""Columns that hold the question, where none is named."""
SOLUTIONS = ("solution", "canonical_solution", "reference_solution")
"""Columns with a right answer, where the reference is tests or other data that no text equals."""
MOST = 2000
"""Rows of a file that are read."""
SAMPLE = 8
"""Rows that texts are tried on: enough to tell what is paid everywhere from a lucky hit."""
_CHOICE = re.compile(r"\(?([A-J])\)?\.?")
_MATHS = re.compile(r"[\\\d=+*/^<>{}\[\]$%|]")
_LONGEST, _LONGEST_NUMBER = 80, 28
_TRUTHS = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_OTHER_WORDS = ("Lisbon", "copper", "Nairobi", "gravity", "Helsinki", "basalt")


@dataclass(frozen=True, eq=False)
class DataRow:
    """A row with the forms of its reference.

    Args:
        key: Identity of the row; synthetic ones have negative keys.
        number: Its line.
        columns: Columns for the reward: the file's, with ``answer`` and ``prompt`` under these names.
        forms: The reference as an answer is written, several where several are accepted; empty for no text.
        kind: Kind of answer.
        prompt: The question; empty where there is none.
    """

    key: int
    number: int
    columns: Mapping[str, Any]
    forms: tuple[str, ...]
    kind: Kind
    prompt: str

    @property
    def plain(self) -> str:
        """The first form."""
        return self.forms[0] if self.forms else ""

    @property
    def value(self) -> Fraction | None:
        """Return the value of a number or a fraction."""
        return value_of(self.plain)

    def __hash__(self) -> int:
        return self.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataRow) and other.key == self.key

    def asked_for(self, plain: str) -> DataRow:
        """Return this row with another answer as the right one, to show which columns the reward reads."""
        reference: Any = [plain] if isinstance(self.columns["answer"], list) else plain
        key = -1 - self.key - MOST * (1 + abs(hash(plain)) % 100_000)
        return DataRow(key, self.number, {**self.columns, "answer": reference}, (plain,), kind_of(plain), "")


def value_of(text: str) -> Fraction | None:
    """Return the number that a text denotes; None for other texts.

    >>> value_of("1,200"), value_of("3/4"), value_of("twelve")
    (Fraction(1200, 1), Fraction(3, 4), None)
    """
    over, slash, under = text.partition("/")
    if not _is_number(over) or (slash and not (under.isdecimal() and _is_number(under))):
        return None
    try:
        return Fraction(text.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return None


def _is_number(text: str) -> bool:
    """Return whether a text is digits with at most a sign, commas between thousands and a point."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    whole, point, rest = digits.partition(".")
    first, *groups = whole.split(",")
    plain = text.isascii() and len(text) <= _LONGEST_NUMBER and first.isdecimal()
    grouped = all(len(each) == 3 and each.isdecimal() for each in groups) and (not groups or len(first) <= 3)
    return plain and grouped and (rest.isdecimal() if point else not rest)


def kind_of(plain: str) -> Kind:
    """Classify an answer's text.

    >>> [kind_of(each) for each in ("12", "3/4", "B", "Paris", "x^2+1")]
    ['number', 'fraction', 'choice', 'words', 'maths']
    """
    if value_of(plain) is not None:
        return "fraction" if "/" in plain else "number"
    if _CHOICE.fullmatch(plain):
        return "choice"
    if plain.casefold() in _TRUTHS:
        return "truth"
    if len(plain) > _LONGEST or "\n" in plain:
        return "text"
    return "maths" if _MATHS.search(plain) else "words"


Placed = tuple[str, int, Mapping[str, Any]]
"""What messages call a row, its line, and its columns."""


def rows_in(paths: list[str]) -> list[Placed]:
    """Return the rows of files, at most `MOST`.

    Raises:
        ConfigError: A file cannot be read.
    """
    found = itertools.islice(rows_of(Source(paths).chunks()), MOST)
    return [(line.where, line.number, row) for line, row in found]


def read_rows(
    found: Sequence[Placed], reference_field: str | None, prompt_field: str | None, *, typed: bool
) -> list[DataRow]:
    """Read rows, with the forms of their references.

    Args:
        found: The rows.
        reference_field: The column with the references; None to find it.
        prompt_field: The column with the questions; None to find it.
        typed: Whether a reward of this library is certified, which reads known data sets as ``score`` does.

    Raises:
        ConfigError: There are no rows, or no references.
    """
    if not found:
        raise ConfigError("there are no rows")
    reading = None
    if typed and reference_field is None:
        known = recognised([(where, row) for where, _, row in found[:256]]).known
        reading = None if known is None else Reading(known.name)
    rows = []
    reference, prompt = "", prompt_field
    for key, (where, number, raw) in enumerate(found[:MOST]):
        row = _read(reading, raw)
        if key == 0:
            reference = reference_field or reference_column(row, where) or ""
            if not reference or not has_column(row, reference):
                raise ConfigError(
                    f"{where} has no column with references (choose it with --reference-field); "
                    f"there are {', '.join(column_names(row))}"
                )
            prompt = prompt_field or next((name for name in PROMPTS if has_column(row, name)), None)
        if has_column(row, reference):
            rows.append(_row(key, number, row, reference, prompt))
    return rows


def _read(reading: Reading | None, row: Mapping[str, Any]) -> Mapping[str, Any]:
    if reading is None:
        return row
    try:
        return reading.read(row)
    except ValueError:
        return row


def _row(key: int, number: int, row: Mapping[str, Any], reference: str, prompt: str | None) -> DataRow:
    raw = column_of(row, reference)
    columns = {name: value for name, value in row.items() if name not in ("completion", "completions")}
    columns["answer"] = raw
    asked = column_of(row, prompt) if prompt is not None and has_column(row, prompt) else None
    if asked is not None:
        columns.setdefault("prompt", asked)
    forms = tuple(dict.fromkeys(_forms(raw)))
    if not forms or kind_of(forms[0]) == "text":
        solved = next((row[name] for name in SOLUTIONS if isinstance(row.get(name), str)), None)
        forms = forms if solved is None or solved == raw else (solved,)
    return DataRow(key, number, columns, forms, kind_of(forms[0]) if forms else "other", _text_of(asked))


def _forms(raw: Any) -> Iterable[str]:
    if isinstance(raw, bool) or raw is None:
        return
    if isinstance(raw, int | float):
        yield f"{raw:g}" if isinstance(raw, float) else str(raw)
    elif isinstance(raw, str) and raw.strip():
        yield reference_answer(raw)
        yield raw.strip()
    elif isinstance(raw, list) and all(isinstance(each, str | int | float) for each in raw):
        for each in raw:
            yield from _forms(each)


def _text_of(asked: Any) -> str:
    if isinstance(asked, str):
        return asked
    if isinstance(asked, list) and asked and isinstance(asked[-1], Mapping):
        said = asked[-1].get("content")
        return said if isinstance(said, str) else ""
    return ""


def sample_of(rows: Sequence[DataRow], most: int = SAMPLE) -> list[DataRow]:
    """Return rows with different references, of every kind present, in the file's order of kinds."""
    shuffled = list(rows)
    random.Random(0).shuffle(shuffled)  # noqa: S311
    by_kind: dict[Kind, list[DataRow]] = {}
    for row in shuffled:
        by_kind.setdefault(row.kind, []).append(row)
    chosen: list[DataRow] = []
    while len(chosen) < most and any(by_kind.values()):
        for kind in sorted(by_kind, key=lambda each: -len(by_kind[each])):
            if by_kind[kind] and len(chosen) < most:
                row = by_kind[kind].pop()
                if not any(same(row, other) for other in chosen):
                    chosen.append(row)
    return _enough(chosen, most)


def _enough(chosen: list[DataRow], most: int) -> list[DataRow]:
    """Add rows that ask for another answer, where the file has too few."""
    own = list(chosen)
    for step in range(1, most + 1):
        for row in own:
            other = other_answer(row, step)
            if len(chosen) >= max(4, most // 2) or other is None:
                break
            made = row.asked_for(other)
            if not any(same(made, each) for each in chosen):
                chosen.append(made)
    return chosen


def other_answer(row: DataRow, step: int = 1) -> str | None:
    """Return a certainly different answer of the same kind; None where none is known."""
    if row.kind == "choice":
        letter = _CHOICE.fullmatch(row.plain)
        assert letter is not None  # noqa: S101
        return "ABCDE"[("ABCDE".find(letter.group(1)) + step) % 5]
    if row.kind == "truth":
        return _TRUTHS[row.plain.casefold()]
    if row.kind == "words":
        fitting = [word for word in _OTHER_WORDS if alike(word, row.plain)]
        return fitting[step % len(fitting)]
    if row.value is None:
        return None
    moved = row.value + 17 * step * (1 + abs(int(row.value)) // 20)
    return str(int(moved)) if moved.denominator == 1 else f"{float(moved):.4g}"


def alike(one: str, other: str) -> bool:
    """Return whether two answers in words look alike, so that a guess may confuse them."""
    return one[:1].isupper() == other[:1].isupper()


_judge = MathEquivalence()


def same(one: DataRow, other: DataRow) -> bool:
    """Return whether one answer may be right for both rows, so that rewarding it for both shows nothing."""
    for left in one.forms or (repr(one.columns["answer"]),):
        for right in other.forms or (repr(other.columns["answer"]),):
            if may_be_same(left, right):
                return True
    return False


@lru_cache(maxsize=4096)
def may_be_same(left: str, right: str) -> bool:
    """Return whether two answers may be equal, leniently: as texts, or as mathematics in either direction."""
    folded = [re.sub(r"[\W_]++", "", each.casefold()) for each in (left, right)]
    if folded[0] == folded[1] and (folded[0] or left == right):
        return True
    if len(left) > 200 or len(right) > 200:
        return False
    if value_of(left) is not None and value_of(right) is not None:
        return value_of(left) == value_of(right) or _percent(left, right)
    return any(_judge.verify(f"\\boxed{{{a}}}", b).score == 1.0 for a, b in ((left, right), (right, left)))


def _percent(left: str, right: str) -> bool:
    one, other = value_of(left), value_of(right)
    return one is not None and other is not None and (one == other * 100 or other == one * 100)
