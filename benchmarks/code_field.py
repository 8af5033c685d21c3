"""Programs with known labels: QuixBugs, right and with one bug, and HumanEval-X, right in other languages.

    python -m benchmarks.code_field code_quixbugs.jsonl.gz [code_humanevalx_solutions.jsonl.gz]

A right program must be paid, one with a bug must not; languages whose compiler is missing are counted
apart. HumanEval-X's tests in Rust need cargo.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

from verifiers import CodePassRate

_LANGUAGES = {
    "cpp": "cpp",
    "java": "java",
    "js": "javascript",
    "javascript": "javascript",
    "go": "go",
}


def main() -> None:
    """Print what was paid."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("quixbugs", type=Path)
    parser.add_argument("humanevalx", type=Path, nargs="?")
    parser.add_argument("--each", type=int, default=1000, help="programs of each language")
    options = parser.parse_args()
    _quixbugs(_rows(options.quixbugs))
    if options.humanevalx:
        _humanevalx(_rows(options.humanevalx), options.each)


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _quixbugs(rows: list[dict[str, Any]]) -> None:
    tests = []
    for row in rows:
        name, cases = row["entry_point"], row["tests"]
        # Generators are to be listed; the rest are calls.
        text = [
            f"_plain({name}(*{given if isinstance(given, list) else [given]!r}), {want!r})"
            for given, want in cases
        ]
        setup = (
            "import types\ndef _plain(said, want):\n"
            "    said = list(said) if isinstance(said, types.GeneratorType) else said\n"
            "    close = isinstance(want, float) and abs(said - want) <= 0.01\n"
            "    assert close or _tuples(said) == _tuples(want)\n"
            "def _tuples(x):\n    return [_tuples(y) for y in x] if isinstance(x, (list, tuple)) else x\n"
        )
        tests.append({"asserts": text, "setup": setup, "functions": [name]})
    judge = CodePassRate(timeout=3, all_or_nothing=True)
    found = judge.verify_batch([f"```python\n{row['completion']}\n```" for row in rows], tests)
    for label in (True, False):
        chosen = [verdict for row, verdict in zip(rows, found, strict=True) if row["label"] is label]
        paid = sum(verdict.score == 1.0 for verdict in chosen)
        print(f"QuixBugs, {'right' if label else 'with a bug'}: {paid} of {len(chosen)} paid")
        for row, verdict in zip(rows, found, strict=True):
            if row["label"] is label and (verdict.score == 1.0) is not label:
                print(f"  {row['entry_point']}: {verdict.score} {verdict.reason} {verdict.detail[:200]}")


def _humanevalx(rows: list[dict[str, Any]], most: int) -> None:
    for name, language in _LANGUAGES.items():
        chosen = [row for row in rows if row["language"] == name][:most]
        if not chosen:
            continue
        programs = [f"```{language}\n{_program(language, row)}\n```" for row in chosen]
        tests = [{"stdio": [{"input": "", "output": ""}]}] * len(chosen)
        found = CodePassRate(language=language).verify_batch(programs, tests)
        counts = Counter("paid" if verdict.score == 1.0 else verdict.reason for verdict in found)
        print(f"{language}: {dict(counts)} of {len(chosen)}")


def _program(language: str, row: dict[str, Any]) -> str:
    head = row["declaration"] if language in ("cpp", "go") else row["prompt"]
    return f"{head}{row['canonical_solution']}\n{row['tests']}"


if __name__ == "__main__":
    main()
