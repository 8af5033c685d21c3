"""What a reader does not see changes no verdict: over every row of the cases, for all that read answers."""

from __future__ import annotations

import json
import random
import unicodedata
import zlib
from typing import Any

from tests.support import FIXTURES, in_groups, rows
from tests.timing import SOAK
from verifiers import Verifier, from_spec
from verifiers.visible.seen import visible

HIDDEN = "\u200b\u200d\u2060\ufeff\u00ad\u3164\u115f\u1160\uffa0\u200e\u202e\u2066\u061c\ufe0f\U000e0020"
"""Zero-width characters, Hangul fillers, a soft hyphen, marks of direction, a variation selector, a tag."""
READERS = (
    "ExactMatch", "KoreanAnswerTemplate", "Keywords", "LanguageConsistency", "MathEquivalence", "MultipleChoice",
    "TokenF1",
)  # fmt: skip
_FILES = {
    "".join(word.title() for word in path.stem.split("_")): path
    for path in (FIXTURES / "cases").glob("*.jsonl")
}


def _is_raw(spec: Any) -> bool:
    """Whether a verifier is told to take the text as it came: the contest's own scorer, and no normal form."""
    return any(f'"{raw}"' in json.dumps(spec) for raw in ("none", "official"))


ROWS = [
    (row, spec)
    for name in READERS
    for row in rows(_FILES[name])
    if isinstance(row["completion"], str) and not _is_raw(spec := row.get("spec", name))
]


def changed(text: str, seed: str) -> list[str]:
    """A text that looks the same: decomposed; with hidden characters at some places; with both, everywhere."""
    draw = random.Random(seed)
    decomposed = unicodedata.normalize("NFD", text)
    places = {draw.randint(0, len(text)) for _ in range(3)}
    some = "".join(
        [*((draw.choice(HIDDEN) if place in places else "") + char for place, char in enumerate(text)),
         draw.choice(HIDDEN) if len(text) in places else ""]
    )  # fmt: skip
    everywhere = "".join(char + draw.choice(HIDDEN) for char in decomposed)
    return [decomposed, some, everywhere]


def _turn(row: dict[str, Any], ways: int) -> int:
    """Which of several ways this row goes; ``make soak`` sends each row through all."""
    return zlib.crc32(str(row["id"]).encode()) % ways


TRIED = ROWS if SOAK else [case for case in ROWS if _turn(case[0], 12) < 6]
"""Half of the rows, of which each way that a row may go has its part; ``make soak`` takes all."""


@in_groups(TRIED, lambda case: str(case[0]["id"]), 100)
def test_what_is_not_seen_changes_no_verdict(case: tuple[dict[str, Any], Any]) -> None:
    """Between two digits, inside a tag, inside a syllable: a hidden character is nothing."""
    row, spec = case
    verifier: Verifier = from_spec(spec)
    before = verifier.verify(unicodedata.normalize("NFC", row["completion"]), row["reference"])
    texts = changed(row["completion"], row["id"])
    for text in texts if SOAK else texts[_turn(row, 3) :][:1]:
        after = verifier.verify(text, row["reference"])
        assert (after.status, after.score, after.reason) == (before.status, before.score, before.reason), text
        assert after.extracted == before.extracted


REFERENCES = [
    (row, spec) for row, spec in ROWS if isinstance(row["reference"], str) and not row["reference"].isascii()
]


@in_groups(REFERENCES, lambda case: str(case[0]["id"]), 100)
def test_what_is_not_seen_in_a_reference_changes_no_verdict(case: tuple[dict[str, Any], Any]) -> None:
    """Files of some systems hold decomposed text."""
    row, spec = case
    verifier: Verifier = from_spec(spec)
    before = verifier.verify(row["completion"], row["reference"])
    for reference in changed(row["reference"], row["id"]):
        after = verifier.verify(row["completion"], reference)
        assert (after.status, after.score, after.reason) == (before.status, before.score, before.reason)


@in_groups(TRIED, lambda case: str(case[0]["id"]), 200)
def test_a_span_leads_to_what_was_extracted(case: tuple[dict[str, Any], Any]) -> None:
    """In the completion as it came: all its letters and digits stand there, in order."""
    row, spec = case
    texts = (row["completion"], changed(row["completion"], row["id"])[2])
    for text in texts if SOAK else texts[_turn(row, 2) :][:1]:
        verdict = from_spec(spec).verify(text, row["reference"])
        if verdict.extracted is None or verdict.span is None:
            assert verdict.extracted is None or verdict.verifier == "KoreanAnswerTemplate"
            continue
        start, end = verdict.span
        assert 0 <= start < end <= len(text)
        there = iter(visible(text[start:end]))
        assert all(char in there for char in visible(verdict.extracted) if char.isalnum()), verdict
