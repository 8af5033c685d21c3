"""What a host loses to programs that take all they can get, at `memory=64`: every way in fixtures/attacks.

    python -m benchmarks.code_memory [--rounds 3] [--memory 64] [--only sockets,maps] [--tiers full]

Loss is how far MemAvailable falls while a program runs, the least of some rounds, since other processes of a
machine take memory too. Meanwhile this process makes POSIX timers, locks a file that programs read, and fills
pipes: what is refused to it is shown. Programs whose compiler is not installed are left out; run it as an
ordinary user, too, who shares his counters with the programs.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from unittest import mock

from adapters.cli.sandbox import watched
from verifiers import CodePassRate
from verifiers.code.engine.program_languages import LANGUAGES, toolchain

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "attacks"
SUFFIXES = {
    ".py": "python",
    ".c": "c",
    ".cpp": "cpp",
    ".go": "go",
    ".java": "java",
    ".js": "javascript",
    ".sh": "bash",
}
TESTS = {"stdio": [{"input": "1 2\n", "output": "what nobody prints\n"}]}
UNLIMITED = ("shared_maps", "read_only_maps", "stack_maps", "far_maps")
"""C programs that are also run as those are whose address space is not limited, as Go's and Java's."""


def main() -> None:
    """Run every way in every tier, and print what the host lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, default=64)
    parser.add_argument("--only", default="", help="parts of names, separated by commas")
    parser.add_argument("--tiers", default="full,unprivileged")
    parser.add_argument("--timeout", type=float, default=2.0)
    options = parser.parse_args()
    ways = [
        path
        for path in sorted([*FOLDER.glob("code/*.py"), *FOLDER.glob("native/*")])
        if any(part in path.name for part in options.only.split(","))
    ]
    print(f"memory={options.memory}, MiB lost by the host, the least of {options.rounds} rounds")
    print(
        f"{'way':38} {'as':>10} {'tier':>12} {'lost':>5} {'seconds':>7}  reason; what was refused to others"
    )
    worst = 0
    for path in ways:
        language = SUFFIXES[path.suffix]
        if toolchain(language).missing:
            print(f"{path.name:38} {language:>10} skipped: {toolchain(language).missing}")
            continue
        kinds = [language, "runtime"] if path.stem in UNLIMITED and language == "c" else [language]
        for kind in kinds:
            for tier in options.tiers.split(","):
                worst = max(worst, way(path, language, kind, tier, options))
    print(f"the most that was lost: {worst} MiB")


def way(path: Path, language: str, kind: str, tier: str, options: argparse.Namespace) -> int:
    """Run one way, print a line, and return what was lost."""
    row = LANGUAGES[language]
    if kind == "runtime":
        row = replace(row, runtime=512, resident=64, profile="runtime")
    with mock.patch.dict(LANGUAGES, {language: row}):
        judge = CodePassRate(language, isolation=tier, memory=options.memory, timeout=options.timeout)
        honest(judge)
        lost, refused, said, took = 1 << 40, set[str](), "", 0.0
        for number in range(options.rounds):
            source = path.read_text(errors="surrogateescape").replace("/tmp/host", "/nowhere")
            # What a compiler made of a program is kept, so each round has another one.
            source += f"\n{'#' if language in ('python', 'bash') else '//'} {number}\n"
            started = time.monotonic()
            with watched() as seen:
                verdict = judge.verify(f"```{language}\n{source}\n```", TESTS)
            took = time.monotonic() - started
            lost = min(lost, seen.lost)
            refused |= {f"{what} ({why})" for what, why in seen.refused.items()}
            said = verdict.reason if verdict.score == 0.0 else f"{verdict.status}: {verdict.detail}"
    note = f"; refused: {', '.join(sorted(refused))}" if refused else ""
    print(f"{path.stem:38} {kind:>10} {tier:>12} {lost:5} {took:7.1f}  {said}{note}", flush=True)
    return lost


def honest(judge: CodePassRate) -> None:
    """Have launchers and precompiled headers there before anything is measured."""
    hello = {
        "python": "print(1)",
        "bash": "echo 1",
        "javascript": "console.log(1)",
        "java": 'public class Main { public static void main(String[] a) { System.out.println("1"); } }',
        "go": 'package main\nimport "fmt"\nfunc main() { fmt.Println(1) }',
    }.get(judge.language, '#include <stdio.h>\nint main(void) { puts("1"); }')
    if judge.language == "cpp":
        hello = '#include <bits/stdc++.h>\nint main() { puts("1"); }'
    verdict = judge.verify(f"```{judge.language}\n{hello}\n```", {"stdio": [{"output": "1"}]})
    if verdict.score != 1.0:
        print(f"an honest {judge.language} program: {json.dumps(verdict.detail)}")


if __name__ == "__main__":
    main()
