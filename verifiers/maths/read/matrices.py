r"""Matrices and what else stands between ``\\begin`` and ``\\end``: systems, expressions by cases."""

from __future__ import annotations

from collections.abc import Sequence

from ..text.limits import MAX_CELLS
from ..text.tokens import UnreadableError
from . import brackets
from .formula_parser import scalar
from .formula_tree import MINUS_ONE, Node, Product, Sum
from .shapes import Cases, Matrix, Shape, Value, mapped
from .value_names import split

_MATRICES = frozenset(
    {"matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array", "vmatrix", "Vmatrix"}
)
_SYSTEMS = frozenset({"cases", "aligned", "align", "split", "gathered", "dcases"})


def read_matrices(words: list[str], depth: int) -> Shape | None:
    """One environment, or a sum of matrices with factors before them; None where determinants are values."""
    if any(word in ("\\begin:vmatrix", "\\begin:Vmatrix") for word in words):
        return None
    terms = _terms(words)
    shapes = [_term(term, depth) for term in terms]
    if len(shapes) == 1:
        return shapes[0]
    matrices = [shape for shape in shapes if isinstance(shape, Matrix)]
    sizes = {(len(matrix.rows), len(matrix.rows[0])) for matrix in matrices}
    if len(matrices) != len(shapes) or len(sizes) != 1:
        raise UnreadableError("a sum of what are no matrices of one size")
    rows = zip(*(matrix.rows for matrix in matrices), strict=True)
    return Matrix(tuple(tuple(_added(cells) for cells in zip(*row, strict=True)) for row in rows))


def _terms(words: list[str]) -> list[list[str]]:
    """Tokens cut before plus and minus signs outside brackets; a minus stays."""
    marked = split(words, frozenset({"+"}))
    terms = []
    for part in marked:
        first, *rest = split(part, frozenset({"-"}))
        terms += [first] if first else []
        terms += [["-", *each] for each in rest]
    return terms


def _added(cells: Sequence[Shape]) -> Shape:
    nodes = [cell.node for cell in cells if isinstance(cell, Value)]
    if len(nodes) != len(cells):
        raise UnreadableError("a sum of lists")
    return Value(Sum(tuple(nodes)))


def _term(words: list[str], depth: int) -> Shape:
    """A matrix with a factor before it, and whether it is transposed."""
    start = next((at for at, word in enumerate(words) if word.startswith("\\begin:")), None)
    end = max((at for at, word in enumerate(words) if word.startswith("\\end:")), default=None)
    if start is None or end is None or end < start:
        raise UnreadableError("no matrix")
    behind = "".join(words[end + 1 :])
    if behind not in ("", "^T", "^{T}", "^\\top", "^{\\top}", ")", "]", "\\}"):
        raise UnreadableError("a power of a matrix")
    before = words[:start]
    if behind in (")", "]", "\\}") and before[-1:] == [{")": "(", "]": "[", "\\}": "\\{"}[behind]]:
        before, behind = before[:-1], ""
    shape = _environment(words[start : end + 1], depth)
    if not before and not behind:
        return shape
    if not isinstance(shape, Matrix):
        raise UnreadableError("a factor before a list")
    if behind:
        shape = Matrix(tuple(zip(*shape.rows, strict=True)))
    factor: Node = MINUS_ONE
    if before and before != ["-"]:
        factor, rest = scalar([word for word in before if word not in ("\\cdot", "*", "\\times")])
        if rest:
            raise UnreadableError("a matrix behind text")
    return mapped(shape, lambda node: Product((factor, node))) if before else shape


def _environment(words: list[str], depth: int) -> Shape:
    """A matrix, or a system of relations, or an expression by cases."""
    name = words[0].removeprefix("\\begin:")
    rows = [row for row in split(words[1:-1], frozenset({"\\\\"})) if row]
    cells = [split(row, frozenset({"&"})) for row in rows]
    if sum(map(len, cells)) > MAX_CELLS:
        raise UnreadableError(f"a matrix of more than {MAX_CELLS} cells")
    if name in ("vmatrix", "Vmatrix"):
        return brackets.read_quantity(words)
    if name in _MATRICES:
        if not cells or any(len(row) != len(cells[0]) for row in cells):
            raise UnreadableError("rows of different lengths")
        return Matrix(tuple(tuple(brackets.read_group(cell, depth + 1) for cell in row) for row in cells))
    if name not in _SYSTEMS:
        raise UnreadableError(f"an environment {name}")
    if "cases" in name and all(len(row) == 2 for row in cells):
        return Cases(
            tuple(
                (brackets.read_group(_stripped(one), depth + 1), _condition(other, depth))
                for one, other in cells
            )
        )
    from .statements import assembled  # which needs this module

    relations = [[word for word in row if word != "&"] for row in rows]
    return assembled([brackets.read_inner(relation, depth) for relation in relations], "and")


def _stripped(words: list[str]) -> list[str]:
    return words[:-1] if words[-1:] == [","] else words


def _condition(words: list[str], depth: int) -> Shape:
    kept = [word for word in words if word.strip('" ').casefold() not in ("if", "for", "when", "where")]
    return brackets.read_inner(_stripped(kept), depth)
