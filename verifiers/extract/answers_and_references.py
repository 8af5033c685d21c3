"""First step of most verifiers: the answer of a completion and the accepted answers of a reference."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from ..core.extraction import EXTRACTORS, Answer, Extraction, Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import Verifier
from ..errors import ConfigError
from ..language.language_patterns import is_silent
from ..language.sentences.marks import marks
from ..language.sentences.said_values import value
from ..runtime.patterns import lazy
from ..visible.markup import DRESS, has_markup, may_hide
from ..visible.seen import Form, Seen
from .chain import NO_MARK, WholeText, not_taken_back
from .marked_answers import Boxed, HashMarks, Tag
from .phrases import AnswerPhrase

LONGEST_WHOLE = 2_000
"""Characters of a text that is compared whole before a part of it is."""
_LONGER, _LONGER_BY = 3, 60
"""How much longer than the longest reference, as a factor and in characters, such a text may be."""


def find_answer(
    verifier: Verifier, extractor: Extractor, sample: Sample, *, form: Form = "visible"
) -> Answer | Verdict:
    """The answer of a completion, or the verdict (0.0, ``no_answer``) that there is none.

    Args:
        verifier: Verifier that asks.
        extractor: Finds the answer.
        sample: The completion.
        form: Normalisation of the text before the search; see `Sample.seen`.
    """
    seen, found = _found(extractor, sample, form)
    return _answer(verifier, sample, seen, found)


def judge_answer(
    verifier: Verifier,
    extractor: Extractor,
    sample: Sample,
    judge: Callable[[Answer], Verdict],
    whole: Callable[[Answer, bool], Verdict | None],
    *,
    accepted: Sequence[str],
    form: Form = "visible",
    box: Answer | None = None,
) -> Verdict:
    """The verdict on the answer of a completion, or on what it was found inside, where that is right.

    A whole can only add what is right as it stands; otherwise the part decides as if there were none.

    Args:
        verifier: Verifier that asks.
        extractor: Finds the answer.
        sample: The completion.
        judge: The verdict on an answer.
        whole: The verdict on something that an answer was found inside, if that is right, else None. A
            number that was cut out of words, with no mark, was not meant to stand alone: then these may mean
            the same as the reference. Of anything else (the second argument says so) a mark says which part
            counts, and it is an answer only where it is the reference word for word.
        accepted: The accepted answers: what is much longer than all of them is no whole.
        form: Normalisation of the text before the search; see `Sample.seen`.
        box: The answer, where the extractor prefers a box to all else and `only_box` found one.
    """
    longest = min(LONGEST_WHOLE, _LONGER * max(map(len, accepted)) + _LONGER_BY)
    if box is not None:
        verdict = judge(box)
        all_of_it = None if verdict.passed else _all_of(sample, longest)
        right = None if all_of_it is None else whole(all_of_it, True)
        return verdict if right is None else right
    seen, found = _found(extractor, sample, form)
    marked: list[tuple[str, tuple[int, int]]] = []
    around = ""
    if found is not None:
        for text, span, is_marked in _wholes(found, longest):
            if is_marked:
                marked.append((text, span))
            elif (right := whole(Answer(text, seen.span(*span)), False)) is not None:
                return right
            else:
                around = around or text
    part = _answer(verifier, sample, seen, found)
    verdict = part if isinstance(part, Verdict) else judge(part)
    if found is not None and isinstance(part, Answer) and verdict.passed and found.method in _CUTS:
        expected = verdict.expected or ""
        if EXTRACTORS.get(_CUTS[found.method])().is_of_another(seen.text, found, around, expected):
            verdict = verifier.scored(0.0, "not_equal", _OTHER_WORDS, extracted=part, expected=expected)
    if found is not None and not verdict.passed:
        marked += _lines(seen.text, found, longest)
    for text, span in () if verdict.passed else marked:
        if (right := whole(Answer(text, seen.span(*span)), True)) is not None:
            return right
    return verdict


def only_box(sample: Sample) -> Answer | None:
    r"""The answer of a response that shows one plain box and ends with it, told in one look; else None.

    It is what `MARKED_OR_NUMBER` finds there, and nothing takes it back: nothing is hidden in such a text,
    no tag comes before its box, and behind it no word is left.

    >>> from verifiers.core.completions import split_thinking
    >>> only_box(Sample.of(split_thinking(r"<think>41?</think>So it is $\boxed{42}$.")))
    '42'
    """
    text, split = sample.response, sample.split
    start = text.rfind("\\boxed{")
    if start < 0 or split is None or len(split.responses) != 1 or sample.open_thinking or not text.isascii():
        return None
    box = _ONLY_BOX.match(text, start)
    if (
        box is None
        or text[start - 1 : start] in ("-", "\\")
        or (text.find("\\") != start and text.count("\\boxed") + text.count("\\fbox") > 1)
        or ("<" in text and _TAG.search(text) is not None)
        or "&" in text
        or may_hide(text)
    ):
        return None
    first = split.responses[0][0]
    return Answer(box[1], (first + box.start(1), first + box.end(1)))


def _all_of(sample: Sample, longest: int) -> Answer | None:
    """The whole response, where that is short enough to be compared."""
    shown = sample.response.strip()
    if len(shown) > longest + 1 and not shown[-2].isspace():
        return None  # a closing stop is one character
    found = _WHOLE.extract(sample.response)
    if found is None or found.text is None or len(found.text) > longest or sample.split is None:
        return None
    first = sample.split.responses[0][0]
    return Answer(found.text, (first + found.span[0], first + found.span[1]))


_WHOLE = WholeText()
_ONLY_BOX = lazy(r"\\boxed\{([^{}\\\s.](?:[^{}\\\n]*[^{}\\\s.])?)\}[ $.\n)\]*]*\Z")
"""A box without anything in it that could nest, or that is cut off it, and nothing after it but signs."""
_TAG = lazy(r"<(?![\d<(=. $-])")
"""What may be markup or a tag: <<48/2=24>> and x < 3 are none."""


def _found(extractor: Extractor, sample: Sample, form: Form) -> tuple[Seen, Extraction | None]:
    seen = sample.seen(form)
    # Where nothing was taken off, no tag that is looked for was, either.
    if form == "visible" and (seen.text != sample.response or sample.open_thinking):
        looked_for = has_markup(sample.response) and _tags(extractor) & DRESS
        seen = sample.seen(form, looked_for) if looked_for else seen
    found = extractor.extract(seen.text)
    return seen, found if found is None or found.text is None else not_taken_back(
        seen.text, found, sample.prompt or ""
    )


def _answer(verifier: Verifier, sample: Sample, seen: Seen, found: Extraction | None) -> Answer | Verdict:
    if found is not None and found.text is not None:
        return Answer(found.text, seen.span(*found.span))
    if sample.open_thinking and not seen.text:
        return verifier.scored(0.0, "no_answer", "the think block is not closed")
    return verifier.scored(0.0, "no_answer", NO_MARK if found is None else found.problem)


def _wholes(found: Extraction, longest: int) -> Iterator[tuple[str, tuple[int, int], bool]]:
    """Yield the wholes of an answer: text, span, and whether a mark says which part of it counts."""
    part: Extraction | None = found
    is_marked = False
    while part is not None and (outer := part.whole) is not None:
        # Which words stand around the last number of a text says nothing.
        is_marked = is_marked or part.method not in _CUTS or outer.method == "whole_text"
        if outer.text is not None and len(outer.text) <= longest:
            yield outer.text, outer.span, is_marked
        part = outer


_OTHER_WORDS = "the same number, in other words than those of the reference"
_CUTS = {"last_number": "LastNumber"}
"""What takes a part of a text that nothing marks."""


_NOTHING_MORE = frozenset({"", ".", "**", ".**", "**."})


def _lines(text: str, found: Extraction, longest: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the full text after an unclosed mark: stops and line breaks may be the answer's own."""
    part: Extraction | None = found
    while part is not None and part.method not in ("answer_phrase", "hash_marks"):
        part = part.whole
    if part is None:
        return
    outer = part.whole
    while outer is not None and outer.method == part.method:  # its longer readings
        outer = outer.whole
    start, last = part.span[0], len(text) if outer is None else outer.span[1]
    if part.text and not part.text.endswith(".") and text[part.span[1] : last] in _NOTHING_MORE:
        return
    if part.method == "answer_phrase":
        start = next((mark.end for mark in marks(text) if mark.end <= part.span[1]), start)
    last = min(last, start + longest + 1)
    line = text.find("\n", start, last)
    for end in (last, line) if line > start else (last,):
        # An ending that only says that it is so is looked for by itself: a word before it may be a verb, too.
        endings = [value(text, place, end) for place in (start, max(start, end - _LONGEST_ENDING))]
        stops = [stop for said in endings if said.kind in ("stated", "bare") for stop in said.ends]
        for stop in dict.fromkeys((end, end - 1, *stops)):
            shown = text[start:stop].strip()
            if shown and len(shown) <= longest and (stop != end - 1 or text[stop] == "."):
                place = text.find(shown, start)
                yield shown, (place, place + len(shown))


@lru_cache(maxsize=256)
def _tags(extractor: Extractor) -> frozenset[str]:
    """The names of the tags that an extractor looks for, in lower case."""
    found: set[str] = set()
    if isinstance(extractor, Tag):
        names = (extractor.name,) if isinstance(extractor.name, str) else extractor.name
        found.update(name.lower() for name in names)
    for field in dataclasses.fields(extractor):  # type: ignore[arg-type]  # as all of them are
        value = getattr(extractor, field.name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Extractor):
                found |= _tags(each)
    return frozenset(found)


@lru_cache(maxsize=4096)
def reference_answer(text: str) -> str:
    r"""The part of a reference that counts: what its last line's ``####``, its last box or a sentence marks.

    All of it where nothing marks a part. Of sentences only one counts that is the whole reference.

    >>> reference_answer("9 * 2 = 18\n#### 18"), reference_answer(r"thus \boxed{x}"), reference_answer("2x+3")
    ('18', 'x', '2x+3')
    >>> reference_answer("The answer is 42."), reference_answer("It is 3, so the answer is 4.")
    ('42', 'It is 3, so the answer is 4.')
    """
    stripped = text.strip()
    if is_silent(stripped):
        return stripped  # without a word no part is marked
    if "####" in stripped.rpartition("\n")[2] and (marked := HashMarks().extract(stripped)) and marked.text:
        return marked.text
    if "\\boxed" in stripped and (boxed := Boxed().extract(stripped)) is not None:
        return boxed.text or ""
    found = AnswerPhrase().extract(stripped) if len(stripped) <= LONGEST_WHOLE else None
    if found is None or found.text is None or _OPTION.match(stripped):
        return stripped
    before, after = stripped[: found.span[0]], stripped[found.span[1] :]
    is_all = len(before) <= _LONGEST_PHRASE and len(after) <= _LONGEST_ENDING
    is_plain = not any(char.isdigit() or char == "\\" for char in before + after)
    return found.text if is_all and is_plain else stripped


_OPTION = lazy(r"[(\[*_]{0,4}[A-Za-z][)\]*_]{0,4}\s{0,2}[:：]")
"""An option with its text, "A: 12", where a completion's last line would begin with "A:" for "answer"."""
_LONGEST_PHRASE, _LONGEST_ENDING = 40, 12
"""Characters that may stand before and after what an answer sentence states."""


def accepted_texts(reference: object) -> list[str]:
    """The accepted answers of a reference: a string, a number, or a list of these.

    Raises:
        ConfigError: It is anything else, or an empty list.
    """
    if isinstance(reference, str):
        several = _ALTERNATIVES.split(reference) if "\\#" in reference else ()
        return [reference, *several] if len(several) > 1 and all(several) else [reference]
    if isinstance(reference, int | float) and not isinstance(reference, bool):
        return [_number_text(reference)]
    if isinstance(reference, Sequence) and not isinstance(reference, bytes) and reference:
        texts = []
        for each in reference:
            if isinstance(each, str):
                texts.append(each)
            elif isinstance(each, int | float) and not isinstance(each, bool):
                texts.append(_number_text(each))
            else:
                raise ConfigError(f"an accepted answer is a string or a number, got {each!r:.80}")
        return texts
    raise ConfigError(
        f"a reference is a string, a number or a non-empty list of accepted answers, got {reference!r:.80}"
    )


_ALTERNATIVES = lazy(r"(?:(?<!\s)\s++)?\\#\s*+\\#\s*+")
r"""Between accepted answers in GAOKAO-Bench: ``\frac{3}{10} \# \# 0.3``."""


def _number_text(number: int | float) -> str:
    if isinstance(number, float) and not math.isfinite(number):
        raise ConfigError(f"a reference must be a finite number, got {number}")
    try:
        return str(number)
    except ValueError as error:  # more digits than Python converts
        raise ConfigError(f"the reference is a number that is too long: {error}") from error
