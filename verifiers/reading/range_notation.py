r"""Integrals, sums, products and limits: ``\int_0^1 x^2 dx``, ``\sum_{n=1}^{\infty} \frac{1}{n^2}``."""

from __future__ import annotations

from fractions import Fraction

from ..formulas.cost_limits import MAX_WRITTEN_OUT, UnreadableError
from ..formulas.exact_values import TooLargeError, exact
from ..formulas.formula_equality import decide, is_equal
from ..formulas.formula_tree import (
    INFINITY,
    Node,
    Number,
    Product,
    Sum,
    Symbol,
    bind,
    negative,
    substitute,
    symbols,
    walk,
)
from ..language.signs import GREEK
from ..runtime.patterns import lazy
from .grammar import Grammar

_MARK = ";"
"""Put before the letter of a differential; nothing in a formula goes on after it."""
_DIFFERENTIALS = lazy(r"(.*?)((?:d[a-zA-Z]){1,8})")
_MOST_LEVELS = 3


def series(reader: Grammar, name: str) -> Node:
    r"""``\sum_{k=1}^{4} k`` term by term; as a range where it is long, infinite, or its ends are not numbers.

    Raises:
        UnreadableError: It is not read here.
    """
    _skip_limits(reader)
    reader.expect("_")
    reader.expect("{")
    letter = _letter(reader)
    reader.expect("=")
    first = _signed_end(reader)
    reader.expect("}")
    reader.expect("^")
    last = _end(reader)
    body = reader.product()
    _check(body, letter)
    if not (_may_be_whole(first) and _may_be_whole(last)):
        raise UnreadableError("a range between fractions")
    if not (isinstance(first, Number) and isinstance(last, Number)):
        return _bound("sum" if name == "sum" else "product", body, letter, first, last)
    count = int(last.value - first.value) + 1
    if not count > 0:
        raise UnreadableError("a sum or product of no terms")
    if count * sum(1 for _ in walk(body)) > MAX_WRITTEN_OUT:
        return _bound("sum" if name == "sum" else "product", body, letter, first, last)
    terms = tuple(
        substitute(body, {letter: Number(Fraction(number))})
        for number in range(int(first.value), int(last.value) + 1)
    )
    return Sum(terms) if name == "sum" else Product(terms)


def integral(reader: Grammar) -> Node:
    r"""``\int_0^1 x dx``; the integrand ends at its differential, which may stand in a numerator.

    Raises:
        UnreadableError: It has no ends, or is not read here for another reason.
    """
    _skip_limits(reader)
    ends: dict[str, Node] = {}
    while (sign := reader.peek()) in ("_", "^"):
        reader.take()
        ends[sign or ""] = _end(reader)
    if len(ends) < 2:
        raise UnreadableError("an integral without ends")
    _mark_differential(reader)
    body: Node = Number(Fraction(1)) if reader.peek() == _MARK else reader.sum()
    reader.expect(_MARK)
    letter = _letter(reader)
    _check(body, letter)
    return _bound("integral", body, letter, ends["_"], ends["^"])


def limit(reader: Grammar) -> Node:
    r"""``\lim_{x \to 0^+} \frac{\sin x}{x}``: the place, and the side from which it is approached.

    Raises:
        UnreadableError: It is not read here.
    """
    _skip_limits(reader)
    reader.expect("_")
    reader.expect("{")
    letter = _letter(reader)
    if reader.take() not in ("\\to", "\\rightarrow"):
        raise UnreadableError("a limit that goes nowhere")
    side = _side(reader)
    place = _signed_end(reader)
    reader.expect("}")
    body = reader.product()
    _check(body, letter)
    return _bound("limit", body, letter, place, Number(Fraction(side)))


def continued(terms: list[Node]) -> Node | None:
    r"""``1 + 3 + \cdots + (2n-1)`` as the sum of its last term, in which n runs; None where no n fits.

    Args:
        terms: Terms, one of which stands for those that are left out.
    """
    place = terms.index(Symbol("\\dots"))
    first, rest = terms[:place], terms[place + 1 :]
    if len(first) < 2 or len(rest) != 1 or len(first) > _MOST_SHOWN:
        return None
    last = rest[0]
    for letter in sorted(symbols(last)):
        for start in range(-1, _MOST_SHOWN):
            shown = (substitute(last, {letter: Number(Fraction(start + at))}) for at in range(len(first)))
            if all(is_equal(decide(one, other)) for one, other in zip(first, shown, strict=True)):
                return bind("sum", last, letter, Number(Fraction(start)), Symbol(letter))
    return None


_MOST_SHOWN = 5
"""Terms before the dots from which a rule is read."""


def _side(reader: Grammar) -> int:
    """1 or -1 for a limit from above or below, whose mark is taken out; else 0."""
    words, start = reader.words, reader.position
    end = words.index("}", start) if "}" in words[start:] else start
    if words[end + 1 : end + 2] == ["}"] and words[end - 3 : end - 1] == ["^", "{"]:
        mark, begin, end = words[end - 1], end - 3, end + 1
    else:
        mark, begin = words[end - 1], end - 2
    if begin <= start or words[begin] != "^" or mark not in ("+", "-"):
        return 0
    del words[begin:end]
    return 1 if mark == "+" else -1


def _may_be_whole(end: Node) -> bool:
    try:
        value = exact(end)
    except TooLargeError:
        return False
    return value is None or bool(value.q == 1)


def _skip_limits(reader: Grammar) -> None:
    if reader.peek() == "\\limits":
        reader.take()


def _bound(operation: str, body: Node, letter: str, low: Node, high: Node) -> Node:
    found = bind(operation, body, letter, low, high)
    if found.dummy.level > _MOST_LEVELS:
        raise UnreadableError("ranges nested too deeply")
    return found


def _letter(reader: Grammar) -> str:
    word = reader.take()
    name = word.removeprefix("\\")
    if not (len(name) == 1 and name.isalpha()) and name not in GREEK:
        raise UnreadableError(f"{word!r} does not run over a range")
    return name


def _end(reader: Grammar) -> Node:
    """An end of a range: in braces, or one word."""
    if reader.peek() == "\\infty":
        reader.take()
        return INFINITY
    if reader.peek() != "{":
        return reader.argument()
    reader.take()
    node = _signed_end(reader)
    reader.expect("}")
    return node


def _signed_end(reader: Grammar) -> Node:
    ahead = 1 if reader.peek() in ("+", "-") else 0
    if reader.peek(ahead) == "\\infty":
        minus = ahead == 1 and reader.peek() == "-"
        reader.position += ahead + 1
        return negative(INFINITY) if minus else INFINITY
    return reader.sum()


def _check(body: Node, letter: str) -> None:
    """Refuse names that hide what runs: ``f(x)``, ``a_n``, dots."""
    for each in walk(body):
        if isinstance(each, Symbol) and each.name != letter:
            plain = each.name.rstrip("'")
            if plain.startswith("\\") or "(" in plain or "/" in plain or letter in plain.partition("_")[2]:
                raise UnreadableError(f"{each.name!r} may depend on {letter!r}")


def _mark_differential(reader: Grammar) -> None:
    r"""Put `_MARK` before the letter of the differential that ends this integrand.

    ``\frac{dx}{x}`` becomes ``\frac{1}{x}`` with the differential after it.
    """
    words, at, depth, inner = reader.words, reader.position, 0, 0
    while at < len(words):
        word = words[at]
        if word in ("(", "[", "{", "\\{"):
            depth += 1
        elif word in (")", "]", "}", "\\}"):
            depth -= 1
        elif word == "\\int" and depth == 0:
            inner += 1
        elif word == "\\frac" and depth == 0 and not inner and _moved_out(words, at):
            at += 1
            continue
        if depth < 0:
            break
        if depth == 0 and (cut := _cut(words, at)) is not None:
            count, before, letters = cut
            pairs = [each for letter in letters for each in ("d", letter)]
            words[at : at + count] = [*before, *pairs]
            at += len(before)
            if len(letters) > inner:
                words[at + 2 * inner] = _MARK
                return
            inner -= len(letters)
            at += len(pairs)
            continue
        at += 1
    raise UnreadableError("an integral without a differential")


def _cut(words: list[str], at: int) -> tuple[int, list[str], list[str]] | None:
    """The number of words of differentials, what stands before them in those words, and their letters."""
    word = words[at]
    following = words[at + 1] if at + 1 < len(words) else ""
    greek = following[:1] == "\\" and following[1:] in GREEK
    if word == "d" and (greek or (len(following) == 1 and following.isalpha())):
        return 2, [], [following]
    if not (word.isascii() and word.isalpha()) or len(word) < 2:
        return None
    if found := _DIFFERENTIALS.fullmatch(word):
        return 1, list(found[1]), list(found[2][1::2])
    return (2, list(word[:-1]), [following]) if word[-1] == "d" and greek else None


def _moved_out(words: list[str], at: int) -> bool:
    r"""Return whether a fraction's numerator ended with a differential, which then was moved after it."""
    if words[at + 1 : at + 2] != ["{"]:
        return False
    middle = _closing(words, at + 1)
    if middle is None or words[middle + 1 : middle + 2] != ["{"]:
        return False
    end = _closing(words, middle + 1)
    if end is None:
        return False
    for start in (middle - 2, middle - 1):
        cut = _cut(words, start) if start > at + 1 else None
        if cut is not None and start + cut[0] == middle:
            if words[middle + 2][0] == "d" and middle + 3 == end:
                return False  # dy/dx
            words[end + 1 : end + 1] = [each for letter in cut[2] for each in ("d", letter)]
            words[start:middle] = cut[1] or (["1"] if start == at + 2 else [])
            return True
    return False


def _closing(words: list[str], opening: int) -> int | None:
    depth = 0
    for place in range(opening, len(words)):
        depth += words[place] == "{"
        depth -= words[place] == "}"
        if depth == 0:
            return place
    return None
