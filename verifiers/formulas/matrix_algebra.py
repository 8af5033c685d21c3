"""Matrices of trees: determinants, inverses, products and powers, written out and not evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .exact_values import TooLargeError, exact
from .formula_tree import Node, Number, Product, Sum, inverse, negative, walk
from .limits import UnreadableError

_MAX_DETERMINANT = 4
"""Rows of the largest determinant that is written out."""
_MAX_POWER = 12
"""Largest exponent of a matrix."""
_MAX_NODES = 20_000

Rows = Sequence[Sequence[Node]]


def determinant(rows: Rows) -> Node:
    """By cofactors of the first row.

    Raises:
        UnreadableError: It is not square, or large.
    """
    _check_square(rows)
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for column, cell in enumerate(rows[0]):
        term = Product((cell, determinant(_minor(rows, 0, column))))
        terms.append(negative(term) if column % 2 else term)
    return Sum(tuple(terms))


def inverted(rows: Rows) -> Rows:
    """The inverse: cofactors over the determinant. Where that is zero, no cell has a value.

    Raises:
        UnreadableError: The matrix is not square, or large.
    """
    _check_square(rows)
    over = inverse(_simple(determinant(rows)))
    if len(rows) == 1:
        return [[over]]
    places = range(len(rows))
    cells = []
    for row in places:
        found: list[Node] = []
        for column in places:
            cofactor = determinant(_minor(rows, column, row))
            found.append(_simple(Product((negative(cofactor) if (row + column) % 2 else cofactor, over))))
        cells.append(found)
    return cells


def multiplied(one: Rows, other: Rows) -> Rows:
    """The product of two matrices.

    Raises:
        UnreadableError: Their sizes do not fit, or it is large.
    """
    if len(one[0]) != len(other):
        raise UnreadableError("a product of matrices that do not fit")
    columns = list(zip(*other, strict=True))
    found = [
        [_simple(Sum(tuple(Product(pair) for pair in zip(row, column, strict=True)))) for column in columns]
        for row in one
    ]
    if sum(sum(1 for _ in walk(cell)) for row in found for cell in row) > _MAX_NODES:
        raise UnreadableError("a product of matrices that is too long")
    return found


def raised(rows: Rows, exponent: int) -> Rows:
    """A power of a matrix; negative ones are powers of its inverse.

    Raises:
        UnreadableError: It is not square, or the exponent is zero or large.
    """
    _check_square(rows)
    if not 0 < abs(exponent) <= _MAX_POWER:
        raise UnreadableError("a large power of a matrix")
    base = rows if exponent > 0 else inverted(rows)
    found = base
    for _ in range(abs(exponent) - 1):
        found = multiplied(found, base)
    return found


def _check_square(rows: Rows) -> None:
    if len(rows) != len(rows[0]) or len(rows) > _MAX_DETERMINANT:
        raise UnreadableError("a matrix that is not square, or large")


def _minor(rows: Rows, without_row: int, without_column: int) -> Rows:
    return [
        [cell for column, cell in enumerate(row) if column != without_column]
        for at, row in enumerate(rows)
        if at != without_row
    ]


def _simple(node: Node) -> Node:
    """A rational number in place of what is one, so that powers stay short."""
    try:
        value = exact(node)
    except TooLargeError:
        return node
    return node if value is None else Number(Fraction(int(value.p), int(value.q)))
