"""What is said of labels that stand in a text: chosen, offered beside others, or not chosen."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from ...language import choice_words as words
from ...language.stance import ending, stance
from ...runtime.patterns import lazy
from .groups import Group, group_at
from .labels import Label, label_at

Verdict = Literal["chosen", "bare", "offered", "corrected", "refused"]
"""What is said of a group of labels.

- ``chosen``: an ending or a word says that it is so, or what follows is the option's own text.
- ``bare``: nothing follows it.
- ``offered``: it stands beside another one with "or", or one of the group is meant.
- ``corrected``: another one follows that is right.
- ``refused``: it is denied, doubted, asked about, or what follows is not understood.
"""


class Said(NamedTuple):
    """What is said of a group.

    Args:
        verdict: See `Verdict`.
        words: What says so: the words after the labels, as far as they are understood.
    """

    verdict: Verdict
    words: str = ""


_CLOSING = lazy(r"[\"'”’」』)\]]{1,2}")
_ONE_OF = lazy(words.ONE_OF)
_FALSE = lazy(words.VERDICTS, re.IGNORECASE)
_OTHERWISE = lazy(words.OTHERWISE, re.IGNORECASE)
_REASON = lazy(rf"[\s,]*+{words.REASONS}", re.IGNORECASE)
_CAUSE = lazy(rf"[\s,]*+(?:{words.CAUSES})", re.IGNORECASE)
_JUDGING = lazy(words.JUDGING, re.IGNORECASE)
_HARDLY = lazy(words.HARDLY, re.IGNORECASE)
_CONTRAST = lazy(words.CONTRAST, re.IGNORECASE)
_NEGATED = lazy(words.NEGATED)
_REPORTED = lazy(words.SAID_BY_OTHERS)
_NOUN = lazy(rf"(?:{words.OPTION_NOUN})", re.IGNORECASE)
_GLOSS = lazy(r"\s?(?P<open>[(\[「『‘“'\"])(?P<inner>[^()\[\]「」『』‘’“”'\"\n]{1,60})[)\]」』’”'\"]")
_NOTHING = lazy(
    r"[\s.!。~)\]'\"”’」』>]*(?:\Z|\n)|\s?[.!。](?=\s|\Z)|[\s.!。~]*[^\w\s.,;:()\[\]'\"“‘<+=*/-]{1,4}\s*(?:\Z|\n)"
)
_DELIMITER = lazy(r"[.)．:：、,，。\]]|\s?[-–—>→](?=\s)")
_FOREIGN = lazy(rf"\s(?=[{words.HANGUL}{words.HAN}])")
_PARTICLE = lazy(f"[{words.HANGUL}{words.HAN}]")
_CAPITAL = lazy(r"\s[A-Z\d\\]")
_LINE = 300
"""Characters after a label in which another option is looked for."""


def judged(text: str, group: Group, *, titled: bool = False, marked: bool = True, texts: bool = True) -> Said:
    """What is said of labels.

    Args:
        text: A text without its setting.
        group: The labels.
        titled: Whether they follow a title such as "Answer:", so that anything may be the option's text.
        marked: Whether they follow a mark at all.
        texts: Whether "No" after a label and its sign may be the option's text.
    """
    end = group.end
    if group.labels[-1].shape != "item" and (closing := _CLOSING.match(text, end)):
        end = closing.end()
    if noun := _NOUN.match(text, end):
        end = noun.end()
    if group.offered or _ONE_OF.match(text, end):
        return Said("offered")
    if marked and texts and lone_text(text, end) is not None:
        text = text[:end]  # an option whose text is "No" is not denied by it
    if gloss := _GLOSS.match(text, end):
        if _OTHERWISE.match(gloss["inner"]):
            return Said("offered")
        if _FALSE.match(gloss["inner"]):
            return Said("refused")
        end = gloss.end()
    if _FALSE.match(text, end) or _HARDLY.match(text, end):
        return Said("refused")
    behind = ending(text, end)
    whole = stance(text, group.start, end)
    if whole.kind == "corrected":
        return Said("corrected" if whole.start == group.start else "refused")
    if whole.kind == "offered":
        return Said("offered")
    if behind is not None and behind.kind == "stated" and whole.holds:
        said = text[group.end : behind.end]
        unknown = _REPORTED.search(said) is not None and _FOREIGN.match(text, behind.end) is not None
        return Said("refused" if unknown or _NEGATED.match(text, behind.end) else "chosen", said)
    if frame := _JUDGING.match(text, end):
        fits = whole.holds and _NEGATED.match(text, frame.end()) is None
        return Said("chosen" if fits else "refused", frame.group())
    if _NOTHING.match(text, end) or _ends_in_contrast(text, end):
        return Said("bare" if whole.holds else "refused")
    free = _DELIMITER.match(text, end) is not None
    only_by_its_text = whole.kind == "denied" and behind is None and whole.start == group.start
    if not whole.holds and not (only_by_its_text and (free or titled)):
        return Said("refused")
    if not marked:
        caused = _CAUSE.match(text, end) is not None and not _beside_another(text, group.labels[-1], end)
        return Said("bare" if caused else "refused")
    return _with_text(text, group, end, free)


def _ends_in_contrast(text: str, end: int) -> bool:
    """Whether nothing follows labels but others that are not the ones: "B, not C"."""
    contrast = _CONTRAST.match(text, end)
    other = None if contrast is None else group_at(text, contrast.end())
    return other is not None and _NOTHING.match(text, other.end) is not None


def lone_text(text: str, end: int) -> int | None:
    """Where a word or two end that are all of a line after a label: "B. No"; None if none do."""
    delimited = _SIGN.match(text, end)
    if delimited is None or not _VERBLESS.match(text, end):
        return None
    found = _LONE.match(text, delimited.end())
    return None if found is None else found.end()


_SIGN = lazy(r"[.)：:]|(?<=[)\]])")
_VERBLESS = lazy(words.VERBLESS, re.IGNORECASE)
_LONE = lazy(r"\s+[A-Za-z]+(?: [a-z]+)?[.!]?[ \t]*(?=\n|\Z)")


def _with_text(text: str, group: Group, end: int, free: bool) -> Said:
    """A label with what may be its option's text."""
    last = group.labels[-1]
    if free or _REASON.match(text, end):
        return Said("offered" if _beside_another(text, last, end) else "chosen")
    if _PARTICLE.match(text, end) or end == len(text):
        return Said("refused")
    article = last.shape == "bare" and last.name in ("A", "I") and last.kind == "letter"
    fits = _FOREIGN.match(text, end) or (
        _CAPITAL.match(text, end) and not article and not (last.shape == "bare" and last.kind == "number")
    )
    shown = last.shape in ("bracket", "sign", "noun") and text[end : end + 1].isspace()
    if not (fits or shown):
        return Said("refused")
    return Said("offered" if _beside_another(text, last, end) else "chosen")


def _beside_another(text: str, label: Label, end: int) -> bool:
    """Whether a second option is offered in the same line: "C) Paris or A) Rome", "C, then A"."""
    stop = text.find("\n", end, end + _LINE)
    stop = stop if stop >= 0 else min(len(text), end + _LINE)
    directly = re.compile(r"[\s,.)]*").match(text, end)
    for word in _OTHERWISE.finditer(text, end, stop):
        other = label_at(text, word.end())
        if other is None or other.kind != label.kind or other.name == label.name:
            continue
        if other.shape in ("bracket", "sign", "noun") or text[other.end : other.end + 1] == ")":
            return True
        if directly is not None and word.start() == directly.end():
            return True
    return False
