"""Data sets whose tests are Python source: asserts, functions named check, files for pytest and unittest.

HumanEval, MBPP, their plus versions, AceCode, LeetCodeDataset, KodCode and BigCodeBench.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ...errors import ConfigError
from ...runtime.bounds import from_source
from ..suites.spec import CodeTests, parsed
from .collected_tests import collected, with_stand_ins
from .row_shapes import (
    BUILTINS_PRELUDE,
    Row,
    Shape,
    columns,
    listed,
    optional_text,
    solutions_of,
    tests_of,
    text,
    unpacked,
)


def kodcode(row: Row) -> CodeTests:
    """KodCode: ``test``, a file for pytest that imports the program as ``solution``."""
    column = "test" if row.get("test") is not None else "test_code"
    file = collected(text(row, column, "kodcode"), f"kodcode.{column}")
    fields = {"asserts": list(file.tests), "setup": file.setup}
    # What the reference defines is the program's, even where tests call it like a builtin.
    return tests_of({**fields, "solution": optional_text(row, "solution", "kodcode")}, f"kodcode.{column}")


def bigcodebench(row: Row) -> CodeTests:
    """BigCodeBench: ``test``, a class of unittest, and ``code_prompt``, whose imports precede the program.

    Tests and prompt import many packages, which must be installed and named in ``modules``. The official
    runs put the beginning of the function before a program, too, so that one without it returns None.
    """
    entry = text(row, "entry_point", "bigcodebench")
    file = collected(text(row, "test", "bigcodebench"), "bigcodebench.test")
    prompt = _surroundings(optional_text(row, "code_prompt", "bigcodebench"), entry)
    setup = "\n".join([*_given(prompt, file.setup), file.setup])
    begun = optional_text(row, "code_prompt", "bigcodebench") or optional_text(
        row, "complete_prompt", "bigcodebench"
    )
    fields = {"asserts": list(file.tests), "setup": setup, "prompt": prompt, "functions": [entry]}
    references = solutions_of(row, ("canonical_solution",), begun)
    return tests_of({**fields, "references": references}, "bigcodebench.test")


def _surroundings(prompt: str, entry: str) -> str:
    """Return the prompt without the function that it begins: imports and constants."""
    if not prompt.strip():
        return ""
    tree = parsed(f"{prompt.rstrip()}\n    pass\n", "bigcodebench.code_prompt")
    tree.body = [node for node in tree.body if getattr(node, "name", "") != entry]
    return ast.unparse(tree) + "\n"


def _given(prompt: str, setup: str) -> list[str]:
    """Return the prompt's code that the tests use but lack: they run in one module there.

    Imports, constants and helpers, and what these use in turn. The tests get the prompt's, not the program's.
    """
    wanted = _read_in(from_source(setup))
    wanted -= _bound_in(from_source(setup))
    found: list[ast.stmt] = []
    for node in reversed(from_source(prompt).body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [a for a in node.names if (a.asname or a.name).partition(".")[0] in wanted]
            if not node.names:
                continue
        elif not _bound_in(node) & wanted:
            continue
        wanted |= _read_in(node)
        found.append(node)
    return [ast.unparse(node) for node in reversed(found)]


def _read_in(tree: ast.AST) -> set[str]:
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _bound_in(tree: ast.AST) -> set[str]:
    """Names that a module, or one of its statements, binds at its outermost level, as far as one sees."""
    found: set[str] = set()
    for node in tree.body if isinstance(tree, ast.Module) else [tree]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        else:
            found.update(
                each.id
                for each in ast.walk(node)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            )
    return found


KODCODE = Shape(
    "kodcode",
    "https://huggingface.co/datasets/KodCode/KodCode-V1 https://github.com/KodCode-AI/kodcode",
    (columns("test", "question"), columns("test_code"), columns("test", "test_info")),
    columns("test", "test_code", "solution"),
    kodcode,
    lambda row: "entry_point" not in row and "test_list" not in row,
)
BIGCODEBENCH = Shape(
    "bigcodebench",
    "https://huggingface.co/datasets/bigcode/bigcodebench "
    "https://github.com/bigcode-project/bigcodebench (eval/__init__.py)",
    (
        columns("test", "entry_point", "code_prompt"),
        columns("test", "entry_point", "complete_prompt"),
        columns("test", "entry_point", "instruct_prompt"),
    ),
    columns("test", "entry_point", "code_prompt"),
    bigcodebench,
)


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


def mbpp(row: Row) -> CodeTests:
    """Mostly Basic Python Problems, full or sanitized, and MBPP+ as it is on the Hub.

    The set-up runs after the program: two rows build objects of a class that the program defines. MBPP+ has,
    in ``test``, a script that calls the function with further inputs: one test more. So is each assert of
    ``challenge_test_list``.
    """
    if "plus_input" in row:
        raise ConfigError(
            "tests: mbpp.plus_input: evalplus's own files have lists for the tuples and sets of 62 tasks; "
            "use the rows of evalplus/mbppplus on the Hub"
        )
    asserts: list[str] = []
    for key in ("test_list", "challenge_test_list"):
        found = row.get(key) or []
        if not isinstance(found, list | tuple) or not all(isinstance(test, str) for test in found):
            raise ConfigError(f"tests: mbpp.{key} is a list of asserts, got {found!r:.60}")
        asserts += found
    if not asserts:
        raise ConfigError("tests: mbpp.test_list is empty")
    if script := optional_text(row, "test", "mbpp"):
        asserts.append(with_stand_ins(script, "mbpp.test"))
    imports = listed(row.get("test_imports") or [], "mbpp.test_imports", "a list of imports")
    setup = "\n".join([*map(str, imports), optional_text(row, "test_setup_code", "mbpp")])
    fields = {"asserts": asserts, "setup": setup.strip(), "solution": optional_text(row, "code", "mbpp")}
    return tests_of(fields, "mbpp.test_list")


def acecode(row: Row) -> CodeTests:
    """AceCode: ``test_cases``, asserts that a model wrote."""
    asserts = listed(row.get("test_cases"), "acecode.test_cases", "a list of asserts")
    return tests_of({"asserts": asserts}, "acecode.test_cases")


MBPP = Shape(
    "mbpp",
    "https://huggingface.co/datasets/google-research-datasets/mbpp "
    "https://huggingface.co/datasets/evalplus/mbppplus",
    (columns("test_list"), columns("assertion", "plus_input")),
    columns(
        "test_list",
        "challenge_test_list",
        "test_imports",
        "test_setup_code",
        "code",
        "test",
        *("assertion", "base_input", "plus_input", "atol", "entry_point", "contract"),
    ),
    mbpp,
    solutions=("code",),
)
ACECODE = Shape(
    "acecode",
    "https://huggingface.co/datasets/TIGER-Lab/AceCode-87K https://github.com/TIGER-AI-Lab/AceCoder",
    (columns("test_cases"),),
    columns("test_cases"),
    acecode,
    lambda row: (
        isinstance(row["test_cases"], list | tuple)
        and bool(row["test_cases"])
        and all(isinstance(test, str) for test in row["test_cases"])
    ),
)


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
    fields = {"calls": calls, "functions": [method], "prompt": f"{prompt}\n{BUILTINS_PRELUDE}{_BRIDGE}\n"}
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
