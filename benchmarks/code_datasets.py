"""HumanEval and MBPP: every reference solution passes, and no broken one does.

    python -m benchmarks.code_datasets HumanEval.jsonl MBPP.jsonl [--isolation full] [--mutations]

A mutation is one small change to a reference solution (an operator, a comparison, a constant, a returned
value). It counts only if a plain run of the solution with its tests fails; then it must not be paid 1.0.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from verifiers import CodePassRate

_SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Add, ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("humaneval", type=Path)
    parser.add_argument("mbpp", type=Path)
    parser.add_argument("--isolation", default="full")
    parser.add_argument("--mutations", action="store_true")
    options = parser.parse_args()
    for name, path in (("humaneval", options.humaneval), ("mbpp", options.mbpp)):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        _canonical(name, rows, options.isolation)
        if options.mutations:
            _mutations(name, rows, options.isolation)


def _canonical(name: str, rows: list[dict[str, Any]], isolation: str) -> None:
    programs = [_fenced(_solution(name, row)) for row in rows]
    tests = [{name: row} for row in rows]
    hidden = CodePassRate(isolation=isolation)
    started = time.perf_counter()
    verdicts = hidden.verify_batch(programs, tests)
    seconds = time.perf_counter() - started
    rest = [index for index, verdict in enumerate(verdicts) if verdict.reason == "visible_tests_needed"]
    visible = CodePassRate(isolation=isolation, visible_tests=True)
    shown = visible.verify_batch([programs[index] for index in rest], [tests[index] for index in rest])
    passed = sum(verdict.passed for verdict in verdicts)
    print(
        f"{name}: {passed} of {len(rows)} reference solutions pass, {sum(v.passed for v in shown)} more of "
        f"{len(rest)} with visible tests; {seconds:.1f} s; isolation {isolation}"
    )
    for row, verdict in zip(rows, verdicts, strict=True):
        if not verdict.passed and verdict.reason != "visible_tests_needed":
            print(f"  {row['task_id']}: {verdict} {verdict.detail}")


def _mutations(name: str, rows: list[dict[str, Any]], isolation: str) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        broken = list(threads.map(lambda row: _broken(name, row), rows))
    found = [(row, code) for row, code in zip(rows, broken, strict=True) if code is not None]
    verifier = CodePassRate(isolation=isolation, visible_tests=True)
    verdicts = verifier.verify_batch([_fenced(code) for _, code in found], [{name: row} for row, _ in found])
    paid = [(row, verdict) for (row, _), verdict in zip(found, verdicts, strict=True) if verdict.score == 1.0]
    reasons = Counter(verdict.reason for verdict in verdicts).most_common()
    print(
        f"{name}: {len(found)} of {len(rows)} solutions broken by one mutation; "
        f"{len(paid)} of them paid 1.0; {reasons}"
    )
    for row, verdict in paid:
        print(f"  {row['task_id']}: {verdict.detail}")


def _broken(name: str, row: dict[str, Any]) -> str | None:
    """The first mutation with which a plain run of the tests fails."""
    solution = _solution(name, row)
    for mutated in mutants(solution):
        if not _plain_run_passes(name, row, mutated):
            return mutated
    return None


def mutants(source: str) -> Iterator[str]:
    """The source with one small change, once for each place that has one."""
    count = sum(1 for _ in ast.walk(ast.parse(source)))
    for position in range(count):
        tree = ast.parse(source)
        node = list(ast.walk(tree))[position]
        if _mutate(node):
            yield ast.unparse(ast.fix_missing_locations(tree))


def _mutate(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in _SWAPS:
        node.op = _SWAPS[type(node.op)]()
        return True
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
        node.ops[0] = _SWAPS[type(node.ops[0])]()
        return True
    if isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
        return True
    if isinstance(node, ast.Return) and node.value is not None:
        node.value = ast.Constant(None)
        return True
    return False


def _plain_run_passes(name: str, row: dict[str, Any], code: str) -> bool:
    if name == "humaneval":
        program = f"{code}\n{row['test']}\ncheck({row['entry_point']})\n"
    else:
        program = "\n".join([code, row.get("test_setup_code") or "", *row["test_list"]])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.py")
        path.write_text(program, encoding="utf-8", newline="")
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", str(path)],
                capture_output=True,
                timeout=20,
                check=False,
                cwd=folder,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def _solution(name: str, row: dict[str, Any]) -> str:
    return str(row["prompt"] + row["canonical_solution"] if name == "humaneval" else row["code"])


def _fenced(code: str) -> str:
    return f"```python\n{code}\n```"


if __name__ == "__main__":
    main()
