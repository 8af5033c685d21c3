"""KodCode (a file for pytest) and BigCodeBench (a class of unittest)."""

from __future__ import annotations

import ast

from ....runtime.bounds import from_source
from ...suites.spec import CodeTests, parsed
from ..shape import Row, Shape, columns, optional_text, tests_of, text
from ..solutions import solutions_of
from .collected import collected


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
    """What the prompt has besides the function that it begins: imports and constants."""
    if not prompt.strip():
        return ""
    tree = parsed(f"{prompt.rstrip()}\n    pass\n", "bigcodebench.code_prompt")
    tree.body = [node for node in tree.body if getattr(node, "name", "") != entry]
    return ast.unparse(tree) + "\n"


def _given(prompt: str, setup: str) -> list[str]:
    """What the prompt has that the tests use without having it themselves: they run in one module there.

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
