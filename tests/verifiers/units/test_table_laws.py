"""Laws over every line of the table: a line that is added is tested."""

from __future__ import annotations

import itertools
from fractions import Fraction

from tests.support import in_groups
from verifiers import MathEquivalence
from verifiers.units.behind_numbers import read_unit
from verifiers.units.expressions import expression, is_symbol
from verifiers.units.quantities import conversion, measure
from verifiers.units.table import PREFIXES, by_name, by_symbol, table

LINES = sorted(table().lines.items())
SYMBOLS = sorted(table().symbols)
NAMES = sorted(table().names)
PREFIXED = [
    (prefix, symbol, size)
    for symbol, keys in sorted(table().symbols.items())
    for key in keys
    for prefix, (*_, size) in PREFIXES[table().lines[key].get("prefixes", "")].items()
]
APART = {"metre": "second", "second": "gram", "gram": "metre"}
"""For each dimension one that is another."""


def other_than(unit: str) -> str:
    """A unit of another dimension."""
    found = measure(unit)
    assert found is not None
    return next(each for each in ("metre", "second", "bit") if conversion(unit, each) is None)


@in_groups(LINES, lambda line: line[0])
def test_every_line_is_complete(line: tuple[str, dict[str, str]]) -> None:
    """It has a size that is not nought, a symbol or a name, and no field that nobody reads."""
    key, fields = line
    assert set(fields) <= {"is", "symbols", "prefixes", "en", "ko", "zh"}
    assert any(fields.get(each) for each in ("symbols", "en", "ko", "zh"))
    assert fields.get("prefixes", "") in PREFIXES
    symbols = fields.get("symbols", "").split()
    names = [
        name.strip().casefold()
        for each in ("en", "ko", "zh")
        for name in fields.get(each, "").split(",")
        if name.strip()
    ]
    measures = [each for symbol in symbols for each in by_symbol(symbol)] + [
        each for name in names for each in by_name(name)
    ]
    assert all(each.size > 0 for each in measures)
    if "is" not in fields:
        assert any(each.dimension == ((key, 1),) and each.size == 1 for each in measures)


@in_groups(SYMBOLS, str)
def test_a_symbol_is_read_in_every_wrapper(symbol: str) -> None:
    """Set as text after a number, with or without a space, and never as a unit of another dimension."""
    spelled = expression(symbol)
    assert spelled is not None
    for text in (
        rf"\text{{ {symbol}}}",
        rf"\text{{{symbol}}}",
        rf" \mathrm{{{symbol}}}",
        rf"\mathrm{{~{symbol}}}",
    ):
        unit = read_unit(text)
        assert unit is not None
        assert conversion(unit, spelled.text) == 1 or unit == "radian"
        assert unit == "radian" or conversion(unit, other_than(unit)) is None
    assert is_symbol(symbol)


@in_groups(NAMES, ascii)
def test_a_name_is_read_behind_a_number(name: str) -> None:
    """Bare and set as text, in its singular, and the English ones in their plural."""
    spelled = expression(name)
    assert spelled is not None
    plurals = [f"{name}s"] if name.isascii() and name[-1] not in "szxhi" else []
    for said in (name, *plurals):
        for text in (f" {said}", rf"\text{{ {said}}}"):
            unit = read_unit(text)
            assert unit is not None, said
            assert unit == "radian" or (
                conversion(unit, spelled.text) == 1 and conversion(unit, other_than(unit)) is None
            )


@in_groups(PREFIXED, lambda each: each[0] + each[1])
def test_every_prefix_is_read(each: tuple[str, str, Fraction]) -> None:
    """And is as many of the unit as it says, unless the symbol is one by itself, such as min."""
    prefix, symbol, size = each
    text = prefix + symbol
    assert by_symbol(text)
    if text in table().symbols:
        return
    assert size in {
        large.size / small.size
        for large in by_symbol(text)
        for small in by_symbol(symbol)
        if large.dimension == small.dimension
    }


@in_groups(list(itertools.combinations(NAMES[::7], 2)), lambda pair: ascii(pair))
def test_conversion_goes_both_ways_and_never_to_another_dimension(pair: tuple[str, str]) -> None:
    """The way back is the inverse."""
    there, back = conversion(*pair), conversion(*reversed(pair))
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert there * back == 1
        mine, theirs = by_name(pair[0]), by_name(pair[1])
        assert {each.dimension for each in mine} & {each.dimension for each in theirs}


def test_no_currency_is_another() -> None:
    """Rates change, and a text does not say when it was written."""
    money = [key for key, kind in table().kinds.items() if kind == "money" and "is" not in table().lines[key]]
    assert len(money) > 10
    names = [table().lines[key]["en"].split(",")[0] for key in money]
    assert all(conversion(one, other) is None for one, other in itertools.combinations(names, 2))


JUDGE = MathEquivalence()


@in_groups(SYMBOLS, str)
def test_a_symbol_in_an_answer(symbol: str) -> None:
    """A number with it equals itself in every setting, and no other number, and nothing that is measured otherwise."""
    reference = rf"7\text{{ {symbol}}}"
    for answer in (
        rf"\boxed{{7\,\mathrm{{{symbol}}}}}",
        rf"\boxed{{7.0 \text{{ {symbol}}}}}",
        f"<answer>{reference}</answer>",
    ):
        assert JUDGE.verify(answer, reference).passed, answer
    assert not JUDGE.verify(rf"\boxed{{8\text{{ {symbol}}}}}", reference).passed
    if symbol not in ("rad",):
        assert not JUDGE.verify(rf"\boxed{{7\text{{ {other_than(symbol)}s}}}}", reference).passed
