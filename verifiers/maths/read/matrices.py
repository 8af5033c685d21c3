r"""Matrices and what else is between ``\\begin`` and ``\\end``: systems, expressions by cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..formulas.formula_tree import MINUS_ONE, Node, Product, Sum
from ..formulas.shapes import Cases, Matrix, Shape, Value, Words, mapped
from ..text.limits import MAX_CELLS
from ..text.token_splitting import split
from ..text.tokens import UnreadableError
from .assembly import assembled
from .formula_parser import scalar
from .single_values import read_quantity

_Read = Callable[[list[str]], Shape]

_MATRICES = frozenset(
    {"matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array", "vmatrix", "Vmatrix"}
)
_SYSTEMS = frozenset({"cases", "aligned", "align", "split", "gathered", "dcases"})


_CONDITIONAL = ("if", "for", "when", "where")
_LEADING = re.compile(r'^"\s*(?:if|for|when|where)?\b\s*', re.IGNORECASE)


def read_matrices(words: list[str], cell: _Read, statement: _Read) -> Shape | None:
    """One environment, or a sum of matrices with factors before them; None where determinants are values.

    Args:
        words: Tokens that hold an environment.
        cell: Reads what is in one cell.
        statement: Reads a row of a system, or the condition of a case.

    Raises:
        UnreadableError: It is none of these.
    """
    if any(word in ("\\begin:vmatrix", "\\begin:Vmatrix") for word in words):
        return None
    terms = _terms(words)
    shapes = [_term(term, cell, statement) for term in terms]
    if len(shapes) == 1:
        return shapes[0]
    matrices = [shape for shape in shapes if isinstance(shape, Matrix)]
    sizes = {(len(matrix.rows), len(matrix.rows[0])) for matrix in matrices}
    if len(matrices) != len(shapes) or len(sizes) != 1:
        raise UnreadableError("a sum of things that are not matrices of one size")
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


def _term(words: list[str], cell: _Read, statement: _Read) -> Shape:
    """A matrix with a factor before it, and whether it is transposed."""
    start = next((at for at, word in enumerate(words) if word.startswith("\\begin:")), None)
    end = max((at for at, word in enumerate(words) if word.startswith("\\end:")), default=None)
    if start is None or end is None or end < start:
        raise UnreadableError("no matrix")
    after = "".join(words[end + 1 :])
    if after not in ("", "^T", "^{T}", "^\\top", "^{\\top}", ")", "]", "\\}"):
        raise UnreadableError("a power of a matrix")
    before = words[:start]
    if after in (")", "]", "\\}") and before[-1:] == [{")": "(", "]": "[", "\\}": "\\{"}[after]]:
        before, after = before[:-1], ""
    shape = _environment(words[start : end + 1], cell, statement)
    if not before and not after:
        return shape
    if not isinstance(shape, Matrix):
        raise UnreadableError("a factor before a list")
    if after:
        shape = Matrix(tuple(zip(*shape.rows, strict=True)))
    factor: Node = MINUS_ONE
    if before and before != ["-"]:
        factor, rest = scalar([word for word in before if word not in ("\\cdot", "*", "\\times")])
        if rest:
            raise UnreadableError("a matrix after text")
    return mapped(shape, lambda node: Product((factor, node))) if before else shape


def _environment(words: list[str], cell: _Read, statement: _Read) -> Shape:
    """A matrix, or a system of relations, or an expression by cases."""
    name = words[0].removeprefix("\\begin:")
    rows = [row for row in split(words[1:-1], frozenset({"\\\\"})) if row]
    cells = [split(row, frozenset({"&"})) for row in rows]
    if sum(map(len, cells)) > MAX_CELLS:
        raise UnreadableError(f"a matrix of more than {MAX_CELLS} cells")
    if name in ("vmatrix", "Vmatrix"):
        return read_quantity(words)
    if name in _MATRICES:
        if not cells or any(len(row) != len(cells[0]) for row in cells):
            raise UnreadableError("rows of different lengths")
        return Matrix(tuple(tuple(map(cell, row)) for row in cells))
    if name not in _SYSTEMS:
        raise UnreadableError(f"an environment {name}")
    if "cases" in name and all(len(row) == 2 for row in cells):
        return Cases(tuple((cell(_stripped(one)), _condition(other, statement)) for one, other in cells))
    relations = [[word for word in row if word != "&"] for row in rows]
    return assembled([statement(relation) for relation in relations], "and")


def _stripped(words: list[str]) -> list[str]:
    return words[:-1] if words[-1:] == [","] else words


def _condition(words: list[str], statement: _Read) -> Shape:
    """What stands after "if"; text is one however its letters are set."""
    kept = [without for word in words if (without := _LEADING.sub('"', word)) not in ("", '"', *_CONDITIONAL)]
    shape = statement(_stripped(kept))
    if isinstance(shape, Words):
        return Words(
            " ".join(each for each in shape.text.split() if each not in ("is", "are", *_CONDITIONAL))
        )
    return shape
