"""The body of a range as a function of balls: compiled once, called as often as the budget allows.

An integral by Gauss and Legendre is rigorous only if the integrand says where it is analytic, so each
function has its own rule for that. Where a rule is not sure it gives a ball without bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..runtime.packages import deferred
from .cost_limits import left, spend
from .exact_values import TooLargeError, exact
from .formula_tree import (
    INFINITY,
    Apply,
    Constant,
    Dummy,
    Node,
    Number,
    Power,
    Product,
    Range,
    Root,
    Sum,
    Symbol,
    children,
    negative,
    walk,
)
from .growth import NoEnclosureError

ctypes, flint = deferred("ctypes"), deferred("flint")


_MOST_UNITS = 1_000_000
_SHARE = 3
"""One integral may take a third of what is left: there may be two sides, and a second precision."""
_FEWEST_CALLS = 40
_TABLES = 12_000
"""Units of what flint does besides calls at a high precision: more than the process that asks has."""
_REFUTING = 2 * 128
"""Bits up to which a value is wanted for what it differs from."""


def size(node: Node) -> int:
    """The nodes of a body: what one call of it costs."""
    return sum(1 for _ in walk(node))


def spend_at_precision(units: int) -> None:
    """Spend work that is done at the precision that is set."""
    spend(units * (1 + flint.ctx.prec // 256))


def integrated(call: Callable[[Any, bool], Any], low: Any, high: Any, cost: int) -> Any:
    """The integral of a function between two finite ends, at the precision that is set.

    Args:
        call: The function, of a ball and whether it must be analytic there.
        low: An end.
        high: The other.
        cost: Units of one call.
    """
    over: list[BaseException] = []
    unknown = flint.acb("nan")

    def charged(value: Any, analytic: bool) -> Any:
        # An exception must not pass through flint: what follows it gets balls without bounds.
        if not over:
            try:
                _raise_left()
                spend_at_precision(cost)
                return call(value, analytic)
            except BaseException as error:  # Ctrl-C among them
                over.append(error)
        return unknown

    precision = flint.ctx.prec
    if precision > _REFUTING:
        spend(_TABLES)
    calls = left(_MOST_UNITS) // (_SHARE * cost * (1 + precision // 256))
    spend_at_precision(cost * _FEWEST_CALLS)
    # The first precision only has to refute; and the widest pieces go first, as long as there are calls.
    goal = flint.arb(2) ** -(precision if precision > _REFUTING else precision // 2)
    limit = max(calls, _FEWEST_CALLS)
    try:
        found = flint.acb.integral(
            charged, low, high, rel_tol=goal, abs_tol=goal, eval_limit=limit, use_heap=True
        )
        _raise_left()
    except BaseException as error:
        over.append(error)
    if over:
        raise _meant(over)
    return found


def _raise_left() -> None:
    """Raise what met the very beginning of a call, where nothing can catch it: flint goes on regardless."""
    ctypes.pythonapi.PyErr_Occurred()  # `ctypes` raises what it finds


def _meant(errors: list[BaseException]) -> BaseException:
    """Return the error to raise: an interrupt, even if another error was made of it; else the first."""
    for error in errors:
        cause: BaseException | None = error
        while cause is not None:
            if not isinstance(cause, Exception):
                return cause
            cause = cause.__cause__ or cause.__context__
    return errors[0]


def whole(value: Any) -> int | None:
    """The whole number that a ball is, if it is one exactly."""
    if not (value.imag.is_zero() and value.real.is_exact()):
        return None
    number = value.real.unique_fmpz()
    return None if number is None or value.real != number else int(number)


Function = Callable[[dict[int, Any], bool], Any]
"""The value of a body, given that of each dummy, and whether it must be analytic there."""

_MAX_EXPONENT = 10_000
_MEROMORPHIC = frozenset({"sin", "cos", "tan", "cot", "sec", "csc", "exp", "sinh", "cosh", "tanh"})
_REAL = _MEROMORPHIC | {"percent", "degrees", "abs", "max", "min", "floor", "ceil", "atan"}
"""Functions that are real where their arguments are."""


def compiled(node: Node, constant: Callable[[Node], Any]) -> Function:
    """A body as a function.

    Raises:
        NoEnclosureError: It holds what no rule is known for.
    """
    if isinstance(node, Dummy):
        level = node.level
        return lambda at, _analytic: at[level]
    if not children(node) or not any(isinstance(each, Dummy) for each in walk(node)):
        value = constant(node)
        return lambda _at, _analytic: value
    if isinstance(node, Sum):
        return _sum([compiled(each, constant) for each in node.terms])
    if isinstance(node, Product):
        return _product([compiled(each, constant) for each in node.factors])
    if isinstance(node, Power):
        return _power(node, constant)
    if isinstance(node, Root):
        return _root(compiled(node.radicand, constant), node.degree)
    if isinstance(node, Apply):
        return _applied(node, [compiled(each, constant) for each in node.arguments])
    if isinstance(node, Range) and node.operation == "integral":
        return _integral(node, constant)
    if isinstance(node, Range) and node.operation != "limit":
        return _added(node, constant)
    raise NoEnclosureError("no rule for it")


def _integral(node: Range, constant: Callable[[Node], Any]) -> Function:
    if any(each in (INFINITY, negative(INFINITY)) for each in (node.low, node.high)):
        raise NoEnclosureError("an infinite range inside another")
    body, cost, level = compiled(node.body, constant), size(node.body), node.dummy.level
    low, high = compiled(node.low, constant), compiled(node.high, constant)

    def value(at: dict[int, Any], analytic: bool) -> Any:
        return integrated(
            lambda run, inner: body({**at, level: run}, inner or analytic),
            low(at, analytic),
            high(at, analytic),
            cost,
        )

    return value


def _added(node: Range, constant: Callable[[Node], Any]) -> Function:
    body, cost, level = compiled(node.body, constant), size(node.body), node.dummy.level
    low, high = compiled(node.low, constant), compiled(node.high, constant)

    def value(at: dict[int, Any], analytic: bool) -> Any:
        first, last = whole(low(at, analytic)), whole(high(at, analytic))
        if first is None or last is None or last < first:
            return _nowhere()
        spend_at_precision(cost * (last - first + 1))
        total = flint.acb(0 if node.operation == "sum" else 1)
        for number in range(first, last + 1):
            part = body({**at, level: flint.acb(number)}, analytic)
            total = total + part if node.operation == "sum" else total * part
        return total

    return value


def _nowhere() -> Any:
    return flint.acb("nan")


def _sum(parts: list[Function]) -> Function:
    def value(at: dict[int, Any], analytic: bool) -> Any:
        total = parts[0](at, analytic)
        for part in parts[1:]:
            total = total + part(at, analytic)
        return total

    return value


def _product(parts: list[Function]) -> Function:
    def value(at: dict[int, Any], analytic: bool) -> Any:
        total = parts[0](at, analytic)
        for part in parts[1:]:
            total = total * part(at, analytic)
        return total

    return value


def _power(node: Power, constant: Callable[[Node], Any]) -> Function:
    try:
        exponent = exact(node.exponent)
    except TooLargeError:
        raise NoEnclosureError("an exponent that is too large") from None
    base = compiled(node.base, constant)
    if exponent is not None and exponent.q == 1:
        fixed = int(exponent.p)
        if abs(fixed) > _MAX_EXPONENT:
            raise NoEnclosureError("an exponent that is too large")
        return lambda at, analytic: base(at, analytic) ** fixed
    power = compiled(node.exponent, constant)
    if node.base == Constant("e"):
        return lambda at, analytic: power(at, analytic).exp()

    def value(at: dict[int, Any], analytic: bool) -> Any:
        below, above = base(at, analytic), power(at, analytic)
        if below.real > 0:
            return (above * below.log()).exp()
        number = whole(above)
        if number is not None and abs(number) <= _MAX_EXPONENT:
            return below**number  # a term of a sum: (-1)^n
        # A root of a negative number is real in schools and complex in books.
        return _nowhere()

    return value


def _root(radicand: Function, degree: int) -> Function:
    def value(at: dict[int, Any], analytic: bool) -> Any:
        inside = radicand(at, analytic)
        if degree == 2:
            return inside.sqrt(analytic=analytic)
        if inside.real > 0:
            return inside.root(degree)
        if degree % 2 and inside.real < 0:
            return -((-inside).root(degree))
        return _nowhere()

    return value


def _applied(node: Apply, parts: list[Function]) -> Function:
    name = node.function
    if name not in _RULES and name not in _MEROMORPHIC:
        raise NoEnclosureError(f"{name} of what runs")
    if name in ("abs", "max", "min", "floor", "ceil") and not all(map(_is_real, node.arguments)):
        raise NoEnclosureError("an absolute value of what may not be real")
    if name in _MEROMORPHIC:
        return lambda at, analytic: getattr(parts[0](at, analytic), name)()
    rule = _RULES[name]
    return lambda at, analytic: rule([part(at, analytic) for part in parts], analytic)


def _is_real(node: Node) -> bool:
    """Return whether a formula is certainly real where its parts are."""
    return all(
        isinstance(each, Number | Dummy | Symbol | Sum | Product)
        or (isinstance(each, Constant) and each.name in ("pi", "e"))
        or (isinstance(each, Power) and _is_harmless(each))
        or (isinstance(each, Root) and each.degree % 2 == 1)
        or (isinstance(each, Apply) and each.function in _REAL)
        for each in walk(node)
    )


def _is_harmless(power: Power) -> bool:
    integral = isinstance(power.exponent, Number) and power.exponent.value.denominator == 1
    return integral or power.base in (Constant("e"), Constant("pi"))


def _logarithm(value: Any, analytic: bool) -> Any:
    return _nowhere() if value.contains(0) else value.log(analytic=analytic)


def _inverse_sine(values: list[Any], analytic: bool, name: str) -> Any:
    """With cuts on the real line outside of -1 and 1."""
    value = values[0]
    inside = abs(value) < 1 or (not analytic and value.imag.is_zero())
    return getattr(value, name)() if inside else _nowhere()


def _inverse_tangent(values: list[Any], _analytic: bool) -> Any:
    """With cuts on the imaginary line."""
    return values[0].atan() if abs(values[0].imag) < 1 else _nowhere()


def _extreme(values: list[Any], analytic: bool, name: str) -> Any:
    best = values[0]
    for value in values[1:]:
        best = getattr(best, f"real_{name}")(value, analytic=analytic)
    return best


_RULES: dict[str, Callable[[list[Any], bool], Any]] = {
    "ln": lambda values, analytic: _logarithm(values[0], analytic),
    "log": lambda values, analytic: _logarithm(values[0], analytic),
    "log_base": lambda values, analytic: _logarithm(values[1], analytic) / _logarithm(values[0], analytic),
    "asin": lambda values, analytic: _inverse_sine(values, analytic, "asin"),
    "acos": lambda values, analytic: _inverse_sine(values, analytic, "acos"),
    "atan": _inverse_tangent,
    "abs": lambda values, analytic: values[0].real_abs(analytic=analytic),
    "floor": lambda values, analytic: values[0].real_floor(analytic=analytic),
    "ceil": lambda values, analytic: values[0].real_ceil(analytic=analytic),
    "max": lambda values, analytic: _extreme(values, analytic, "max"),
    "min": lambda values, analytic: _extreme(values, analytic, "min"),
    "percent": lambda values, _: values[0] / 100,
    "degrees": lambda values, _: values[0] * flint.acb.pi() / 180,
    "factorial": lambda values, _: (values[0] + 1).gamma(),
    "binomial": lambda values, _: (
        (values[0] + 1).gamma() * (values[1] + 1).rgamma() * (values[0] - values[1] + 1).rgamma()
    ),
}
