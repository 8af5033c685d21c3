r"""The whole formula around a place in a sentence: ``f'(x) = 18x + 4`` around its 4."""

from __future__ import annotations

import re
from functools import cache

from ..language.patterns import joining, rounding
from ..language.stance import ending

# One token per match. Single letters are names, longer words only where they are functions.
_TOKEN = re.compile(
    r"(?P<formula>(?<![\\$])\$(?:[^\s$](?:[^$\n]{0,300}[^\s$\\])?)\$(?!\d)|\\\((?:[^\n]{1,300}?)\\\))"
    r"|(?P<number>[$€£¥₩]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\w)\.\d+)"
    r"|(?P<name>(?<![^\W\d_])(?:arc)?(?:sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|max|min|gcd|lcm|mod|pi|inf|det|dim)(?![a-zA-Z])"
    r"|(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])|\\[a-zA-Z]+|[Α-Ωα-ωπ∞∅])'{0,3}"
    r"|(?P<mark>_(?:\{[^{}\n]{1,20}\}|\w)|[²³¹⁰⁴-⁹₀-₉ⁿ]+|!|°|%|\\%|'{1,3})"
    r"|(?P<relation>[=≈≤≥≠∈⊂⊆≡≅]|:=|(?<!<)<(?!<)|(?<!>)>(?!>))"
    r"|(?P<operator>[-−–+*/·×÷^√±∓∪∩∖|]|\\[,;!: ])"
    r"|(?P<open>[(\[{（]|\\\{|\\\[)|(?P<close>[)\]}）]|\\\}|\\\])"
    r"|(?P<comma>[,，])|(?P<space>[ \t]{1,4})"
)
_BOLD = re.compile(r"(?<![\w)\]}*])\*\*(?=[^\s*])|(?<=[^\s*])\*\*(?![\w(\[{\\*])|`")
_PAIRS = {"(": "round", "[": "round", "{": "brace", ")": "round", "]": "round", "}": "brace"}
_LONGEST = 600
"""Characters on either side in which the formula is looked for."""
_ARTICLES = frozenset("aAI")


def without_bold(text: str) -> str:
    """A formula without the marks that only set it in bold or as code."""
    return _BOLD.sub("", text)


def line_around(text: str, place: int) -> tuple[int, int]:
    """The line of a place, cut to a bounded length."""
    low, high = max(0, place - _LONGEST), min(len(text), place + _LONGEST)
    start = max(low, text.rfind("\n", low, place) + 1)
    end = text.find("\n", place, high)
    return start, end if end >= 0 else high


def formula_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the formula begins and ends that holds ``text[start:end]``; just that where there is none.

    Values that a word for "or" or "and" joins directly are one formula, as in ``x = 2 or x = 3``.

    >>> text = "so f'(x) = 18x + 4 holds."
    >>> text[slice(*formula_around(text, 17, 18))]
    "f'(x) = 18x + 4"
    """
    low, high = line_around(text, start)
    line = _BOLD.sub(lambda mark: "\t" * len(mark.group()), text[low:high])
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


def _exact_end(line: str, begin: int, finish: int, pieces: list[tuple[int, int]]) -> int:
    """Where a formula ends without its roundings: "7/15 ≈ 0.467, or about 46.7%" says 7/15."""
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
    """Whether a formula is several that words or commas join."""
    line = _BOLD.sub(lambda mark: "\t" * len(mark.group()), text[start:end])
    return len(_pieces(line)) > 1


def _joined(line: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    if joining().fullmatch(line, left[1], right[0]) is not None:
        return True
    if line[left[1] : right[0]].strip() != ",":
        return False
    if "=" in line[slice(*right)]:
        return "=" in line[slice(*left)]
    values = all(_VALUE.fullmatch(line, *each) for each in (left, right))
    return values and (line[right[1] : right[1] + 1] in _AFTER_LIST or ending(line, right[1]) is not None)


_VALUE = re.compile(r"(?:[a-zA-Z]\s*=\s*)?[-−+]?\d[\d,./]*%?")
_AFTER_LIST = ("", ",", ".", "*", "\t")


def _pieces(line: str) -> list[tuple[int, int]]:
    """The longest runs of formula in a line, without the signs at their ends that belong to no formula."""
    pieces: list[tuple[int, int]] = []
    run: list[re.Match[str]] = []
    depth = 0
    position = 0
    while position < len(line):
        token = _TOKEN.match(line, position)
        if token is None:
            pieces.extend(_trimmed(line, run))
            run, depth = [], 0
            position += 1
            continue
        position = token.end()
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth = max(0, depth - 1)
        if token["comma"] and depth == 0:
            pieces.extend(_trimmed(line, run))
            run = []
            continue
        run.append(token)
    pieces.extend(_trimmed(line, run))
    return pieces


def _trimmed(line: str, run: list[re.Match[str]]) -> list[tuple[int, int]]:
    """A run without loose ends: signs that join nothing, brackets whose partner is elsewhere, words."""
    tokens = [token for token in run if not token["space"]]
    tokens = _balanced(tokens)
    while tokens and (tokens[-1]["relation"] or tokens[-1]["operator"] or tokens[-1]["open"]):
        tokens.pop()
    while tokens and (
        tokens[0]["relation"]
        or tokens[0]["close"]
        or (tokens[0]["operator"] and tokens[0].group() not in "-−√±+|")
    ):
        tokens.pop(0)
    # "a 5", "I 3": a word before a number, and no product.
    while (
        len(tokens) > 1
        and tokens[0].group() in _ARTICLES
        and tokens[0].end() < tokens[1].start()
        and not (tokens[1]["relation"] or tokens[1]["operator"] or tokens[1]["open"])
    ):
        tokens.pop(0)
    # "5 m", "7 x x": words after a number.
    while len(tokens) > 1 and _is_word(tokens[-1], tokens[-2]):
        tokens.pop()
    return [(tokens[0].start(), tokens[-1].end())] if tokens else []


def _is_word(token: re.Match[str], before: re.Match[str]) -> bool:
    apart = before.end() < token.start()
    return (
        apart
        and len(token.group()) == 1
        and token.group().isalpha()
        and bool(before["number"] or before["name"])
    )


def _balanced(tokens: list[re.Match[str]]) -> list[re.Match[str]]:
    """The last stretch in which every bracket has its partner."""
    opened: list[int] = []
    first = 0
    for place, token in enumerate(tokens):
        if token["open"]:
            opened.append(place)
        elif token["close"]:
            if opened:
                opened.pop()
            else:
                first = place + 1
    if opened and opened[-1] < len(tokens) - 1:
        first = max(first, opened[-1] + 1)
    return tokens[first:]


@cache
def _simple_name() -> re.Pattern[str]:
    return re.compile(
        r"\\?[a-zA-Zα-ωΑ-Ω]+'{0,3}(?:_(?:\{[^{}]{1,20}\}|\w))?'{0,3}(?:\([^()=]{1,30}\))?"
        r"|\|[^|=]{1,30}\|"
    )


def right_side(text: str, start: int, end: int) -> int:
    """Where the last side of a chain of equations begins, if what stands before is more than a name.

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


_FREE = re.compile(r"(?<![a-zA-Z\\])[a-zA-Z](?![a-zA-Z])")
_SET = re.compile(r"[∪∩∖]|\\(?:cup|cap|setminus)")
