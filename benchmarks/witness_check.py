"""Does a witness show what its verdict claims? An independent check: mpmath alone, no code of the library.

python benchmarks/witness_check.py WITNESSES.jsonl      # a line each; exit status 1 if one is rejected
"""

# fmt: off
from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any
from zlib import crc32

import mpmath as mp

Tree = Mapping[str, Any]
DIGITS = (60, 400, 4_000)  # and twice as many: until two values are told apart
class RejectedError(Exception):
    """A witness does not show what it claims."""
def need(holds: object, why: str) -> None:
    """Reject unless something holds."""
    if not holds:
        raise RejectedError(why)
def leaf(value: object) -> Tree:
    """A number as a formula."""
    return {"is": "Number", "value": str(value)}
def raised(base: Tree, exponent: int) -> Tree:
    """A power as a formula."""
    return {"is": "Power", "base": base, "exponent": leaf(exponent)}
def number(node: Tree) -> Tree:
    """A formula as a shape."""
    return {"is": "Value", "node": node, "unit": ""}
def value(node: Tree, at: Mapping[str, Any]) -> Any:
    """The value of a formula at a point, to the digits that are set."""
    kind = node["is"]
    if kind == "Number" or node.get("function") in EXACT:
        fraction = exact(node)
        return mp.mpf(fraction.numerator) / fraction.denominator
    if kind in ("Symbol", "Dummy"):
        return at[node["name"] if kind == "Symbol" else f"#{node['level']}"]
    if kind == "Constant":
        return {"infinity": mp.inf, "i": mp.mpc(0, 1)}.get(node["name"]) or +getattr(mp, node["name"])
    if kind in ("Sum", "Product"):
        work, parts = (mp.fsum, node["terms"]) if kind == "Sum" else (mp.fprod, node["factors"])
        return work(value(each, at) for each in parts)
    if kind == "Power":
        return power(value(node["base"], at), value(node["exponent"], at))
    if kind == "Root":
        inner, degree = value(node["radicand"], at), node["degree"]
        return -mp.root(-inner, degree) if degree % 2 and inner.real < 0 else mp.root(inner, degree)
    if kind == "Range":
        work = {"integral": mp.quad, "sum": mp.nsum, "product": mp.nprod}[node["operation"]]
        name, ends = f"#{node['dummy']['level']}", [value(node[end], at) for end in ("low", "high")]
        return work(lambda x: value(node["body"], {**at, name: x}), ends)
    return FUNCTIONS[node["function"]](*(value(each, at) for each in node["arguments"]))
def power(base: Any, exponent: Any) -> Any:
    """A power, by multiplication where the exponent is whole."""
    near = mp.nint(exponent.real)
    if abs(exponent - near) > mp.mpf(10) ** (15 - mp.mp.dps) * (1 + abs(near)):
        return mp.power(base, exponent)
    return base ** int(near)
def exact(node: Tree, modulus: int = 0) -> Fraction:
    """A rational number, or what it leaves where it is divided."""
    parts = [exact(each, modulus) for each in (*node.get("terms", ()), *node.get("factors", ()))]
    if node["is"] == "Power":
        base, exponent = exact(node["base"], modulus), exact(node["exponent"])
        need(exponent.denominator == 1 and (modulus or abs(exponent) < 10**5), "a power that is no number")
        found = Fraction(pow(int(base), int(exponent), modulus)) if modulus else base ** int(exponent)
    elif node["is"] == "Apply":
        found = EXACT[node["function"]](*node["arguments"])
    else:
        found = sum(parts) if node["is"] == "Sum" else math.prod(parts) if parts else Fraction(node["value"])
    return Fraction(found.numerator * pow(found.denominator, -1, modulus) % modulus if modulus else found)
def whole(function: Callable[..., int]) -> Callable[..., Fraction]:
    """A function of whole numbers."""
    return lambda *nodes: Fraction(function(*map(int, map(exact, nodes))))
EXACT: dict[str, Callable[..., Fraction]] = {
    "mod": lambda a, b: exact(a, int(exact(b))), "gcd": whole(math.gcd), "lcm": whole(math.lcm),
    "sigma": whole(lambda n: sum(k for k in range(1, n + 1) if n % k == 0)),
    "divisors": whole(lambda n: sum(n % k == 0 for k in range(1, n + 1))),
    "totient": whole(lambda n: sum(math.gcd(n, k) == 1 for k in range(1, n + 1))),
    "subfactorial": whole(lambda n: sum((-1) ** k * math.perm(n, n - k) for k in range(n + 1))),
    "double_factorial": whole(lambda n: math.prod(range(n, 0, -2)))}
SAME = ("sin cos tan cot sec csc asin acos atan acot asec acsc sinh cosh tanh coth sech csch asinh acosh "
        "atanh ln exp gamma zeta digamma beta erf erfc lambertw factorial binomial re im arg sinc floor ceil")
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(mp, name) for name in SAME.split()},
    "log": mp.ln, "log_base": lambda base, x: mp.ln(x) / mp.ln(base), "abs": abs, "max": max, "min": min,
    "percent": lambda x: x / 100, "degrees": lambda x: x * mp.pi / 180, "conjugate": mp.conj, "sgn": mp.sign,
    "cis": lambda x: mp.exp(mp.mpc(0, 1) * x), "of": lambda a, b: a * b}
def differs(one: Tree, other: Tree, at: Mapping[str, Tree], to: Sequence[int] = DIGITS) -> Any:
    """Two values that are told apart; None where they agree to all digits."""
    for digits in to:
        found = []
        for mp.mp.dps in (digits, 2 * digits):
            where = {name: value(each, {}) for name, each in at.items()}
            found.append((value(one, where), value(other, where)))
            need(all(map(mp.isfinite, found[-1])), "no value")
        rough, gap = (left - right for left, right in found)
        if abs(rough - gap) * 100 < abs(gap):  # what is left of rounding changes with the digits
            return found[1]
    return None
def bare(shape: Tree) -> Tree:
    """A shape without its name."""
    return bare(shape["shape"]) if shape["is"] == "Named" else shape
def parts(shape: Tree) -> list[Tree]:
    """The parts of a group or a matrix, in order."""
    shape = bare(shape)
    return list(shape["items"]) if shape["is"] == "Items" else [cell for row in shape["rows"] for cell in row]
def below(tree: Any) -> Iterator[Tree]:
    """All nodes and shapes of a tree."""
    if isinstance(tree, Mapping):
        yield tree
    for each in tree.values() if isinstance(tree, Mapping) else tree if isinstance(tree, list) else ():
        yield from below(each)
def unknowns(tree: Any) -> set[str]:
    """The names of the unknowns."""
    return {each["name"] for each in below(tree) if each.get("is") == "Symbol"}
def order(one: Tree, other: Tree, at: Mapping[str, Tree]) -> int:
    """-1, 0 or 1 as one side is less than the other, the same, or more; either may be infinite."""
    one, other = bare(one), bare(other)
    signs = [each["sign"] if each["is"] == "Infinity" else 0 for each in (one, other)]
    if any(signs):
        return (signs[0] > signs[1]) - (signs[0] < signs[1])
    need(one["is"] == other["is"] == "Value" and one["unit"] == other["unit"], "no numbers to compare")
    found = differs(one["node"], other["node"], at)
    need(found is None or not (mp.im(found[0]) or mp.im(found[1])), "no order among complex numbers")
    return 0 if found is None else -1 if found[0] < found[1] else 1
SIGNS: Any = {"<": lambda side: side < 0, "<=": lambda side: side <= 0, "=": lambda x: not x, "!=": bool}
def holds(shape: Tree, at: Mapping[str, Tree]) -> bool:
    """Whether an equation or inequality holds at a point."""
    if shape["is"] == "Named":
        return shape["sign"] == "=" and order(number(shape["node"]), shape["shape"], at) == 0
    sides = shape["sides"] if shape["is"] == "Chain" else [shape["left"], shape["right"]]
    signs = shape["signs"] if shape["is"] == "Chain" else [shape["sign"]]
    return min(SIGNS[sign](order(*pair, at)) for sign, pair in zip(signs, pairwise(sides), strict=True))
def contains(shape: Tree, node: Tree) -> bool:
    """Whether a number is in a set of numbers."""
    shape = bare(shape)
    kind, name = shape["is"], shape.get("name")
    if kind == "Numbers":
        need(name in ("", "R", "Z") or (name == "N" and exact(node)), "zero may be natural")
        return name == "R" or (name != "" and exact(node).denominator == 1 <= (name == "Z") + exact(node))
    if kind == "Value":
        return order(number(node), shape, {}) == 0
    if kind == "Items" and shape["kind"] in ("list", "{}"):
        return max(contains(each, node) for each in shape["items"])
    if kind == "Items":
        low, high = (order(number(node), each, {}) for each in shape["items"])
        return low >= (shape["kind"][0] != "[") and high <= -(shape["kind"][1] != "]")
    if kind == "Combined":
        found = [contains(each, node) for each in shape["parts"]]
        return {"or": max, "and": min, "without": lambda x: x[0] > max(x[1:])}[shape["operation"]](found)
    names = unknowns(shape)
    need(len(names) == 1, "a set of numbers has one unknown")
    return holds(shape, {names.pop(): node})
def refute(one: Tree, other: Tree, because: Tree) -> None:
    """Reject unless it follows that two shapes differ."""
    left, right, kind = bare(one), bare(other), because["is"]
    sides = [because.get("side") == side for side in ("expected", "given")]
    if kind == "Apart":
        apart(left, right, because["pairs"])
    elif kind == "Part":
        pair, parted = [because["expected"], because["given"]], (parts(one), parts(other))
        named = all(each["is"] == "Named" for each in (*parted[0], *parted[1]))
        free = {left.get("kind"), right.get("kind")} <= {"list", "{}"}
        placed = not free and pair in map(list, zip(*parted, strict=True))
        need(pair[0] in parted[0] and pair[1] in parted[1] and (named or placed), "parts of no pair")
        refute(*pair, because["because"])
    elif kind == "Alone":
        these, those = map(parts, (one, other) if sides[0] else (other, one))
        need(those, "no part is refuted")
        for each, why in zip(those, because["because"], strict=True):
            refute(*((these[because["place"]], each) if sides[0] else (each, these[because["place"]])), why)
    elif kind == "Quotient":
        (a, b), (c, d) = (side["parts"][because["place"] :][:2] for side in (left, right))
        crossed = [{"is": "Product", "factors": [x["node"], y["node"]]} for x, y in ((a, d), (b, c))]
        refute(*map(number, crossed), because["because"])
    elif kind == "Sizes":
        rows = [[len(row) for row in side.get("rows", [parts(side)])] for side in (left, right)]
        alike = left["is"] == right["is"] and left.get("kind", "()") == right.get("kind", "()") == "()"
        need(alike and rows[0] != rows[1], "sizes that say nothing")
    elif kind == "Data":
        need(left["is"] == right["is"], "two kinds of data")
        pairs = [(left[each], right[each]) for each in ("sign", "year", "month", "day") if each in left]
        gap = left.get("seconds", 0) - right.get("seconds", 0)
        clocks = gap % 43_200 or (gap and left["half"] and right["half"])
        need(clocks or any(a != b and None not in (a, b) for a, b in pairs), "the same data")
    elif kind == "Member":
        need([contains(each, because["number"]) for each in (left, right)] == sides, "in both, or in none")
    else:
        need(kind == "Holds", f"an unknown kind of step, {kind}")
        need([holds(each, because["at"]) for each in (one, other)] == sides, "it holds for both, or for none")
def apart(one: Tree, other: Tree, pairs: list[Tree]) -> None:
    """Reject unless two values differ in every pair of formulas that was compared."""
    need(one["is"] == other["is"] == "Value" and pairs, "no values")
    modulus = one["unit"].removeprefix("mod ") if one["unit"] == other["unit"] else ""
    for pair in pairs:
        for side, of in (("left", one), ("right", other)):
            need(stems(pair[side], of["node"], one["unit"] != other["unit"]), "not what was read")
        need(unknowns(pair["left"]) == unknowns(pair["right"]) == set(pair["at"]), "not the same unknowns")
        found = differs(pair["left"], pair["right"], {name: leaf(text) for name, text in pair["at"].items()})
        need(found is not None, "the values agree")
        claimed = [list(map(enclosure, each)) for each in pair["values"]]
        for mine, balls in zip(found or (), claimed, strict=True):
            for part, (middle, error) in zip((mp.re(mine), mp.im(mine)), balls, strict=True):
                need(abs(part - middle) <= error + abs(part) * mp.mpf(10) ** -40, "a value lies outside")
        need(any(abs(a[0] - b[0]) > a[1] + b[1] for a, b in zip(*claimed, strict=True)), "they meet")
        if modulus.isdecimal():
            need(exact(pair["left"], int(modulus)) != exact(pair["right"], int(modulus)), "congruent numbers")
def enclosure(text: str) -> tuple[Any, Any]:
    """The middle and the error of a decimal, or of ``[decimal +/- error]``."""
    middle, _, error = text.strip("[]").rpartition("+/- ") if "+/-" in text else (text, "", "0")
    return mp.mpf(middle.strip() or 0), mp.mpf(error)
def stems(formula: Tree, node: Tree, scaled: bool = True) -> bool:
    """Whether a formula is what was read, without a sign, or in another measure."""
    measured = scaled or formula.get("function") == "degrees"
    return formula in below(node) or (measured and node in below(formula))
def agree(one: Tree, other: Tree, because: Tree) -> None:
    """Reject unless it follows that two shapes are equal."""
    left, right, kind = bare(one), bare(other), because["is"]
    if kind == "Identity":
        for part, side in (("left", left), ("right", right)):
            need(stems(because[part], side["node"]), "not what was read")
        identical(because["left"], because["right"], because["normal"])
    elif kind == "Parts":
        for mine, theirs, why in because["pairs"]:
            agree(mine, theirs, why)
        for place, side in enumerate((one, other)):
            paired = [bare(pair[place]) for pair in because["pairs"]]
            need(all(bare(each) in paired for each in parts(side)), "a part has no partner")
    else:
        need(kind == "Sets", f"{kind} shows nothing")
        ends = [each["node"] for each in below([one, other]) if each["is"] == "Value" and not unknowns(each)]
        for end, step in product(ends, ("0", "-1/999", "1/999")):
            node = {"is": "Sum", "terms": [end, leaf(step)]}
            need(contains(left, node) == contains(right, node), "a number is in one of the sets alone")
def identical(one: Tree, other: Tree, normal: Any) -> None:
    """Reject unless two formulas, and the normal form of both, have one value at all of some points."""
    forms = [one, other]
    if normal is not None:
        tops = [{"is": "Sum", "terms": [
            {"is": "Product", "factors": [leaf(factor), *map(raised, normal[0], exponents)]}
            for factor, exponents in terms]} for terms in normal[1:]]
        forms.append({"is": "Product", "factors": [tops[0], raised(tops[1], -1)]})
    for seed in range(6):
        at = {name: leaf(f"{1 + crc32(f'{seed}{name}'.encode()) % 4_000}/997") for name in unknowns(forms)}
        need(not any(differs(*pair, at, DIGITS[:1]) for pair in pairwise(forms)), "the values differ")
def accounts(text: str, shape: Tree) -> None:
    """Reject unless the unknowns and the numbers of a reading stand in its text."""
    text = unicodedata.normalize("NFKC", re.sub(r"\\\\\s*\[[^\]]*\]", " ", text))
    greek = " ".join(unicodedata.name(each, "").lower() for each in text if not each.isascii())
    commands = ["", *re.findall(r"\\([a-z]+)", text.lower()), *greek.split()]
    letters = re.sub(r"\\[a-zA-Z]+", " ", text)
    for name in unknowns(shape):
        base = re.split(r"[_'(@/]", name.lstrip("#\\"))[0]
        known = any(base.lower().startswith(each) and base[len(each):] in letters for each in commands)
        need(known, f"{name} is not in the text")
    if re.search(r"[^ -~]|\\(over|dot|text|math|oper)|\.", text) or re.search("[a-zA-Z]{3}", letters):
        return  # words may be numbers, and stretches repeat
    numerals = [*map(Fraction, re.findall(r"\d+", text))][:12]
    quotients = {a / b for a in numerals for b in (1, *filter(None, numerals))}
    stated = quotients | {a + b for a in numerals for b in quotients}
    for each in below(shape if not any(each.get("unit") for each in below(shape)) else []):
        if each["is"] == "Number" and re.search(r"\d\d", each["value"]):
            known = all(part in re.sub(r"\D", "", text) for part in re.findall(r"\d+", each["value"]))
            need(known or abs(Fraction(each["value"])) in stated, f"{each['value']} is not in the text")
DRESS = r"\\(text|math|oper)[a-z]*|\\(left|right|,|;|!| )|\\[dtc](?=frac|binom)|[\s{}$.()\\]"
def check(witness: Tree) -> str:
    """Why a witness is rejected; "" if it is confirmed."""
    try:
        claim, texts = witness["claim"], [witness["expected"], witness["given"]]
        need(witness["shown"] and claim.startswith(("proved_", "equal_")), "nothing is claimed")
        for shown in witness["shown"]:
            if claim == "equal_text":
                need(len({re.sub(DRESS, "", text).casefold() for text in texts}) == 1, "two texts")
                continue
            for text, side in zip(texts, ("expected", "given"), strict=True):
                if claim == "proved_unequal":  # what the letter of a choice stands for is in the question
                    accounts(text + witness["question"] if len(text) == 1 else text, shown[side])
            judge = refute if claim == "proved_unequal" else agree
            judge(shown["expected"], shown["given"], shown["because"])
    except (RejectedError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        return str(problem) if isinstance(problem, RejectedError) else f"malformed: {problem!r}"
    return ""
def main() -> bool:
    """Print what is rejected, and how many are confirmed."""
    with open(sys.argv[1], encoding="utf-8") as file:
        found = [(check(each), each["given"], each["expected"]) for each in map(json.loads, file)]
    wrong = [f"{why}: {given!r:.60} for {expected!r:.60}" for why, given, expected in found if why]
    print(*wrong, f"{len(found) - len(wrong)} of {len(found)} confirmed", sep="\n")
    return bool(wrong)
if __name__ == "__main__":
    sys.exit(main())
