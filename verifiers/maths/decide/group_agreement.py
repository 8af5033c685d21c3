"""Agreement of two groups: lists, sets and tuples part by part, named values by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction

from ...formulas.answer_shapes import Items, Named, Shape, Value, bare
from ...formulas.cost_limits import spend
from ...formulas.formula_tree import MINUS_ONE, Node, Number, Power, Product, decimal_places, symbols
from .names import (
    aligned,
    are_named,
    are_roots,
    counted,
    have_order,
    in_order,
    is_counted,
    key,
    pairs_by_name,
)
from .policy import Policy
from .value_agreement import all_agree

Same = Callable[[Shape, Shape, Policy], bool | None]
"""Says whether two shapes agree; None if that is unknown."""
# An unbracketed list may stand for a set or for a point; no other two kinds agree.
_AGREEING = ({"list", "{}"}, {"list", "()"})
_ORDERED = frozenset({"()", "[]", "(]", "[)"})


def same_groups(one: Items, other: Items, policy: Policy, same: Same) -> bool | None:
    """Compare two groups: named values by name, others in their order where they have one."""
    kinds = {one.kind, other.kind}
    named = [are_named(one.items), are_named(other.items)]
    if all(named) and (policy.brackets == "optional" or len(kinds) == 1):
        return _same_names(one.items, other.items, policy, same)
    if any(named) and policy.names == "compared":
        labels, plain = (one.items, other.items) if named[0] else (other.items, one.items)
        if (values := counted(plain, labels)) is not None:
            return _same_names(labels, tuple(values), policy, same)
    if len(kinds) > 1 and (kinds not in _AGREEING or policy.brackets == "required"):
        return False
    if policy.names == "dropped" and any(named):
        return False  # 1, 2 may be in any order, x = 1, y = 2 may not: between them there is no class
    if any(named) and _are_alternatives(one if named[0] else other, other if named[0] else one):
        named = [False, False]
    left, right = (tuple(map(_plain, in_order(group, policy.question))) for group in (one, other))
    ordered = policy.order == "kept" or bool(kinds & _ORDERED) or any(named)
    if kinds == {"{}"} or (not ordered and len(kinds) > 1 and len(left) != len(right)):
        if not ordered and frozenset(left) == frozenset(right):
            return True
        # What has more different items than the other has items at all is settled without the rest.
        left, right = _distinct(left, policy, same, len(right)), _distinct(right, policy, same, len(left))
    if len(left) != len(right):
        return False
    if not ordered:
        return matched(left, right, policy, same)
    return all_agree([same(mine, theirs, policy) for mine, theirs in zip(left, right, strict=True)])


def _plain(item: Shape) -> Shape:
    """A part without its name, which its place says; values of one unknown keep theirs."""
    inner = bare(item)
    several = isinstance(item, Named) and isinstance(inner, Items) and inner.kind in ("list", "{}")
    return item if several else inner


def _are_alternatives(named: Items, plain: Items) -> bool:
    """Return whether the order of named values means nothing: they are numbered roots of an equation."""
    return (plain.kind, named.kind) == ("list", "list") and are_roots(named.items)


def say_more(expected: Shape, given: Shape, policy: Policy, same: Same) -> bool:
    """Return whether an answer names values that the reference gives without names, in any order.

    Not the other way round: where the reference says whose each value is, so must the answer.
    """
    if not (isinstance(expected, Items) and isinstance(given, Items) and are_named(given.items)):
        return False
    if policy.names == "dropped" or policy.order == "kept" or policy.brackets == "required":
        return False
    if expected.kind not in ("list", "{}") or (expected.kind == "list" and given.kind != "list"):
        return False
    if any(isinstance(item, Named) or is_counted(item) for item in expected.items):
        return False
    if have_order(given.items) and not all(isinstance(bare(item), Items) for item in given.items):
        return False  # x = 2, y = 3 are no two values of one unknown; A = (1, 2), B = (3, 4) are two points
    return matched(expected.items, tuple(map(bare, given.items)), policy, same) is True


def _same_names(one: tuple[Shape, ...], other: tuple[Shape, ...], policy: Policy, same: Same) -> bool | None:
    """Two mappings from name to value, or two systems of equations."""
    left, right = ([item for item in items if isinstance(item, Named)] for items in (one, other))
    pairs = pairs_by_name(left, right)
    found = (
        False
        if pairs is None
        else all_agree(
            [mine.sign == theirs.sign and same(*aligned(mine, theirs), policy) for mine, theirs in pairs]
        )
    )
    if found is not False or len(left) != len(right):
        return found
    # x = 2y, z = 1 and y = x/2, z = 1: equations, none of which need be solved for the same name.
    repeated = pairs is None and Counter(map(key, left)) == Counter(map(key, right))
    return matched(one, other, policy, same) if repeated or any(map(_is_equation, (*left, *right))) else False


def _is_equation(named: Named) -> bool:
    """Return whether a named value contains another unknown, for which it may be solved."""
    inner = named.shape
    return named.variable and "(" not in named.name and isinstance(inner, Value) and bool(symbols(inner.node))


def _distinct(items: tuple[Shape, ...], policy: Policy, same: Same, most: int) -> tuple[Shape, ...]:
    """Without items that equal an earlier one; no more than one item above the most that matter."""
    found: list[Shape] = []
    taken: set[Hashable] = set()
    others: list[Shape] = []
    for item in dict.fromkeys(items):
        if len(found) > most:
            break
        key = exact(item, policy)
        if key in taken or any(
            _asked(item, each, policy, same) for each in (found if key is None else others)
        ):
            continue
        found.append(item)
        if key is None:
            others.append(item)
        else:
            taken.add(key)
    return tuple(found)


def matched(one: tuple[Shape, ...], other: tuple[Shape, ...], policy: Policy, same: Same) -> bool | None:
    """Match each item with its own equal among the others; identical notations are paired at once."""
    if len(one) != len(other):
        return False
    left = dict(enumerate((Counter(other) - Counter(one)).elements()))
    known: dict[Hashable, list[int]] = {}
    for place, each in left.items():
        if (key := exact(each, policy)) is not None:
            known.setdefault(key, []).append(place)
    settled, unsure = {place for places in known.values() for place in places}, False
    for item in (Counter(one) - Counter(other)).elements():
        key = exact(item, policy)
        if key is not None and known.get(key):
            del left[known[key].pop()]
            continue
        for place, each in left.items():
            if key is not None and place in settled:
                continue
            equal = _asked(item, each, policy, same)
            if equal:
                del left[place]
                if place in settled:
                    known[exact(each, policy)].remove(place)
                break
            unsure = unsure or equal is None
        else:
            return None if unsure else False
    return True


_PAIR = 4
"""Units of work that comparing two items takes at least, beside what is inside of them."""


def _asked(one: Shape, other: Shape, policy: Policy, same: Same) -> bool | None:
    """Compare two items as work that counts: there are as many pairs as items by items.

    Raises:
        OverBudgetError: It is more work than is allowed.
    """
    spend(_PAIR)
    return same(one, other, policy)


def exact(shape: Shape, policy: Policy) -> Hashable | None:
    """Return a key that two shapes share exactly if they agree: numbers, and groups of them; None for others.

    With it, sets of a hundred sets take a hundred looks instead of ten thousand comparisons.

    >>> from verifiers.reading.statements import read
    >>> exact(read("(0.5, 2)"), Policy()) == exact(read(r"(\\frac{1}{2}, 2)"), Policy()) is not None
    True
    >>> exact(read("x"), Policy()) is None, exact(read("0.3333333333"), Policy()) is None
    (True, True)
    """
    if policy.tolerance or policy.decimals != "exact" or policy.order != "any":
        return None
    if isinstance(shape, Value):
        places = decimal_places(shape.node)
        value = None if shape.unit else _fraction(shape.node)
        return None if value is None or (places and abs(value) * 10**places >= _LONG) else value
    if not isinstance(shape, Items) or shape.kind == "list":
        return None
    keys = []
    for item in shape.items:
        if (key := exact(item, policy)) is None:
            return None
        keys.append(key)
    return shape.kind, frozenset(keys) if shape.kind == "{}" else tuple(keys)


def _fraction(node: Node) -> Fraction | None:
    """A number, or one over another; None for anything that has to be worked out."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Power) and node.exponent == MINUS_ONE and isinstance(node.base, Number):
        return 1 / node.base.value if node.base.value else None
    if not isinstance(node, Product) or len(node.factors) != 2:
        return None
    one, other = map(_fraction, node.factors)
    return None if one is None or other is None else one * other


_LONG = 10**9
"""Ten digits: a decimal as long may stand for another number, which was rounded or printed by a computer."""
