"""Verdicts of a text on its labels: chosen, offered beside others, or not chosen; and retractions."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from ..language import choice_words as words
from ..language.sentences.words_before import governed
from ..language.stance import ending, stance
from ..runtime.patterns import lazy
from . import option_phrases
from .offered_options import Options
from .option_labels import (
    LONGEST_SENTENCE,
    STOP,
    Group,
    Label,
    group_at,
    label_at,
    line_start,
    sentence_start,
    skip,
)

Verdict = Literal["chosen", "bare", "offered", "corrected", "refused"]
"""What is said of a group of labels.

- ``chosen``: an ending or a word says that it is so, or what follows is the option's own text.
- ``bare``: nothing follows it.
- ``offered``: it stands beside another one with "or", or one of the group is meant.
- ``corrected``: another one follows that is right.
- ``refused``: it is denied, doubted, asked about, or what follows is not understood.
"""


class Said(NamedTuple):
    """Judgement of a group of labels.

    Args:
        verdict: See `Verdict`.
        words: Understood words after the labels.
        end: End of the words that correct them; 0 for any other verdict.
    """

    verdict: Verdict
    words: str = ""
    end: int = 0


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
    r"[\s.!。~)\]'\"”’」』>]*(?:\Z|\n)|\s?[.!。;；](?=\s|\Z)|[\s.!。~]*[^\w\s.,;:()\[\]'\"“‘<+=*/-]{1,4}\s*(?:\Z|\n)"
)
_DELIMITER = lazy(r"[.)．:：、,，。\]]|\s?[-–—>→](?=\s)")
_FOREIGN = lazy(rf"\s(?=[{words.HANGUL}{words.HAN}])")
_PARTICLE = lazy(f"[{words.HANGUL}{words.HAN}]")
_CAPITAL = lazy(r"\s[A-Z\d\\]")
_LINE = 300
"""Characters after a label in which another option is looked for."""


def judged(text: str, group: Group, *, titled: bool = False, marked: bool = True, texts: bool = True) -> Said:
    """Return the verdict on labels and the words that give it.

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
        return Said("corrected" if whole.start == group.start else "refused", end=whole.end)
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
    """Return whether only rejected labels follow the labels: "B, not C"."""
    contrast = _CONTRAST.match(text, end)
    other = None if contrast is None else group_at(text, contrast.end())
    return other is not None and _NOTHING.match(text, other.end) is not None


def lone_text(text: str, end: int) -> int | None:
    """Return the end of the one or two words that fill a line after a label: "B. No"; None without any."""
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
    """Return whether the same line offers a second option: "C) Paris or A) Rome", "C, then A"."""
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


_CHOOSING = lazy(f"{option_phrases.CHOOSE.pattern}|{words.CONNECTORS}", re.IGNORECASE)
_BETWEEN = " ,，、;；.。\n"
_DELIMITERS = tuple(".．):：、,，]")
_NEAR = 40
"""Characters between two sentences that say the same of two labels."""


def denied_in_line(text: str, group: Group) -> bool:
    """Return whether the line of an option that is put first denies that it is the answer."""
    stop = text.find("\n", group.end)
    end = min(stop if stop >= 0 else len(text), group.end + LONGEST_SENTENCE)
    return option_phrases.ANSWER_DENIED.search(text, group.end, end) is not None


def denied_at_the_end(text: str, group: Group) -> bool:
    """Return whether the sentence of a label and its text ends as a denial, as only Korean does."""
    if text[group.end : group.end + 1] in _DELIMITERS:
        return False  # what follows is the option's own text
    stop = STOP.search(text, group.end, group.end + LONGEST_SENTENCE)
    end = stop.start() if stop else min(len(text), group.end + LONGEST_SENTENCE)
    return option_phrases.SENTENCE_DENIED.search(text, group.end, end) is not None


def adjoin(text: str, one: Group, start: int) -> bool:
    """Return whether only the choosing separates labels from the next: choose A, choose B.

    Args:
        text: The text.
        one: The first labels.
        start: Position at which the next choice ends.
    """
    return one.end < start and not _CHOOSING.sub("", text[one.end : start]).strip(_BETWEEN)


def said_before(text: str, group: Group, groups: list[Group]) -> Group | None:
    """Another label in the sentence right before that of a group, with no second thoughts between."""
    before = [each for each in groups if each.end <= group.start]
    if not before or before[-1].labels[0].name == group.labels[0].name:
        return None
    between = text[before[-1].end : group.start]
    apart = (
        len(between) > _NEAR or "\n" in between or option_phrases.SECOND_THOUGHTS.search(between) is not None
    )
    return None if apart or sentence_start(text, group.start) <= before[-1].end else before[-1]


_LONGEST_PREDICATE = 40
_CLAUSES = ",;:，；："
_QUOTE = lazy(r"[\"“”「」『』]|(?<![A-Za-z])['‘]|['’](?![A-Za-z])")
_CLOSED = lazy(r"[\"'”’」』)\]]{0,2}")


def is_answer(text: str, group: Group) -> bool:
    """Return whether a sentence states that labels are the answer, or chosen."""
    if option_phrases.ANSWER.search(text, group.end, group.end + _LONGEST_PREDICATE) is None:
        return False
    if _quoted(text, group):
        return False
    found = judged(text, group, marked=False)
    if found.verdict not in ("chosen", "bare") or not option_phrases.ANSWER.search(found.words):
        return False
    before = text[sentence_start(text, group.start) : group.start]
    return option_phrases.HYPOTHETICAL.search(before) is None


def strength(text: str, options: Options, group: Group) -> Literal["said", "noun"] | None:
    """Return the strength of a choice without a word such as "answer"; None if nothing is chosen."""
    before = text[sentence_start(text, group.start) : group.start]
    line = line_start(text, group.start)
    if option_phrases.CASES.search(before) or option_phrases.SPEAKER.match(text, line, group.start):
        return None
    nouns = [noun.start() for noun in option_phrases.ANSWER.finditer(before)]
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
        stated = option_phrases.TEXT_STATED.match(text, group.end) and _holds(text, group)
        return "said" if stated and option_phrases.TOPIC.search(before) else None
    alone = found.verdict == "chosen" and not before.strip("\"'“‘ ") and concludes(text, group.start)
    if alone or is_topic(before) or option_phrases.CONNECTORS.fullmatch(before):
        described = option_phrases.DESCRIBED.match(found.words) is not None
        return None if alone and described else "said"
    judging = found.words and option_phrases.JUDGED.search(found.words)
    return "said" if judging and not option_phrases.DESCRIBED.match(found.words) else None


def is_topic(before: str) -> bool:
    """Return whether the words before a label equate something with it, or lead to it."""
    clause = before[max(before.rfind(sign) for sign in _CLAUSES) + 1 :]
    if option_phrases.PITFALL.search(clause):
        return False
    if option_phrases.TOPIC.search(before):
        return True
    leads = option_phrases.LEADING.search(clause)
    return (
        leads is not None
        and option_phrases.DENYING.search(clause) is None
        and option_phrases.OTHERS_CHOOSE.search(clause) is None
    )


def _suits(text: str, group: Group, before: str) -> bool:
    """Return whether a lone or concluding label is said to fit: "only B fits", "thus B holds"."""
    leads = option_phrases.SOLE.search(before) or option_phrases.CONNECTORS.fullmatch(before)
    return (
        leads is not None and option_phrases.SUITS.match(text, group.end) is not None and _holds(text, group)
    )


def _named(text: str, options: Options, group: Group) -> bool:
    """Return whether a sentence describes a label as a thing, in words that hold no other label."""
    found = option_phrases.NOMINAL.match(text, skip(_CLOSED, text, group.end))
    if found is None or option_phrases.NOT_NOMINAL.search(found["noun"]) or not _holds(text, group):
        return False
    inside = options.named_in(text, found.start("noun"), found.end("noun"))
    return next(iter(inside), None) is None


def _holds(text: str, group: Group) -> bool:
    """Return whether nothing speaks against a label."""
    return stance(text, group.start, group.end).holds


def concludes(text: str, place: int) -> bool:
    """Return whether a sentence is the first, in the last line, or opens as a conclusion."""
    start = sentence_start(text, place)
    if not text[:start].strip() or start >= line_start(text, len(text.rstrip())):
        return True
    return option_phrases.CONNECTORS.match(text, start, place) is not None


def _quoted(text: str, group: Group) -> bool:
    """Return whether a label stands inside a longer quotation, which gives somebody else's words."""
    line = line_start(text, group.start)
    before = [found.end() for found in _QUOTE.finditer(text, line, group.start)]
    return len(before) % 2 == 1 and before[-1] < group.start - 1
