"""HumanEval and HumanEval+: ``prompt``, ``test`` with ``def check(candidate)``, ``entry_point``."""

from __future__ import annotations

import ast
from typing import Any

from ....errors import ConfigError
from ...suites.spec import CodeTests, parsed
from ..shape import Row, Shape, columns, listed, optional_text, tests_of, text, unpacked
from ..solutions import solutions_of
from .stand_ins import with_stand_ins

_DIFFERENTIAL = """
def check(candidate):
    import copy as _copy
    _check_with_asserts(candidate)
    def _close(_one, _other, _within):
        if type(_other) in (list, tuple):
            return (type(_one) in (list, tuple) and len(_one) == len(_other)
                    and all(_close(_a, _b, _within) for _a, _b in zip(_one, _other)))
        _numbers = {{type(_one), type(_other)}} <= {{int, float}}
        return _one == _other or (_numbers and abs(_one - _other) <= _within + 1e-7 * abs(_other))
    def _has_float(_value):
        return isinstance(_value, float) or (
            isinstance(_value, (list, tuple)) and bool(_value) and all(map(_has_float, _value)))
    for _given in {inputs}:
        _expected = {reference}(*_copy.deepcopy(_given))
        _said = candidate(*_copy.deepcopy(_given))
        _within = {atol} or (1e-6 if _has_float(_expected) else 0)
        assert _said == _expected or (_within and _close(_said, _expected, _within)), (
            "another value than the reference solution's")
"""


def humaneval(row: Row) -> CodeTests:
    """HumanEval, and HumanEval+ in both of its releases.

    On the Hub its ``test`` holds the further inputs with their outputs; in evalplus's own files there are
    ``base_input`` and ``plus_input``, for which the canonical solution gives the outputs. Floats may differ
    by a relative 1e-7 and an absolute 1e-6, or ``atol``.
    """
    prompt, test, entry = (text(row, key, "humaneval") for key in ("prompt", "test", "entry_point"))
    setup = with_stand_ins(test, "humaneval.test")
    inputs = _inputs(row)
    if inputs:
        solution = text(row, "canonical_solution", "humaneval")
        code = _DIFFERENTIAL.format(inputs=repr(inputs), reference=_REFERENCE, atol=_atol(row))
        setup = "\n".join(
            [_renamed(prompt + solution, entry, _REFERENCE), _renamed(setup, "check", _ASSERTS), code]
        )
    references = solutions_of(row, ("canonical_solution",), prompt)
    fields = {"asserts": ["check(candidate)"], "setup": setup, "prompt": prompt, "check": entry}
    fields["references"] = references
    return tests_of(fields, "humaneval.test")


_REFERENCE = "_reference_solution"
_ASSERTS = "_check_with_asserts"


def _inputs(row: Row) -> list[Any]:
    found: list[Any] = []
    for key in ("base_input", "plus_input"):
        if row.get(key) is not None:
            found += listed(unpacked(row[key], f"humaneval.{key}"), f"humaneval.{key}")
    return found


def _atol(row: Row) -> float:
    atol = row.get("atol") or 0
    if not isinstance(atol, int | float):
        raise ConfigError(f"tests: humaneval.atol is a number, got {atol!r:.60}")
    return float(atol)


def _renamed(source: str, name: str, to: str) -> str:
    """A source in which a function has another name, one that no program has."""

    class Rename(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            node.name = to if node.name == name else node.name
            return self.generic_visit(node)

        def visit_Name(self, node: ast.Name) -> ast.AST:
            node.id = to if node.id == name else node.id
            return node

    return ast.unparse(Rename().visit(parsed(source, "humaneval")))


HUMANEVAL = Shape(
    "humaneval",
    "https://huggingface.co/datasets/openai/openai_humaneval https://github.com/openai/human-eval "
    "https://huggingface.co/datasets/evalplus/humanevalplus https://github.com/evalplus/evalplus",
    (columns("prompt", "test", "entry_point"),),
    columns(
        "prompt", "test", "entry_point", "base_input", "plus_input", "atol", "canonical_solution", "contract"
    ),
    humaneval,
    lambda row: not _of_a_class(row) and "code_prompt" not in row,
)


def _of_a_class(row: Row) -> bool:
    return "." in optional_text(row, "entry_point", "humaneval")
