"""The tests that reach a mutant, nearest first: what Cosmic Ray runs in a mutated copy of the tree."""

from __future__ import annotations

import ast
import itertools
import json
import os
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

NEAREST_SECONDS, ALL_SECONDS = 6.0, 30.0
"""How long the tests of the first and of both rounds took when coverage was measured."""
FILE_SECONDS = 0.4
"""What collecting one more file costs."""


NOT_RUN = "not run: the time is over"
"""What is said of a mutant for which there was no time left."""


class Chosen:
    """A plug-in of pytest: only these tests, in this order."""

    def __init__(self, tests: list[str]) -> None:
        self.place = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out the others."""
        chosen = [item for item in items if item.nodeid in self.place]
        items[:] = sorted(chosen, key=lambda item: self.place[item.nodeid])


def mutated(root: Path, original: Path, files: list[str]) -> tuple[str, int]:
    """The file that differs from the original tree, and its first line that does."""
    for file in files:
        old, new = (original / file).read_text(encoding="utf-8"), (root / file).read_text(encoding="utf-8")
        if old != new:
            pairs = enumerate(zip(old.splitlines(), new.splitlines(), strict=False), 1)
            return file, next((number for number, (one, other) in pairs if one != other), 1)
    raise SystemExit("nothing is mutated")


def reaching(reached: dict[int, list[str]], source: str, line: int) -> set[str]:
    """The tests that ran the line; outside functions, those that ran what uses it; at last, the file's."""
    tree = ast.parse(source)
    around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _holds(node, line)]
    functions = [node for node in around if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = [node for node in functions if line >= node.body[0].lineno]
    if inside:
        # The innermost statement first: of one that spans lines, not every line counts as run.
        statements = [node for node in reversed(around) if node.lineno >= inside[0].body[0].lineno]
        lines = [[line], *(_span(node) for node in statements), _body(inside[0])]
    elif functions:
        lines = [_body(functions[0])]
    else:
        # Module and class bodies run at import, in whichever test came first: who uses the name matters.
        names = {name.id for node in around if not isinstance(node, ast.ClassDef) for name in _stored(node)}
        lines = [
            [
                node.lineno
                for node in ast.walk(tree)
                if _used(node) in names and not isinstance(node, ast.stmt)
            ]
        ]
        spans = [_body(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        within = {number for span in spans for number in span}
        lines = [[number for number in lines[0] if number in within]]
    for each in lines:
        if found := {test for number in each for test in reached.get(number, ())}:
            return found
    return {test for tests in reached.values() for test in tests}


def rounds(tests: set[str], seconds: dict[str, float], file: str) -> list[list[str]]:
    """Two rounds of tests: of the nearest files, and the rest of what there is time for; quick ones first."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda each: seconds[each]):
        files[test.partition("::")[0]].append(test)
    ranked = sorted(files, key=lambda each: (each != file, -_shared(each, file), -len(files[each])))
    first: list[str] = []
    second: list[str] = []
    spent = 0.0
    for each in ranked:
        spent += FILE_SECONDS
        for test in files[each]:
            spent += seconds[test]
            if spent < NEAREST_SECONDS:
                first.append(test)
            elif spent < ALL_SECONDS:
                second.append(test)
            else:
                spent -= seconds[test]
                break
    return [each for each in (first, second) if each]


def main() -> int:
    """1 if a test fails, else 0."""
    if time.time() > float(os.environ["MUTANTS_DEADLINE"]):
        print(NOT_RUN)
        return 0
    root, original = Path.cwd(), Path(os.environ["MUTANTS_ORIGINAL"])
    notes = json.loads((original / "reached.json").read_text(encoding="utf-8"))
    file, line = mutated(root, original, notes["modules"])
    data = CoverageData(str(original / "reached.coverage"))
    data.read()
    reached = {
        number: [_test(context) for context in contexts if context]
        for number, contexts in data.contexts_by_lineno(file).items()
    }
    source = (original / file).read_text(encoding="utf-8")
    tests = {test for test in reaching(reached, source, line) if test in notes["seconds"]}
    if not tests:
        # Commands that tests run as forks of one server leave no trace: any test of the package may notice.
        mirror = f"tests/{Path(file).parts[0]}/"
        tests = {test for test in notes["seconds"] if test.startswith(mirror)}
    chosen = rounds(tests, notes["seconds"], file)
    print(f"{file}:{line}: {len(tests)} tests reach it, {sum(map(len, chosen))} are run")
    options = ["-x", "-q", "--no-header", "--tb=line"]
    options += [word for plugin in ("cacheprovider", "xdist", "cov") for word in ("-p", f"no:{plugin}")]
    for each in chosen:
        files = list(dict.fromkeys(test.partition("::")[0] for test in each))
        if pytest.main([*options, *files], plugins=[Chosen(each)]) != 0:
            return 1
    return int(pytest.main([*options, *notes["laws"]]) != 0)


def _shared(test: str, file: str) -> int:
    """How many folders of a module a file of tests mirrors: the more, the nearer it is."""
    mirrored = Path(test.removeprefix("tests/")).parent.parts
    pairs = zip(mirrored, Path(file).parent.parts, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _holds(node: ast.stmt, line: int) -> bool:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return first <= line <= (node.end_lineno or node.lineno)


def _span(node: ast.stmt) -> list[int]:
    return list(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[int]:
    return [number for statement in node.body for number in _span(statement)]


def _stored(node: ast.AST) -> list[ast.Name]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]


def _used(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _test(context: str) -> str:
    """A context is "test|run" in pytest's own process, and "test (call)" in one that the test started."""
    for phase in ("setup", "run", "teardown"):
        context = context.removesuffix(f"|{phase}")
    for phase in ("setup", "call", "teardown"):
        context = context.removesuffix(f" ({phase})")
    return context


if __name__ == "__main__":
    sys.exit(main())
