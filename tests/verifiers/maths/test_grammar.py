"""The grammar, exact algebra and ball arithmetic: laws, differential tests against sympy, and hostile input."""

from __future__ import annotations

import threading
from fractions import Fraction

import flint
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import HANG, examples, timed, within
from verifiers.formulas.answer_shapes import Hedge
from verifiers.formulas.ball_values import at_precision
from verifiers.formulas.cost_limits import UnreadableError
from verifiers.formulas.formula_equality import decide as decide_trees
from verifiers.formulas.formula_tree import Number, Power, Symbol, symbols, walk
from verifiers.reading.formula_parser import parse
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read

EXAMPLES = examples(300)

# Random expressions as pairs: LaTeX for us, sympy for an independent judgement.
Pair = tuple[str, sympy.Expr]
LEAVES: st.SearchStrategy[Pair] = (
    st.integers(0, 12).map(lambda n: (str(n), sympy.Integer(n)))
    | st.sampled_from("xyz").map(lambda name: (name, sympy.Symbol(name)))
    | st.just((r"\pi", sympy.pi))
    | st.tuples(st.integers(1, 9), st.integers(1, 9)).map(
        lambda pair: (rf"\frac{{{pair[0]}}}{{{pair[1]}}}", sympy.Rational(*pair))
    )
)


def _grow(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    two = st.tuples(inner, inner)
    return (
        two.map(lambda p: (f"({p[0][0]}) + ({p[1][0]})", p[0][1] + p[1][1]))
        | two.map(lambda p: (f"({p[0][0]}) - ({p[1][0]})", p[0][1] - p[1][1]))
        | two.map(lambda p: (rf"({p[0][0]}) \cdot ({p[1][0]})", p[0][1] * p[1][1]))
        | two.map(lambda p: (rf"({p[0][0]})({p[1][0]})", p[0][1] * p[1][1]))
        | st.tuples(inner, st.integers(0, 3)).map(lambda p: (f"({p[0][0]})^{{{p[1]}}}", p[0][1] ** p[1]))
        | inner.map(lambda p: (rf"\sqrt{{({p[0]})^2 + 1}}", sympy.sqrt(p[1] ** 2 + 1)))
        | inner.map(lambda p: (rf"\sin({p[0]})", sympy.sin(p[1])))
        | inner.map(lambda p: (f"-({p[0]})", -p[1]))
    )


def decide(one: str, other: str) -> str | None:
    """The stage that decides about two formulas; None where the grammar does not read one."""
    try:
        return decide_trees(parse(one), parse(other))
    except UnreadableError:
        return None


EXPRESSIONS: st.SearchStrategy[Pair] = st.recursive(LEAVES, _grow, max_leaves=6)
# Rewritings that keep the value, whatever the expression.
REWRITES = [
    lambda t: f"({t}) + 0",
    lambda t: f"1 \\cdot ({t})",
    lambda t: rf"\frac{{2({t})}}{{2}}",
    lambda t: f"-(-({t}))",
    lambda t: rf"({t})(\sin^2 x + \cos^2 x)",
    lambda t: f"({t} + z) - z",
    lambda t: rf"\frac{{({t})(x^2 + 1)}}{{x^2 + 1}}",
    lambda t: rf"({t})\ln e",
]


@settings(deadline=None, max_examples=EXAMPLES)
@given(EXPRESSIONS, st.sampled_from(REWRITES))
def test_rewriting_keeps_equality(pair: Pair, rewrite) -> None:  # type: ignore[no-untyped-def]
    """Proved exactly, or to hundreds of digits; and in both directions."""
    text, again = pair[0], rewrite(pair[0])
    assert (decide(text, again) or "").startswith("equal_")
    assert (decide(again, text) or "").startswith("equal_")


@settings(deadline=None, max_examples=EXAMPLES)
@given(EXPRESSIONS, EXPRESSIONS)
def test_what_sympy_tells_apart_is_never_equal(one: Pair, other: Pair) -> None:
    """By an independent evaluation at two points, to 40 digits."""
    points = [{"x": sympy.Rational(7, 5), "y": sympy.Rational(3, 11), "z": sympy.Rational(13, 8)},
              {"x": sympy.Rational(2, 9), "y": sympy.Rational(17, 7), "z": sympy.Rational(5, 6)}]  # fmt: skip
    values = [(one[1] - other[1]).subs(point).evalf(40, maxn=200) for point in points]
    far = any(abs(value) > sympy.Float("1e-15") for value in values)
    verdict = decide(one[0], other[0])
    assert verdict is not None
    assert verdict == "proved_unequal" if far else verdict.startswith("equal_")


@settings(deadline=None, max_examples=EXAMPLES)
@given(EXPRESSIONS)
def test_a_mutation_is_noticed(pair: Pair) -> None:
    """However small it is."""
    for change in ("+ 1", r"+ \frac{1}{10^{30}}", r"+ \frac{1}{300!}"):
        assert decide(pair[0], f"{pair[0]} {change}") == "proved_unequal"


@settings(deadline=None, max_examples=examples(200))
@given(st.text(r"0123456789xyei+-*/^_(){}[]|!., \acdfgnopqrstu", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Never another exception, and what is read holds finite numbers only."""
    try:
        tree = parse(text)
    except UnreadableError:
        return
    assert symbols(tree) is not None
    for node in walk(tree):
        assert not isinstance(node, Number) or node.value.denominator > 0
    decide(text, "1")


@from_table()
def test_decisions(one: str, other: str, reason: str | None) -> None:
    """Each by the stage that should decide it, in both directions."""
    assert decide(clean(one), clean(other)) == reason
    assert decide(clean(other), clean(one)) == reason


@pytest.mark.parametrize(
    "text",
    ["1 2", "apples", "5!!!", "", "(", "2(3", r"\frac", "x^", "|x", "1,2", r"\int x",
     "(" * 100 + "1" + ")" * 100, "1+" * 1000 + "1", "{}", r"\log_2", "2^{2", "9" * 5000],
)  # fmt: skip
def test_what_is_not_certain_is_refused(text: str) -> None:
    """Another stage decides then."""
    if text == "5!!!":
        assert decide(text, "5") is None
        return
    with pytest.raises(UnreadableError):
        parse(text)


def test_readings_that_matter() -> None:
    """Mixed numbers, powers of powers, lone letters."""
    assert parse(r"2\frac{1}{2}") == Number(Fraction(5, 2))
    assert parse("2^3^2") == Power(Number(Fraction(2)), Power(Number(Fraction(3)), Number(Fraction(2))))
    assert parse("m") == Symbol("m")
    assert symbols(parse("3n+2m")) == {"n", "m"}


@settings(deadline=None)
@given(st.data())
def test_hostile_formulas_cost_little(data: st.DataObject) -> None:
    """Towers, factorials of factorials, wide powers: decided or refused in a moment, on any thread."""
    base = data.draw(st.sampled_from(["9", "x", "(x+y+z+1)", "2^{9}", "10", r"\pi", "n!"]))
    for _ in range(data.draw(st.integers(1, 4))):
        base = data.draw(st.sampled_from(["{}^{{{}}}", "({})!", r"\binom{{{0}}}{{5}}", "({})^{{999}}", "({0})({0})"])).format(base, base)  # fmt: skip
    assume(len(base) < 2000)

    def work() -> None:
        thread = threading.Thread(target=lambda: decide(base, "42"))
        thread.start()
        thread.join()
        decide(base, base + "+1")

    assert within(timed(work)[1], 2.0)


def test_threads_do_not_disturb_one_another() -> None:
    """The precision of ball arithmetic is one for the process: a decision is what it is alone."""
    pairs = [(r"\sqrt{8}", r"2\sqrt{2}", True), (r"\sqrt{8}", r"2\sqrt{2} + \frac{1}{10^{60}}", False),
             (r"\sin^2 x + \cos^2 x", "1", True), ("1+e^{-700}", "1", False)]  # fmt: skip
    alone = [decide(one, other) for one, other, _ in pairs]
    assert [str(reason).startswith("equal_") for reason in alone] == [equal for _, _, equal in pairs]
    wrong: list[tuple[str, str, str | None]] = []

    def work() -> None:
        for _ in range(40):
            for (one, other, _), expected in zip(pairs, alone, strict=True):
                if (reason := decide(one, other)) != expected:
                    wrong.append((one, other, reason))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_precision_holds_until_it_is_left() -> None:
    """Another thread that leaves its own meanwhile takes nothing away, and leaves nothing behind."""
    usual = flint.ctx.prec
    inside, leave, came_in = threading.Event(), threading.Event(), threading.Event()
    found: list[int] = []

    def held() -> None:
        inside.set()
        leave.wait(HANG)

    def late() -> None:
        came_in.set()
        one.join(HANG)
        found.append(flint.ctx.prec)

    def first() -> None:
        at_precision(500, held)

    def second() -> None:
        inside.wait(HANG)
        at_precision(64, late)

    one, two = threading.Thread(target=first), threading.Thread(target=second)
    one.start()
    two.start()
    came_in.wait(0.2)  # it cannot
    leave.set()
    two.join(HANG)
    assert (found, flint.ctx.prec) == ([64], usual)


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("2+2=4", True), ("2+2=42", False), (r"\log_2 8=3", True), (r"\frac{1}{2}=0.5=\frac{2}{4}", True),
        ("4=4=5", False), ("4=4", False), ("x=41=42", False), ("x = 5 + 5 = 10", True), ("f(x)=(x+1)^2=x^2+2x+1", True),
        ("f(x)=(x+1)^2=x^2+x+1", False), (r"1/3 \approx 0.333", True), (r"1/3 \approx 0.5", False),
    ],
)  # fmt: skip
def test_calculations_are_followed(text: str, true: bool) -> None:
    """A false one must not be paid for its last number, and what equals itself says nothing."""
    assert isinstance(read(clean(text)), Hedge) is not true


@pytest.mark.parametrize(
    "text",
    [
        "(2^{100000}x+1)^{400}", "(x+y+z+w+1)^{399}", "3000!+" * 300 + "1", r"\binom{3000}{1500}^{6}", r"9^{9^{9}}+x",
        r"(1+\frac{1}{x})^{300}", "n!" * 60, "10^{9999}" * 40, r"\tan(" * 20 + "10^{39}" + ")" * 20,
        "(a+b)^{20}(c+d)^{20}(e+f)^{20}",
    ],
)  # fmt: skip
def test_wide_formulas_are_bounded(text: str) -> None:
    """By the size of their coefficients as well as by their number."""
    reason, seconds = timed(decide, clean(text), "x+1")
    assert not (reason or "").startswith("equal_")
    assert within(seconds, 2.0)
