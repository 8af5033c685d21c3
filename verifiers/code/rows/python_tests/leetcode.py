"""LeetCodeDataset: asserts that call a method of ``Solution`` with values, linked lists and trees."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ....errors import ConfigError
from ...suites.spec import CodeTests, parsed
from .. import preludes
from ..shape import Row, Shape, columns, optional_text, tests_of, text

_MAKERS = {"list_node": "list", "tree_node": "tree"}
"""Functions of the prompt that make a node of plain data."""
_COMPARISONS = {"is_same_list": "list", "is_same_tree": "tree"}
_DRIVER = "_leetcode_call"
_BRIDGE = """
def _leetcode_call(_method, _arguments, _kinds, _answer):
    _makers = {"list": globals().get("list_node"), "tree": globals().get("tree_node")}
    _given = {
        _name: _makers[_kinds[_name]](_value) if _name in _kinds else _value
        for _name, _value in _arguments.items()
    }
    _made = globals()["Solution"]()
    return _leetcode_plain(getattr(_made, _method)(**_given), _answer)

def _leetcode_plain(_value, _kind):
    _items = []
    if _kind == "list":
        while _value is not None and len(_items) < 100_000:
            _items.append(_value.val)
            _value = _value.next
        return _items
    if _kind != "tree":
        return _value
    _level = [_value]
    while any(_node is not None for _node in _level) and len(_items) < 100_000:
        _items.extend(None if _node is None else _node.val for _node in _level)
        _level = [_child for _node in _level if _node is not None for _child in (_node.left, _node.right)]
    while _items and _items[-1] is None:
        _items.pop()
    return _items
"""
"""Runs beside the program: nodes are made there of plain data, and come back as plain data."""


@dataclass(frozen=True)
class _Assert:
    keywords: dict[str, Any]
    kinds: dict[str, str]
    answer: str
    expected: Any


def leetcode(row: Row) -> CodeTests:
    """LeetCodeDataset: each assert of ``check`` is a call; ``prompt`` has imports and classes of nodes."""
    entry = text(row, "entry_point", "leetcode")
    method = entry.rpartition(".")[2]
    calls = []
    for statement in _check(parsed(text(row, "test", "leetcode"), "leetcode.test")):
        found = _read(statement)
        if found is None:
            raise ConfigError(f"tests: leetcode.test: not a call and its value: {ast.unparse(statement):.80}")
        calls.append(
            {
                "function": _DRIVER,
                "args": [method, found.keywords, found.kinds, found.answer],
                "expected": found.expected,
            }
        )
    prompt = optional_text(row, "prompt", "leetcode")
    fields = {"calls": calls, "functions": [method], "prompt": f"{prompt}\n{preludes.BUILTINS}{_BRIDGE}\n"}
    return tests_of(fields, "leetcode.test")


def _check(tree: ast.Module) -> list[ast.stmt]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "check":
            return [each for each in node.body if not isinstance(each, ast.Pass | ast.Expr)]
    return []


def _read(statement: ast.stmt) -> _Assert | None:
    if not isinstance(statement, ast.Assert):
        return None
    test = statement.test
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
        return _call(test.left, "", test.comparators[0])
    if (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id in _COMPARISONS
        and len(test.args) == 2
    ):
        return _call(test.args[0], _COMPARISONS[test.func.id], test.args[1])
    return None


def _call(call: ast.expr, answer: str, expected: ast.expr) -> _Assert | None:
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "candidate":
        return None
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        return None
    keywords: dict[str, Any] = {}
    kinds: dict[str, str] = {}
    try:
        for keyword in call.keywords:
            kind, keywords[str(keyword.arg)] = _value(keyword.value)
            if kind:
                kinds[str(keyword.arg)] = kind
        kind, wanted = _value(expected)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    if kind != answer:
        return None
    return _Assert(keywords, kinds, answer, _trimmed(wanted) if answer else wanted)


def _value(node: ast.expr) -> tuple[str, Any]:
    """(kind of node, plain data) of a literal, or of a literal in a call that makes a node of it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKERS:
        if len(node.args) != 1 or node.keywords:
            raise ValueError("a node is made of one value")
        return _MAKERS[node.func.id], ast.literal_eval(node.args[0])
    return "", ast.literal_eval(node)


def _trimmed(items: Any) -> Any:
    """A list of a tree's values without the missing nodes at its end."""
    kept = list(items or ())
    while kept and kept[-1] is None:
        kept.pop()
    return kept


LEETCODE = Shape(
    "leetcode",
    "https://huggingface.co/datasets/newfacade/LeetCodeDataset https://github.com/newfacade/LeetCodeDataset",
    (columns("test", "entry_point"),),
    columns("prompt", "test", "entry_point"),
    leetcode,
    lambda row: str(row["entry_point"]).startswith("Solution") and "." in str(row["entry_point"]),
    # They repeat the asserts as text, some with an error of the solution as the value.
    passes_over=columns("input_output", "examples"),
)
