r"""Matrices and what else is between ``\\begin`` and ``\\end``: systems, expressions by cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..formulas.answer_shapes import Cases, Matrix, Shape, Value, Words, mapped
from ..formulas.cost_limits import MAX_CELLS, UnreadableError
from ..formulas.exact_values import Rows, multiplied, raised
from ..formulas.formula_tree import MINUS_ONE, Node, Product, Sum
from ..runtime.patterns import lazy
from .assembly import assembled
from .formula_parser import scalar
from .single_values import read_quantity
from .spelling.tokens import TIMES, closings, encloses, split

_Read = Callable[[list[str]], Shape]

_MATRICES = frozenset(
    {"matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array", "vmatrix", "Vmatrix"}
)
_OPEN = frozenset({"array", "matrix"})
"""Environments that have no brackets of their own."""
_SIGNS = frozenset({"=", "<", "<=", ">", ">=", "!="})
_WRAPPED = {"(": ")", "[": "]", "\\{": "\\}"}
_TRANSPOSED = frozenset({"T", "\\top", "t", "\\intercal"})
_SYSTEMS = frozenset({"cases", "aligned", "align", "split", "gathered", "dcases"})


_CONDITIONAL = ("if", "for", "when", "where")
_LEADING = lazy(r'^"\s*(?:if|for|when|where)?\b\s*', re.IGNORECASE)


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


def with_bars(words: list[str]) -> list[str]:
    r"""``\\det`` before a matrix as the bars of a determinant."""
    found = list(words)
    while "\\det" in found:
        at = found.index("\\det")
        start = next(
            (place for place in range(at + 1, len(found)) if found[place].startswith("\\begin:")), None
        )
        if start is None or any(word != "(" for word in found[at + 1 : start]):
            return words
        closing = "\\end:" + found[start].removeprefix("\\begin:")
        if closing not in found[start:]:
            return words
        end = found.index(closing, start)
        found[start], found[end] = "\\begin:vmatrix", "\\end:vmatrix"
        del found[at]
    return found


def transposed(words: list[str]) -> list[list[str]] | None:
    """The parts of ``(1, 2, 3)^T``, which is a column; None for anything else."""
    at = next((place for place in range(len(words) - 1, 0, -1) if words[place] == "^"), 0)
    if not at or "".join(words[at + 1 :]).strip('{}"') not in _TRANSPOSED or words[0] not in _WRAPPED:
        return None
    parts = split(words[1 : at - 1], frozenset({","})) if encloses(words[:at]) else []
    return parts if len(parts) > 1 and all(parts) else None


def with_columns(words: list[str]) -> list[str]:
    """The vectors of ``c_1(1, 2)e^t + c_2(3, 4)e^{-t}`` as columns, where they are surely vectors.

    A letter before a bracket is a factor only if it is a parameter: ``f(1, 2)`` and ``C(5, 2)`` stay.
    """
    found: list[str] = []
    at, ends = 0, closings(words)
    while at < len(words):
        end = ends.get(at, 0) if words[at] == "(" else 0
        parts = split(words[at + 1 : end], frozenset({","})) if end else []
        if len(parts) < 2 or not all(parts) or not _multiplies(words[:at]):
            found.append(words[at])
            at += 1
            continue
        rows = [[*part, "\\\\"] for part in parts]
        found += ["\\begin:pmatrix", *(word for row in rows for word in row)]
        found[-1] = "\\end:pmatrix"
        at = end + 1
    return words if encloses(words) else found


def _multiplies(before: Sequence[str]) -> bool:
    """Return whether the words before a bracket end in a factor or a sign."""
    if not before or before[-1] in _TERMS or before[-1] in _PARAMETERS or before[-1][0].isdecimal():
        return True
    return before[-2:-1] == ["_"] or before[-1] in (")", "}")


_TERMS = frozenset({"+", "-"}) | TIMES
_PARAMETERS = frozenset({"s", "t", "r", "c", "k", "\\lambda", "\\mu"})


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
    """Matrices that are multiplied, with their powers, and the factors before and after them."""
    parts = _factors(words)
    if len(parts) == 1 and parts[0][0].startswith("\\begin:") and parts[0][-1].startswith("\\end:"):
        return _environment(parts[0], cell, statement)
    product: Matrix | None = None
    factors: list[Node] = []
    for part in parts:
        if part == ["-"]:
            factors.append(MINUS_ONE)
        elif not any(word.startswith("\\begin:") for word in part):
            factor, rest = scalar(part)
            if rest:
                raise UnreadableError("a matrix beside text")
            factors.append(factor)
        else:
            matrix = _powered(part, cell, statement)
            product = matrix if product is None else _matrix(multiplied(_cells(product), _cells(matrix)))
    if product is None:
        raise UnreadableError("no matrix")
    return mapped(product, lambda node: Product((*factors, node))) if factors else product


def _factors(words: list[str]) -> list[list[str]]:
    """A product cut into environments with what follows them raised, and what is between these."""
    parts: list[list[str]] = []
    plain: list[str] = []
    at = 0
    while at < len(words):
        opening = words[at] if words[at] in _WRAPPED and words[at + 1 : at + 2] else ""
        start = at + 1 if opening and words[at + 1].startswith("\\begin:") else at
        if not words[start].startswith("\\begin:"):
            plain.append(words[at])
            at += 1
            continue
        name = words[start].removeprefix("\\begin:")
        end = next((place for place in range(start, len(words)) if words[place] == f"\\end:{name}"), None)
        if end is None:
            raise UnreadableError("an environment that is not closed")
        if start > at:
            if words[end + 1 : end + 2] != [_WRAPPED[opening]]:
                raise UnreadableError("a bracket around more than a matrix")
            after = end + 2
        else:
            after = end + 1
        parts += _unsigned(plain)
        raised_to = _raised(words, after)
        parts.append([*words[start : end + 1], *words[after:raised_to]])
        plain, at = [], raised_to
    return parts + _unsigned(plain)


def _unsigned(words: list[str]) -> list[list[str]]:
    """A factor between matrices, without the signs that multiply; a minus alone is one."""
    kept = list(words)
    while kept and kept[-1] in TIMES:
        kept.pop()
    while kept and kept[0] in TIMES:
        kept.pop(0)
    return [kept] if kept else []


def _raised(words: list[str], at: int) -> int:
    """Return the end of an exponent that begins at a place."""
    if words[at : at + 1] != ["^"]:
        return at
    if words[at + 1 : at + 2] != ["{"]:
        return at + 2
    return next((place + 1 for place in range(at, len(words)) if words[place] == "}"), len(words))


def _powered(words: list[str], cell: _Read, statement: _Read) -> Matrix:
    """A matrix and its exponent: a number, or the sign of a transposed one."""
    end = max(at for at, word in enumerate(words) if word.startswith("\\end:")) + 1
    shape = _environment(words[:end], cell, statement)
    if not isinstance(shape, Matrix):
        raise UnreadableError("a factor beside a list")
    exponent = "".join(words[end:]).removeprefix("^").strip("{}").strip('"')
    if not exponent:
        return shape
    if exponent in _TRANSPOSED:
        return Matrix(tuple(zip(*shape.rows, strict=True)))
    if not exponent.removeprefix("-").isdecimal() or len(exponent) > 3:
        raise UnreadableError("a power of a matrix")
    return _matrix(raised(_cells(shape), int(exponent)))


def _cells(matrix: Matrix) -> list[list[Node]]:
    rows = [[cell.node for cell in row if isinstance(cell, Value) and not cell.unit] for row in matrix.rows]
    if any(len(row) != len(matrix.rows[0]) for row in rows):
        raise UnreadableError("a product of what are not numbers")
    return rows


def _matrix(rows: Rows) -> Matrix:
    return Matrix(tuple(tuple(map(Value, row)) for row in rows))


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
        if name in _OPEN and cells and any(not _SIGNS.isdisjoint(row) for row in rows):
            name = "aligned"
        elif name in _OPEN and [len(row) for row in cells] == [1]:
            return statement(cells[0][0])  # without brackets it is what it holds
    if name in _MATRICES:
        if not cells or any(len(row) != len(cells[0]) for row in cells):
            raise UnreadableError("rows of different lengths")
        return Matrix(tuple(tuple(map(cell, row)) for row in cells))
    if name not in _SYSTEMS:
        raise UnreadableError(f"an environment {name}")
    if "cases" in name and all(len(row) == 2 for row in cells):
        return Cases(tuple((cell(_stripped(one)), read_condition(other, statement)) for one, other in cells))
    relations = [[word for word in row if word != "&"] for row in rows]
    return assembled([statement(relation) for relation in relations], "and")


def _stripped(words: list[str]) -> list[str]:
    return words[:-1] if words[-1:] == [","] else words


def read_condition(words: list[str], statement: _Read) -> Shape:
    """Read the condition after "if"; text is one however its letters are set."""
    kept = [without for word in words if (without := _LEADING.sub('"', word)) not in ("", '"', *_CONDITIONAL)]
    shape = statement(_stripped(kept))
    if isinstance(shape, Words):
        return Words(
            " ".join(each for each in shape.text.split() if each not in ("is", "are", *_CONDITIONAL))
        )
    return shape
