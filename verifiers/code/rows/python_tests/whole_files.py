"""KodCode (a file for pytest) and BigCodeBench (a class of unittest)."""

from __future__ import annotations

import ast

from ....runtime.bounds import from_source
from ...tests.spec import CodeTests
from ..shape import Row, Shape, columns, optional_text, tests_of, text
from .collected import collected
from .stand_ins import parsed


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
    setup = "\n".join([*_imports(prompt, file.setup), file.setup])
    return tests_of(
        {"asserts": list(file.tests), "setup": setup, "prompt": prompt, "functions": [entry]},
        "bigcodebench.test",
    )


def _surroundings(prompt: str, entry: str) -> str:
    """What the prompt has besides the function that it begins: imports and constants."""
    if not prompt.strip():
        return ""
    tree = parsed(f"{prompt.rstrip()}\n    pass\n", "bigcodebench.code_prompt")
    tree.body = [node for node in tree.body if getattr(node, "name", "") != entry]
    return ast.unparse(tree) + "\n"


def _imports(prompt: str, setup: str) -> list[str]:
    """The prompt's imports of what the tests use without importing it: they run in one module there."""
    if not prompt:
        return []
    tree = from_source(setup)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used -= {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    found = []
    for node in from_source(prompt).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [a for a in node.names if (a.asname or a.name).partition(".")[0] in used]
            if node.names:
                found.append(ast.unparse(node))
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
