"""What a sentence without a mark says of a label: that it is the answer, or what it is."""

from __future__ import annotations

from typing import Literal

from ...language.answers.leads import governed
from ...language.stance import stance
from ...runtime.patterns import lazy
from . import patterns
from .groups import Group
from .judging import judged
from .options import Options
from .places import line_start, sentence_start, skip

_LONGEST_PREDICATE = 40
_CLAUSES = ",;:，；："
_QUOTE = lazy(r"[\"“”「」『』]|(?<![A-Za-z])['‘]|['’](?![A-Za-z])")
_CLOSING = lazy(r"[\"'”’」』)\]]{0,2}")


def is_answer(text: str, group: Group) -> bool:
    """Whether a sentence says of labels that they are the answer, or chosen."""
    if patterns.ANSWER.search(text, group.end, group.end + _LONGEST_PREDICATE) is None:
        return False
    if _quoted(text, group):
        return False
    found = judged(text, group, marked=False)
    if found.verdict not in ("chosen", "bare") or not patterns.ANSWER.search(found.words):
        return False
    before = text[sentence_start(text, group.start) : group.start]
    return patterns.HYPOTHETICAL.search(before) is None


def strength(text: str, options: Options, group: Group) -> Literal["said", "noun"] | None:
    """How a sentence without such a word says that a label is the one; None where it does not."""
    before = text[sentence_start(text, group.start) : group.start]
    line = line_start(text, group.start)
    if patterns.CASES.search(before) or patterns.SPEAKER.match(text, line, group.start):
        return None
    nouns = [noun.start() for noun in patterns.ANSWER.finditer(before)]
    standing = governed(text, group.start - len(before) + nouns[-1] if nouns else group.start)
    if standing not in ("", "not_understood"):  # these sentences are understood by what they say of the label
        return None
    found = judged(text, group, marked=False)
    if found.verdict == "offered" or _quoted(text, group):
        return None
    if found.verdict not in ("chosen", "bare"):
        if _suits(text, group, before):
            return "said"
        if _named(text, options, group):
            return "noun"
        stated = patterns.TEXT_STATED.match(text, group.end) and _holds(text, group)
        return "said" if stated and patterns.TOPIC.search(before) else None
    alone = found.verdict == "chosen" and not before.strip("\"'“‘ ") and concludes(text, group.start)
    if alone or is_topic(before) or patterns.CONNECTORS.fullmatch(before):
        described = patterns.DESCRIBED.match(found.words) is not None
        return None if alone and described else "said"
    judging = found.words and patterns.JUDGED.search(found.words)
    return "said" if judging and not patterns.DESCRIBED.match(found.words) else None


def is_topic(before: str) -> bool:
    """Whether what stands before a label says that something is it, or leads to it."""
    clause = before[max(before.rfind(sign) for sign in _CLAUSES) + 1 :]
    if patterns.PITFALL.search(clause):
        return False
    if patterns.TOPIC.search(before):
        return True
    leads = patterns.LEADING.search(clause)
    return (
        leads is not None
        and patterns.DENYING.search(clause) is None
        and patterns.OTHERS_CHOOSE.search(clause) is None
    )


def _suits(text: str, group: Group, before: str) -> bool:
    """Whether a label that stands alone, or concludes, is said to fit: "only B fits", "thus B holds"."""
    leads = patterns.SOLE.search(before) or patterns.CONNECTORS.fullmatch(before)
    return leads is not None and patterns.SUITS.match(text, group.end) is not None and _holds(text, group)


def _named(text: str, options: Options, group: Group) -> bool:
    """Whether a label is said to be a thing, and what it is said to be holds no other label."""
    found = patterns.NOMINAL.match(text, skip(_CLOSING, text, group.end))
    if found is None or patterns.NOT_NOMINAL.search(found["noun"]) or not _holds(text, group):
        return False
    inside = options.named_in(text, found.start("noun"), found.end("noun"))
    return next(iter(inside), None) is None


def _holds(text: str, group: Group) -> bool:
    """Whether nothing speaks against a label."""
    return stance(text, group.start, group.end).holds


def concludes(text: str, place: int) -> bool:
    """Whether a sentence is the first, in the last line, or begins as a conclusion does."""
    start = sentence_start(text, place)
    if not text[:start].strip() or start >= line_start(text, len(text.rstrip())):
        return True
    return patterns.CONNECTORS.match(text, start, place) is not None


def _quoted(text: str, group: Group) -> bool:
    """Whether a label stands inside of a longer quotation, which is what another says."""
    line = line_start(text, group.start)
    before = [found.end() for found in _QUOTE.finditer(text, line, group.start)]
    return len(before) % 2 == 1 and before[-1] < group.start - 1
