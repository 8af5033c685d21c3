"""The number of a text that nothing marks: the last one that its sentence states, in its whole stretch.

What a number is, and how far its stretch goes, `reading` knows. A number that is not its whole stretch is
never an answer: of 2½, 10-2 and sinh(2) the answer is all of it.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.language_patterns import alternative, anywhere, factorials, may_be_numeral, numerals, spoken
from ..language.maths_words import HAN, HANGUL, SIZES
from ..language.numerals.in_words import HALF_AFTER
from ..language.recognised import is_recognised
from ..language.sentences.words_before import after_so, sentence_start
from ..language.signs import DISPLAYS, ROOTS, SUPERSCRIPTS, TEXT_COMMAND, VULGAR_FRACTIONS
from ..language.stance import is_acted_on, says_unknown, stance
from ..reading import prose as running
from ..reading.plain_numbers import rounded_fraction
from ..reading.prose_quantities import quantity_around, spelled_at_end
from ..runtime.patterns import lazy
from ..units.expressions import counted_before, is_symbol, lead
from ..units.table import table

AROUND = 40
"""Characters before and after a number in which the rest of a numeral is looked for."""
WINDOW = 4096
"""Characters at the end of a text that are searched: answers are found there, and this bounds the work."""
SAID = lazy(r"[^\W\d_a-zA-Z]{2}|[a-zA-Z]{3}\s++[a-zA-Z]{2}")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class LastNumber(Extractor):
    r"""The last number that a sentence states, with its sign, fraction and percent sign.

    A number inside a formula stands for the whole formula: ``so $x=\frac{3}{2}$`` gives the fraction, never
    its 2.

    Args:
        with_unit: Include what follows the number: its unit, its currency, the counted noun, the rest of a
            date or time.

    >>> LastNumber().extract("He pays $1,234.50 in all.").text
    '1,234.50'
    >>> LastNumber().extract("so that $x=\\frac{3}{2}$.").text
    'x=\\frac{3}{2}'
    >>> LastNumber().extract("7 - 4 gives 3, not -3").text
    '3'
    >>> LastNumber(with_unit=True).extract("In total, 17 teachers chose chess.").text
    '17 teachers'
    """

    with_unit: bool = False

    def extract(self, text: str) -> Extraction | None:
        found = self.in_any_language(text)
        if found is None or found.text is None or is_recognised(text, *found.span):
            return found
        return Extraction(None, found.span, found.method, "the words around the number are not understood")

    def is_of_another(self, text: str, found: Extraction, around: str, reference: str) -> bool:
        part = found.text or ""
        if around and _is_about_another(around, part, reference):
            return True
        if around and _is_in_another_unit(around, part, reference):
            return True
        return _counts_another(text, found.span[0], reference)

    def in_any_language(self, text: str) -> Extraction | None:
        """Return the same for words of any language, if something else marks the text as the answer."""
        base = max(0, len(text) - WINDOW)
        tail = _without_cries(running.without_items(_without_asides(text[base:])))
        tail = _TIED.sub(r"\g<1> ", tail) if "~" in tail else tail
        number = _last_that_holds(tail)
        words = spelled_at_end(text)
        if words is not None and (number is None or words[0] >= base + _end(number)):
            words = _with_multiple(text, *words)
            return Extraction(text[slice(*words)], words, "last_number")
        if number is None:
            return None
        found = number if isinstance(number, Extraction) else self._stands_in(tail, *number.span())
        if found.text and _CRY.match(tail, found.span[1] - found.text.endswith("!")):
            found = Extraction(None, found.span, found.method, "the exclamation mark may be a factorial")
        elif found.text and isinstance(number, re.Match):
            found = self._with_signs(tail, number.span(), found)
        if found.text and isinstance(number, re.Match) and found.span != number.span():
            said = stance(tail, *found.span)
            if said.kind in ("compared", "denied", "corrected"):
                found = Extraction(None, found.span, found.method, f"the last number is {said.kind}")
        if found.text and _SIGNED_WORD.match(tail, found.span[1]):
            found = Extraction(None, found.span, found.method, "the number is a part of what is not read")
        return found.shifted(base)

    def _with_signs(self, tail: str, number: tuple[int, int], found: Extraction) -> Extraction:
        """A value with the root before it and the signs of powers, fractions and sizes after it."""
        start, end = found.span
        root = _INSIDE.search(tail, max(0, start - AROUND), start)
        while tail[end : end + 1] in _SIZE_SIGNS:
            end += 1
        bracketed = tail[start - 1 : start] + tail[end : end + 1] in _BRACKETS
        counted = (start, end) == number or running.words(tail[start:end]) or _CJK.search(tail, start, end)
        if root is None and end == found.span[1] and counted and not bracketed:
            return found
        start = root.start() if root is not None else start
        # It stands in the text as a plain number would.
        first, last = start, end
        while tail[first - 1 : first] + tail[last : last + 1] in _BRACKETS:
            first, last = first - 1, last + 1
        around = self._stands_in(f"{tail[:first]}7{tail[last:]}", first, first + 1).span
        whole = min(around[0], first), max(around[1] + last - first - 1, last)
        more = (tail[whole[0] : first] + tail[last : whole[1]]).strip(_IDLE + "\\*")
        if more and not _RELATED.search(more) and found.whole is None:
            start, end = whole
        if (start, end) != found.span:
            found = Extraction(running.without_bold(tail[start:end]), (start, end), found.method)
        if root is not None and _INSIDE.search(tail, max(0, found.span[0] - AROUND), found.span[0]):
            return Extraction(None, found.span, found.method, "the number is a part of what is not read")
        return found

    def _stands_in(self, tail: str, start: int, end: int) -> Extraction:
        """Return the extraction of the value that a number is or belongs to."""
        if found := _in_formula(tail, start, end) or self._numeral(tail, start, end):
            return found
        quantity = quantity_around(tail, start, end) if self.with_unit else (start, end)
        if quantity[0] < start and tail[quantity[0] : start].strip("\\$ ") != "":
            return _formula_of(tail, *quantity) or _cut(tail, quantity)
        around = running.formula_around(tail, start, end)
        if (fraction := rounded_fraction(tail, start, end)) is not None:
            rounded = Extraction(tail[start:end], (start, end), "last_number")
            return Extraction(tail[slice(*fraction)], fraction, "last_number", whole=rounded)
        measured = quantity[1] > max(end, around[1]) and tail[end].isalpha()  # 2.7g/cm³
        if (not measured or not self._is_side(tail, around, start)) and _is_more(tail, around, (start, end)):
            return _side(tail, *around)
        return self._by_itself(tail, (start, end), quantity, around)

    def _is_side(self, tail: str, around: tuple[int, int], start: int) -> bool:
        """Return whether a number begins its formula or the formula's last side."""
        return around[0] >= start or running.right_side(tail, *around) == start

    def _numeral(self, tail: str, start: int, end: int) -> Extraction | None:
        """The numeral with words that the number stands in, with its unit if that is asked for."""
        near = max(0, start - AROUND), end + AROUND
        for numeral in numerals().finditer(tail, *near) if may_be_numeral()(tail[slice(*near)]) else ():
            if numeral.start() <= start and end <= numeral.end():
                if (more := _formula_of(tail, *numeral.span())) is not None:
                    return more
                around = quantity_around(tail, *numeral.span()) if self.with_unit else numeral.span()
                holds = around[0] <= numeral.start() and numeral.end() <= around[1]
                return _cut(tail, around if holds else numeral.span())
        return None

    def _by_itself(
        self, tail: str, number: tuple[int, int], quantity: tuple[int, int], around: tuple[int, int]
    ) -> Extraction:
        """A number that is a part of nothing else, with its unit if that is asked for."""
        start, end = number
        if (multiple := _MULTIPLE.match(tail, end)) is not None and not self.with_unit:
            return _cut(tail, (start, multiple.end()))
        if self.with_unit:
            if quantity != (start, end):
                return _cut(tail, quantity)
            if _is_named(tail, around, (start, end)):
                return _side(tail, *around)
            if (letter := _LONE_UNIT.match(tail, end)) and is_symbol(letter[1]):
                measured_as = _cut(tail, (start, letter.end(1)))
                return Extraction(tail[start:end], (start, end), "last_number", whole=measured_as)
            if quantity == (start, end) and (glued := _GLUED.match(tail, end)) is not None:
                return _cut(tail, (start, glued.end()))
        return Extraction(tail[start:end].replace("$", ""), (start, end), "last_number")


_GLUED = lazy(r"[A-Za-z]{2,20}")
"""Letters that touch a number and are no unit: whatever it is, the number alone it is not."""


_CRY = lazy(r"!(?=[\s*_\"'”’]|\Z)(?!\s*[-+*/=^<>])")
"""A mark at the end of a sentence: after a whole number a cry or a factorial."""
_FACTORIAL = lazy(r"(?:(?<![\d.,$€£¥₩])\d{1,4}|[)\]}])\Z")
_SIZE_SIGNS = frozenset(SIZES).union(SUPERSCRIPTS, map(chr, (*range(0xBC, 0xBF), *range(0x2150, 0x215F))))


_RELATED = lazy(r"[=≈≒<>]|\\(?:approx|simeq)")
_CJK = lazy(f"[{HANGUL}{HAN}]")
_BRACKETS = ("()", "{}", "[]", *DISPLAYS)  # an inline $ before and after is "$$", too

_WORD = rf"[{HANGUL}{HAN}][^\n.,(){{}}{''.join(ROOTS)}]{{0,8}}"
_INSIDE = lazy(
    rf"(?:[{''.join(ROOTS)}][ ({{]{{0,4}}(?:\\[a-z]{{1,12}}\{{[^{{}}\n]{{1,12}}\}}\{{)?(?:{_WORD})?"
    rf"|[A-Za-z\]}}][({{]{_WORD}|\d(?:\.\(|,))\Z"
)
_SIGNED_WORD = lazy(
    rf" ?[^\W\d_]{{1,12}}(?:[{VULGAR_FRACTIONS}{''.join(SUPERSCRIPTS)}]|{HALF_AFTER})"
    rf"|(?<=[{HANGUL}{HAN}])[A-Za-z\d]"
)
"""After a value: a word that a sign touches or a half follows, or what its own word touches: unread."""
_TIED = lazy(rf"((?<=\\)[a-z]{{1,16}} |[({{\[+*/^{''.join(ROOTS)}-])~(?!~)")
"""LaTeX's no-break space, where it cannot be said of a number that it is about as large."""


def _without_asides(tail: str) -> str:
    """A text without last sentences that only check its answer, or give the reason for it.

    >>> _without_asides("So 18 boys came. Check: 17 + 18 = 35. Right!")
    'So 18 boys came.'
    """
    end = len(tail)
    for _ in range(_MOST_ASIDES):
        end = len(tail[:end].rstrip())
        start = sentence_start(tail, end - 1)
        sentence = tail[start:end].strip("* _")
        aside = any(anywhere(each, "asides").match(sentence) for each in spoken(sentence))
        if not _HAS_DIGIT.search(tail, 0, start) or not (aside or not _HAS_DIGIT.search(sentence)):
            break
        if aside:
            tail = tail[:start].rstrip()
        end = start
    return tail


_MOST_ASIDES = 4
_HAS_DIGIT = lazy(r"\d")


def _without_cries(tail: str) -> str:
    """A text of the same length in which exclamation marks are blank that are no factorial.

    After a whole number that ends a sentence in words one is a cry, unless the text speaks of factorials.

    >>> _without_cries("So it's 42!"), _without_cries("42!"), _without_cries("We count the permutations: 4!")
    ("So it's 42 ", '42!', 'We count the permutations: 4!')
    """
    if "!" not in tail:
        return tail
    letters = list(tail)
    counts = factorials().search(tail) is not None
    for cry in _CRY.finditer(tail):
        number = _FACTORIAL.search(tail, max(0, cry.start() - 8), cry.start())
        if number is None or (
            not counts and _WORDS_TO.search(tail, max(0, number.start() - AROUND), number.start())
        ):
            letters[cry.start()] = " "
    return "".join(letters)


_WORDS_TO = lazy(rf"[^\W\d_{HAN}]{{2}}[^.!?。！？\n=+*/^<>]{{0,12}}\Z")
"""Words that lead to a number."""


def _cut(tail: str, span: tuple[int, int]) -> Extraction:
    return trimmed(tail, *span, "last_number", "no number")


def _end(number: re.Match[str] | Extraction) -> int:
    return number.span[1] if isinstance(number, Extraction) else number.end()


def _with_multiple(text: str, start: int, end: int) -> tuple[int, int]:
    """With a word that multiplies it, in the singular or plural: two dozen are not two."""
    after = _WORD_AFTER.match(text, end)
    if after is None or not {after[1].casefold(), after[1].casefold()[:-1]} & table().multiples.keys():
        return start, end
    return start, after.end()


_WORD_AFTER = lazy(r"\s+([a-z]+)", re.IGNORECASE)
_MULTIPLE = lazy(r"\s?dozen\b")
_LONE_UNIT = lazy(rf"\s?([A-Za-z])(?=[.,;!?]?\s*(?:\n|\Z)|[{HANGUL}{HAN}])")
"""A letter that ends a sentence after a number, and may be a unit: 30 N."""


def _in_formula(tail: str, start: int, end: int) -> Extraction | None:
    """The formula in delimiters that holds a number and more."""
    if "$" not in tail and "\\" not in tail:
        return None
    for formula in running.FORMULA.finditer(tail):
        kind = next(name for name in running.FORMULAS if formula.group(name) is not None)
        inside = formula.start(kind) <= start and end <= formula.end(kind)
        text = formula.group(kind)
        if inside and (not running.is_number(text.strip()) or any(mark in text for mark in "\\^_=")):
            around = (
                running.formula_around(tail, *formula.span())
                if "\n" not in formula.group()
                else formula.span()
            )
            if around[0] < formula.start() or formula.end() < around[1]:
                return Extraction(running.without_bold(tail[slice(*around)]), around, "last_number")
            if "&" in formula.group(kind) or "\\\\" in formula.group(kind):
                return Extraction(formula.group(kind).strip(), formula.span(kind), "last_number")
            found = _side(tail, *_stripped(tail, *formula.span(kind)))
            number = found.text is not None and running.is_number(found.text)
            return found.whole if number and found.whole is not None else found
    return None


def _formula_of(tail: str, start: int, end: int) -> Extraction | None:
    """The formula in which a numeral with words stands as a number would: the root of a ratio."""
    as_number = tail[:start] + "7" * (end - start) + tail[end:]
    around = running.formula_around(as_number, start, end)
    if not _is_more(as_number, around, (start, end)):
        return None
    side = _side(as_number, *around).span
    return None if side == (start, end) else _cut(tail, side)


def _is_more(tail: str, around: tuple[int, int], number: tuple[int, int]) -> bool:
    """Return whether the formula around a number is another value, rather than just a name for it."""
    start, end = around
    if end < number[1] or running.is_list(tail, start, end):
        return True  # the number was only a rounding, or is one of several
    rest = tail[start : number[0]] + " " + tail[number[1] : end]
    return bool(rest.strip(_IDLE)) and not _is_named(tail, around, number)


_IDLE = " \t$()[]{}（）`"
"""Signs around a number that leave it as it is."""


def _is_named(tail: str, around: tuple[int, int], number: tuple[int, int]) -> bool:
    """Return whether a formula only names a number: x = 5."""
    start, end = around
    return end == number[1] and _NAMED.fullmatch(tail, start, number[0]) is not None


_NAMED = lazy(r"[a-zA-Z]\s*=\s*")


def _stripped(tail: str, start: int, end: int) -> tuple[int, int]:
    inside = tail[start:end]
    return end - len(inside.lstrip()), start + len(inside.rstrip())


def _side(tail: str, start: int, end: int) -> Extraction:
    """A formula, reduced to its last side where the others only lead up to it."""
    whole = Extraction(running.without_bold(tail[start:end]), (start, end), "last_number")
    side = start if running.is_list(tail, start, end) else running.right_side(tail, start, end)
    if side > start and len({each.strip() for each in tail[start:end].split("=")}) == 1:
        return whole  # 7 = 7 says nothing
    if side <= start:
        return whole
    if not any(map(str.isalpha, tail[start:side])):  # 2 * 21 = 42
        return Extraction(running.without_bold(tail[side:end]), (side, end), "last_number")
    return Extraction(running.without_bold(tail[side:end]), (side, end), "last_number", whole=whole)


_STOP = lazy(r"[\n。！？]|[.!?](?=\s)")


def _last_that_holds(tail: str) -> re.Match[str] | Extraction | None:
    """The last number that its sentence does not speak against; an empty extraction where it does."""
    passed: re.Match[str] | None = None
    around = len(tail)
    standing = _standing(tail, len(tail))
    last = next(standing, None)
    if last is not None and says_unknown(tail, last.start()):
        return Extraction(None, last.span(), "last_number", "the text says that there is no answer")
    for number in itertools.chain(() if last is None else (last,), standing):
        if passed is not None and _STOP.search(tail, number.end(), passed.start()):
            break  # what another sentence says is no answer either
        said = stance(tail, *number.span())
        if passed is not None and (number.group() == passed.group() or number.start() >= around):
            continue  # what is denied is denied wherever it stands before, and with its whole formula
        if said.kind in ("denied", "corrected"):
            passed, around = number, running.formula_around(tail, *number.span())[0]
            continue
        if said.kind == "bare" and (stated := _stated_before(tail, number)) is not None:
            return stated
        if said.holds or (said.kind == "offered" and _all_offered(tail, *number.span())):
            return number
        return Extraction(None, number.span(), "last_number", f"the last number is {said.kind}")
    if passed is None:
        return None
    return Extraction(None, passed.span(), "last_number", "the last number is denied")


def _standing(tail: str, end: int) -> Iterator[re.Match[str]]:
    """The numbers before a place but for remarks and exponents of units, the last first: few are needed."""
    numbers = running.numbers_backwards(tail)
    if remarks := _remarks(tail):
        numbers = _outside(numbers, remarks)
    raised = "^" in tail
    return (each for each in numbers if each.start() < end and not (raised and _raises_a_unit(tail, each)))


def _outside(numbers: Iterator[re.Match[str]], remarks: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """The numbers outside of remarks; all of them where there are no others."""
    inside, is_alone = [], True
    for number in numbers:
        if _within(number, remarks):
            inside.append(number)
        else:
            is_alone = False
            yield number
    if is_alone:
        yield from inside


def _stated_before(tail: str, number: re.Match[str]) -> re.Match[str] | None:
    """The value that the sentence before states, where this one only does something with its number.

    "The last digit is 3. I have checked 9 cases." says 3, where the language marks the object.
    """
    if not is_acted_on(tail, number.end()):
        return None
    before = next(_standing(tail, number.start()), None)
    if before is None:
        return None
    stops = list(_STOP.finditer(tail, before.end(), number.start()))
    if len(stops) != 1 or after_so(tail, stops[0].end(), number.start()) > stops[0].end():
        return None
    return before if stance(tail, *before.span()).kind == "stated" else None


def _all_offered(tail: str, start: int, end: int) -> bool:
    """Return whether the alternatives beside a number are found with it, or it only rounds one."""
    around = running.formula_around(tail, start, end)
    return around[1] <= start or running.is_list(tail, *around)


def _raises_a_unit(tail: str, number: re.Match[str]) -> bool:
    """Return whether a number is the exponent of a unit, or of something that is no formula."""
    caret = _RAISING.search(tail, max(0, number.start() - 3), number.start())
    if caret is None:
        return False
    base = running.formula_around(tail, *number.span())[0] < caret.start()
    low = max(0, number.start() - AROUND)
    return not base or _UNIT_AS_TEXT.search(tail, low, number.start()) is not None


_RAISING = lazy(r"\^[{(]?-?\Z")
_UNIT_AS_TEXT = lazy(rf"{TEXT_COMMAND}\{{[^{{}}]{{1,30}}\}}\^\{{?-?\Z")
_REMARK = lazy(r"[(（](?P<said>[^()（）\n]{1,300})[)）]")


def _remarks(tail: str) -> list[tuple[int, int]]:
    """Brackets that hold words: what stands there only goes on about something."""
    return [remark.span() for remark in _REMARK.finditer(tail) if SAID.search(remark["said"])]


def _within(number: re.Match[str], stretches: list[tuple[int, int]]) -> bool:
    """Return whether a number stands in one of the stretches, which are in order."""
    at = bisect_left(stretches, (number.start(),))
    return at > 0 and number.start() < stretches[at - 1][1]


_READER = LastNumber()


def _is_about_another(whole: str, part: str, reference: str) -> bool:
    """Return whether an answer lacks all words before the reference's number and had others cut off.

    12 pages a day are not 12 pages a week, though either may be given as 12 pages.
    """
    cut = _READER.extract(reference)
    if cut is None or cut.text is None or not _LETTERS.search(whole.replace(part, " ", 1)):
        return False
    if alternative().search(whole.replace(part, " ", 1)) and _LETTERS.search(reference):
        return True  # apples or pears: 8
    before = reference[: cut.span[0]].casefold()
    wanted = () if _NAMING.search(before) else _LETTERS.findall(before)
    return bool(wanted) and not any(word in whole.casefold() for word in wanted)


def _counts_another(text: str, start: int, reference: str) -> bool:
    """Return whether an unmarked number counts one of two things, or another thing than the reference."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - _NEAR) : start]
    if (wanted := lead(reference)) is not None and wanted.kind == "noun" and wanted.text not in text:
        return counted_before(before) not in (None, wanted.text)
    if len(before) > _SHORT_LEAD or _LETTERS.search(reference) is None:
        return False
    return alternative().search(before) is not None


_NEAR, _SHORT_LEAD = 40, 20
"""Characters before a number in which what it counts is named; of a text that only names things."""


def _is_in_another_unit(whole: str, part: str, reference: str) -> bool:
    """Return whether a number was cut from one with a one-letter unit while the reference has a unit, too.

    30 N may be given as 30, but is not 30 N·m.
    """
    behind = whole.removeprefix(part).strip()
    return len(behind) == 1 and behind.isalpha() and running.has_letters_behind(reference.strip())


# Words, but no letters that are unknowns; and what only names a number, as in "x = 5" and "Total: 5".
_LETTERS = lazy(r"[^\W\d_a-zA-Z]+|[a-zA-Z]{2,}")
_NAMING = lazy(r"[\\=:：]")
