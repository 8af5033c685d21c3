r"""Formulas and numbers in running text: one scanner, and the whole stretch that a number belongs to.

A sentence is cut into signs by one pattern, which is made of the tables of `language.signs`. `numbers` lists
the numbers of a text; `formula_around` says what formula a place stands in: ``f'(x) = 18x + 4`` around its 4.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from ..language.language_patterns import joining, rounding
from ..language.maths_words import HAN, HANGUL, TO
from ..language.numerals.english_numerals import SHARE_WORDS, SIZE_WORDS
from ..language.sentences.said_values import is_hangul
from ..language.signs import (
    CURRENCIES,
    DECIMAL,
    DIFFERENTIALS,
    FUNCTION_NAMES,
    GREEK,
    MINUS,
    NAMED_SIGNS,
    PLAIN_SIGNS,
    ROOTS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    TEXT_COMMAND,
    VULGAR_FRACTIONS,
)
from ..language.spoken_languages.model import any_of
from ..language.stance import ending
from ..runtime.patterns import lazy

_CASH = re.escape(CURRENCIES)
_SIZES = rf"(?:\s?-?(?:(?:{'|'.join(SIZE_WORDS)})s?|{'|'.join(SHARE_WORDS)})(?![a-zA-Z]))"
# Chinese and Korean write words right before a number; letters of formulas do not end there.
_LETTER = "A-Za-z0-9_\u00c0-\u024f\u0370-\u03ff"
# A minus belongs to the number unless it follows something that it could be subtracted from.
_NUMBER = lazy(
    # Most signs begin none of these.
    rf"(?=[{MINUS}+\d.$∞\\{VULGAR_FRACTIONS}])(?:(?<![{_LETTER})\]}}%{VULGAR_FRACTIONS}])(?:[{MINUS}+]\s?\$?|\$[{MINUS}]))?(?<![{_LETTER}.])"
    rf"(?:{DECIMAL}(?:\s?[/⁄∕]\s?\d+(?!\d|\.\d)|{_SIZES})?|∞"
    r"|\\[dt]?frac\s*(?:\{[^{}]{1,64}\}|\d)\s*(?:\{[^{}]{1,64}\}|\d))"
    r"(?:\s?\\?%)?"
)
FORMULA = lazy(
    r"\$\$(?P<display>[^$]{1,2000})\$\$|\\\((?P<paren>.{1,2000}?)\\\)|\\\[(?P<bracket>.{1,2000}?)\\\]"
    r"|(?P<matrix>(?:\\left\s*[\[(|.]\s*)?\\begin\{(?P<edge>[a-z]*matrix|array|cases)\}.{1,2000}?\\end\{(?P=edge)\}"
    r"(?:\s*\\right\s*[\])|.])?)"
    r"|(?<![\\$])\$(?P<inline>[^\s$](?:[^$\n]{0,1000}[^\s$\\])?)\$(?!\d)",
    re.DOTALL,
)
r"""A formula in its delimiters. An inline one by Pandoc's rule: "$5 and $6" is money."""
FORMULAS = ("display", "paren", "bracket", "matrix", "inline")
"""The groups of `FORMULA` that hold what stands between the delimiters."""


def formulas_in(text: str) -> Iterator[str]:
    r"""Yield the contents of a text's formulas, without their delimiters.

    >>> list(formulas_in(r"Find $x$ and \(y\)."))
    ['x', 'y']
    """
    for formula in FORMULA.finditer(text):
        yield next(said for name in FORMULAS if (said := formula.group(name)) is not None)


_NAMES = sorted({*FUNCTION_NAMES, *NAMED_SIGNS, *PLAIN_SIGNS, *DIFFERENTIALS, *GREEK}, key=len, reverse=True)
_RAISED, _LOWERED = ("".join(map(re.escape, table)) for table in (SUPERSCRIPTS, SUBSCRIPTS))
# One sign per match. Single letters are names, longer words only where they are functions.
_SIGN = lazy(
    # None begins with a letter of Hangul, of which there are many: words are passed by at once.
    rf"(?P<words>[{HANGUL}]++(?:[ \t]{{1,4}}[{HANGUL}]++)*+)"
    rf"|(?P<space>[ \t\u00a0\u2009\u202f]{{1,4}}+(?![~〜∼～{TO}t]))|(?:"
    r"(?P<formula>(?<![\\$])\$(?:[^\s$](?:[^$\n]{0,300}[^\s$\\])?)\$(?!\d)|\\\((?:[^\n]{1,300}?)\\\))"
    rf"|(?P<quoted>{TEXT_COMMAND}\{{[^{{}}\n]{{0,80}}\}})"
    rf"|(?P<number>[{_CASH}]?(?!(?<=\w)\.){DECIMAL}{_SIZES}?)"
    r"|(?P<relation>[=≈≤≥≠∈∉⊂⊆≡≅≒]|:=|\\(?:leq?(?:slant)?|geq?(?:slant)?|neq?|lt|gt|approx|equiv|in|notin|subset(?:eq)?)(?![a-zA-Z])|(?<!<)<(?![<|/])|(?<![>|])>(?!>))"
    rf"|(?P<name>(?:(?<![^\W\d_{HANGUL}{HAN}]){any_of(_NAMES)}(?![a-zA-Z])"
    rf"|(?<![a-zA-Z'’])[a-zA-Z](?![a-zA-Z]|['’][a-zA-Z])|\\[a-zA-Z]+|[Α-Ωα-ωπ∞∅ℝℤℕℚℂ])['’′]{{0,3}})"
    rf"|(?P<mark>_(?:\{{[^{{}}\n]{{1,20}}\}}|\w)|[{_RAISED}{_LOWERED}]+|(?<=[0-9A-Za-z)\]}}!])(?<!\\\))!"
    rf"|(?<=[0-9)] )!|°|%|\\%|(?<=\d)\.(?=\\(?:overline|bar|dot)(?![a-zA-Z]))"
    r"|(?<=[\d)])['’′″]{1,3}(?![a-zA-Z]))"
    rf"|(?P<operator>[{MINUS}+*/⁄∕·⋅×÷^{''.join(ROOTS)}±∓∪∩∖|∘∠∑∏∫⌊⌋⌈⌉]|\\[,;!: ]|(?<=\d):(?=\d)"
    rf"|(?<=[\d%{CURRENCIES}])\s?[~〜∼～{TO}]\s?(?=[\d{_CASH}])|(?<=\d) to (?=[\d{_CASH}])"
    r"|…|\.{3}|(?<![0-9A-Za-z)\]}!])!(?=\d))"
    r"|(?P<open>[(\[{（⟨]|\\\{|\\\[)|(?P<close>[)\]}）⟩]|\\\}|\\\])"
    r"|(?P<comma>[,，])|(?P<blank>[ \t\u00a0\u2009\u202f]{1,4}))"
)
_BOLD = lazy(r"(?<![\w)\]}*])\*\*(?=[^\s*])|(?<=[^\s*])\*\*(?![\w(\[{\\*])|`")
_LONGEST = 600
"""Characters on either side in which the formula is looked for."""
_ARTICLES = frozenset("aAI")


def numbers(text: str) -> list[re.Match[str]]:
    """The numbers of a text, each with its sign, fraction and percent sign, in order.

    >>> [found.group() for found in numbers("from 1,234.5 to -3/4, 2½ or 10%")]
    ['1,234.5', '-3/4', '2½', '10%']
    """
    return list(_NUMBER.finditer(text))


def numbers_backwards(text: str) -> Iterator[re.Match[str]]:
    """Yield the same numbers, the last one first: mostly only the end of a text is searched for them.

    >>> [found.group() for found in numbers_backwards("from 1,234.5 to -3/4, 2½ or 10%")]
    ['10%', '2½', '-3/4', '1,234.5']
    """
    end = len(text)
    while end:
        start = _apart(text, end - _STRETCH)
        found = itertools.takewhile(lambda each: each.start() < end, _NUMBER.finditer(text, start))  # noqa: B023
        yield from reversed(list(found))
        end = start


def _apart(text: str, place: int) -> int:
    """Return a place, at most the given one, in which no number stands: behind a syllable of Hangul, or 0."""
    if place <= 0 or "frac" in text:  # what stands in a fraction of TeX may be anything
        return 0
    for end in range(place, max(0, place - _STRETCH), -1):
        if is_hangul(text[end - 1]):
            return end
    return 0


_STRETCH = 48
"""Characters that are searched for numbers at once."""


def without_items(text: str) -> str:
    """A text of the same length in which the dashes of a list's items are blank: they are no minus signs.

    >>> without_items("It is:\\n- 5")
    'It is:\\n  5'
    """
    return _ITEM.sub(lambda item: "\n".ljust(len(item.group())), text) if "\n" in text else text


_ITEM = lazy(r"\n[ \t]{0,12}[-•–*+][ \t]{1,4}(?=\S)")


def is_number(text: str) -> bool:
    """Return whether a text is a number and nothing else.

    >>> is_number("25 000"), is_number("3x")
    (True, False)
    """
    return _NUMBER.fullmatch(text) is not None


def has_letters_behind(text: str) -> bool:
    """Return whether a text is a number with letters behind it: 30 N·m, and not x = 5."""
    return _MEASURED.fullmatch(text) is not None


_MEASURED = lazy(r"[-−+]?[\d.,/]++(?>[^\d=]*[^\W\d_]).*")


def words(text: str) -> list[re.Match[str]]:
    r"""The words of a text in order: no names of functions, nothing that TeX sets, no letters of formulas.

    >>> [word.group() for word in words(r"It's \text{cm} of sin x, or so")]
    ["It's", 'of', 'or', 'so']
    """
    return [word for word in _WORD.finditer(text) if word["word"]]


def unset(text: str) -> str:
    r"""A text without what TeX sets as text, and without its commands.

    >>> unset(r"5 \text{cm} + \pi").split()
    ['5', '+']
    """
    return _SET_AS_TEXT.sub(" ", text)


_SET_AS_TEXT = lazy(rf"{TEXT_COMMAND}\{{[^{{}}]*\}}|\\[a-zA-Z]+")


def opens_as_prose(text: str) -> bool:
    """Return whether a text with a number begins as a sentence: "I get 5", but not "cos 5" or "xy = 0".

    >>> opens_as_prose("It's 5"), opens_as_prose("I get 5"), opens_as_prose("5 cm"), opens_as_prose("ab = 5")
    (True, True, False, False)
    """
    first = _FIRST.match(text)
    return first is not None and first["name"] is None


_PLAIN_NAMES = "|".join(_NAMES)
_WORD = lazy(
    rf"{TEXT_COMMAND}\{{[^{{}}]*\}}|\\[a-zA-Z]+|(?<![a-zA-Z])(?:{_PLAIN_NAMES})(?![a-zA-Z])"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)+|[^\W\d_]{2,})"
)
_FIRST = lazy(
    rf"[\s*_\"'“‘(]{{0,6}}(?:[-•]\s+)?(?:(?P<name>(?:{_PLAIN_NAMES}|undefined|infinity)(?![a-zA-Z])|(?:option|choice)\s+\(?[A-J]\b"
    r"|[^\W\d_]{2,}\s*[=<>^*/+_(-])|[a-z]+['’][a-z]+\b|[^\W\d_]{2,}\b|i\.e\.|[ai]\s+[$\d]|[a-z]\s+(?!(?:or|and|choose|mod|in)\b)[a-z]{2})",
    re.IGNORECASE,
)


def without_bold(text: str) -> str:
    """A formula without the marks that only set it in bold or as code."""
    return _BOLD.sub("", text)


def _unbold(line: str) -> str:
    """A line of the same length in which such marks are blank."""
    if "**" not in line and "`" not in line:
        return line
    return _BOLD.sub(lambda mark: "\t" * len(mark.group()), line)


# The two below are asked again and again about the numbers of one line: the last answers are remembered.


def line_around(text: str, place: int) -> tuple[int, int]:
    """The line of a place, cut to a bounded length."""
    low, high = max(0, place - _LONGEST), min(len(text), place + _LONGEST)
    start = max(low, text.rfind("\n", low, place) + 1)
    end = text.find("\n", place, high)
    return start, end if end >= 0 else high


@lru_cache(maxsize=32)
def formula_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the formula that holds ``text[start:end]``; without one, that span.

    Values that a word for "or" or "and" joins directly are one formula, as in ``x = 2 or x = 3``.

    >>> text = "so f'(x) = 18x + 4 holds."
    >>> text[slice(*formula_around(text, 17, 18))]
    "f'(x) = 18x + 4"
    """
    low, high = line_around(text, start)
    line = _unbold(text[low:high])
    pieces = _pieces(line)
    inside = [piece for piece in pieces if piece[0] <= start - low and end - low <= piece[1]]
    if not inside:
        return start, end
    first = last = pieces.index(inside[0])
    while first > 0 and _joined(line, pieces[first - 1], pieces[first]):
        first -= 1
    while last + 1 < len(pieces) and _joined(line, pieces[last], pieces[last + 1]):
        last += 1
    begin, finish = pieces[first][0], pieces[last][1]
    return low + begin, low + _exact_end(line, begin, finish, pieces[first : last + 1])


def _exact_end(line: str, begin: int, finish: int, pieces: Sequence[tuple[int, int]]) -> int:
    """Return the end of a formula without its roundings: "7/15 ≈ 0.467, or about 46.7%" says 7/15."""
    rounded = rounding().search(line, begin + 1, finish)
    if rounded is None:
        return finish
    kept = max(
        (min(piece[1], rounded.start()) for piece in pieces if piece[0] < rounded.start()), default=begin
    )
    exact = line[begin:kept].rstrip()
    side = exact.rpartition("=")[2].strip()
    if not any(map(str.isdigit, side)) or _simple_name().fullmatch(side):
        return finish
    return begin + len(exact)


def is_list(text: str, start: int, end: int) -> bool:
    """Return whether a formula is several that words or commas join."""
    line = _unbold(text[start:end])
    return len(_pieces(line)) > 1


def _joined(line: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    if joining().fullmatch(line, left[1], right[0]) is not None:
        return True
    if line[left[1] : right[0]].strip() not in (",", ";"):
        return False
    if "=" in line[slice(*right)]:
        return "=" in line[slice(*left)]
    values = all(_VALUE.fullmatch(line, *each) for each in (left, right))
    return values and (line[right[1] : right[1] + 1] in _AFTER_LIST or ending(line, right[1]) is not None)


_VALUE = lazy(rf"(?:[a-zA-Z]\s*=\s*)?[{MINUS}+]?\d[\d,./]*%?")
_AFTER_LIST = ("", ",", ".", "*", "\t")


@lru_cache(maxsize=32)
def _pieces(line: str) -> tuple[tuple[int, int], ...]:
    """The longest runs of formula in a line, without the signs at their ends that belong to no formula."""
    pieces: list[tuple[int, int]] = []
    run: list[re.Match[str]] = []
    depth = position = 0
    for sign in _SIGN.finditer(line):
        kind = sign.lastgroup
        if kind == "words":
            continue
        if sign.start() > position or (kind == "comma" and depth == 0):
            if run:
                pieces.extend(_trimmed(run))
                run = []
            depth = 0
        position = sign.end()
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "comma" and depth == 0:
            continue
        run.append(sign)
    pieces.extend(_trimmed(run))
    return tuple(pieces)


def _trimmed(run: list[re.Match[str]]) -> list[tuple[int, int]]:
    """A run without loose ends: signs that join nothing, brackets whose partner is elsewhere, words."""
    signs = [sign for sign in run if sign.lastgroup not in _BLANKS]
    signs = _balanced(signs)
    while signs and (signs[-1]["relation"] or signs[-1]["operator"] or signs[-1]["open"]):
        if signs[-1].group() in _CLOSING_SIGNS:
            break
        if signs[-1].group() == "+" and len(signs) > 1 and signs[-2].end() == signs[-1].start():
            break  # 7+: seven and more
        signs.pop()
    while signs and (
        signs[0].group() in _EQUALS
        or signs[0]["close"]
        or (signs[0]["operator"] and signs[0].group() not in _LEADING_SIGNS)
    ):
        signs.pop(0)
    # "a 5", "I 3": a word before a number, and no product.
    while (
        len(signs) > 1
        and signs[0].group() in _ARTICLES
        and signs[0].end() < signs[1].start()
        and not (signs[1]["relation"] or signs[1]["operator"] or signs[1]["open"])
    ):
        signs.pop(0)
    # "5 m", "7 x x": words after a number.
    while len(signs) > 1 and _is_word(signs[-1], signs[-2]):
        signs.pop()
    return [(signs[0].start(), signs[-1].end())] if signs else []


_BLANKS = frozenset({"space", "blank"})
_LETTERS = frozenset(string.ascii_letters) - {"i"}
_LEADING_SIGNS = frozenset({*MINUS, *ROOTS, *"!±+|∠∑∏∫⌊⌈"})
_EQUALS = frozenset({"=", ":=", "≈", "≡", "≅", "≒", "\\approx", "\\equiv"})
_CLOSING_SIGNS = frozenset("|⌋⌉")


def _is_word(sign: re.Match[str], before: re.Match[str]) -> bool:
    apart = before.end() < sign.start()
    return apart and sign.group() in _LETTERS and bool(before["number"] or before["name"])


def _balanced(signs: list[re.Match[str]]) -> list[re.Match[str]]:
    """The last stretch in which every bracket has its partner."""
    opened: list[int] = []
    first = 0
    for place, sign in enumerate(signs):
        if sign["open"]:
            opened.append(place)
        elif sign["close"]:
            if opened:
                opened.pop()
            else:
                first = place + 1
    if opened and opened[-1] < len(signs) - 1:
        first = max(first, opened[-1] + 1)
    return signs[first:]


@cache
def _simple_name() -> re.Pattern[str]:
    return re.compile(
        r"\\?[a-zA-Zα-ωΑ-Ω]+'{0,3}(?:_(?:\{[^{}]{1,20}\}|\w))?'{0,3}(?:\([^()=]{1,30}\))?"
        r"|\|[^|=]{1,30}\|"
    )


def right_side(text: str, start: int, end: int) -> int:
    """Return the start of the last side of a chain of equations, if more than a name precedes it.

    The sides of ``3x + y = 2z + 1`` belong together; those of ``A ∪ B = {1, 2}`` and ``2 · 3 = 6`` do not.
    """
    depth, last = 0, -1
    for place in range(start, end):
        char = text[place]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth = max(0, depth - 1)
        elif (
            char == "="
            and depth == 0
            and text[place - 1] not in "<>!:≤≥"
            and text[place + 1 : place + 2] != "="
        ):
            last = place
    if last < 0:
        return start
    left = text[start:last].strip()
    right = text[last + 1 : end]
    if _simple_name().fullmatch(left):
        return start
    stands_alone = _SET.search(left) is None and "'" not in left and "/d" not in left and "=" not in left
    if stands_alone and _FREE.search(left) and _FREE.search(right):
        return start
    return end - len(right.lstrip())


_FREE = lazy(r"(?<![a-zA-Z\\])[a-zA-Z](?![a-zA-Z])")
_SET = lazy(r"[∪∩∖]|\\(?:cup|cap|setminus)")
