"""What a batch costs that holds many answers which are expensive to decide, wherever they stand in it.

python -m benchmarks.hostile_batches --rows 1024 --hostile 64

Each hostile answer is another one: integrals, sums, products and limits without a closed form, determinants,
nests of logarithms and roots, powers of powers, long lists. The other rows are ordinary, half of them right.
Prints, for each position of the hostile rows, seconds on the clock (how long the workers take to start, which
a run pays once, and then the batch), processor seconds of both together here and in workers, and how many
verdicts had which reason; exits 1 if a hostile answer is paid, an ordinary one is judged
wrongly, or two positions disagree.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable

from verifiers import MathEquivalence, Verdict
from verifiers.runtime.pool import shared_pool

Family = Callable[[int], str]


def _determinant(size: int, number: int) -> str:
    cells = (
        f"x_{{{(row * size + column + number) % 90}}}^{{{number % 5 + 1}}}"
        for row in range(size)
        for column in range(size)
    )
    rows = ["&".join(next(cells) for _ in range(size)) for _ in range(size)]
    return r"\begin{vmatrix}" + r"\\".join(rows) + r"\end{vmatrix}"


FAMILIES: dict[str, Family] = {
    "integral": lambda n: rf"\int_0^{{1}} e^{{x^x+{n}x}}dx",
    "oscillating integral": lambda n: rf"\int_0^{{\infty}} \frac{{\sin({n}x^2)\cos(x)}}{{x+{n}}}dx",
    "rational integral": lambda n: (
        rf"\int_{{-\infty}}^{{\infty}} \frac{{\sin^{{17}}(x^3)}}{{x^{{5}}+\ln({n}+e^x)}} dx"
    ),
    "nested integral": lambda n: rf"\int_0^1\int_0^1 e^{{\sin({n}xy)+x^y}} dx dy",
    "indefinite integral": lambda n: rf"\int \frac{{e^{{x^{n}}}\ln x}}{{1+\sin x}} dx",
    "slow series": lambda n: rf"\sum_{{k=1}}^{{\infty}}\frac{{\sin(k^2+{n})}}{{k^{{3/2}}}}",
    "alternating series": lambda n: rf"\sum_{{k={n + 1}}}^{{\infty}}\frac{{(-1)^k\sqrt{{k}}}}{{k+\ln k}}",
    "long sum": lambda n: rf"\sum_{{k=1}}^{{10^9}}k^{{{n}}}\sin k",
    "nested sums": lambda n: rf"\sum_{{i=1}}^{{99}}\sum_{{j=1}}^{{99}}\sum_{{k=1}}^{{{n + 30}}} \sqrt{{ijk}}",
    "product": lambda n: rf"\prod_{{k=1}}^{{{900 + n}}}(k^k+{n})",
    "limit": lambda n: rf"\lim_{{x\to0}}(\sin x)^{{\tan^{{{n}}}x}}",
    "two-sided limit": lambda n: (
        rf"\lim_{{x\to0}}\frac{{\tan({n}x^2)-\sin(x^{n})^{{x}}}}{{x^{{{n}}}-e^{{x^2}}+1}}"
    ),
    "determinant": lambda n: _determinant(9, n),
    "determinant of powers": lambda n: _determinant(4, n),
    "logarithms": lambda n: r"\ln" * (60 + n) + f" {n}",
    "roots": lambda n: r"\sqrt{2+" * (30 + n) + "2" + "}" * (30 + n),
    "power of powers": lambda n: rf"{n + 2}^{{9^{{9^{{9}}}}}}",
    "exponentials": lambda n: rf"e^{{e^{{e^{{{n}}}}}}}-e^{{e^{{e^{{{n}}}}}}}+\tanh({n}000)",
    "powers of sums": lambda n: rf"(a+b+c+d+e+{n})^{{{60 + n}}}-(a+b+c+d)^{{{n + 40}}}",
    "functions of functions": lambda n: "+".join(rf"\sin^{{{k}}}(\cos({k * n}x))" for k in range(1, 40)),
    "list": lambda n: ",".join(rf"\sin({k * n}x)+\cos({k}y)" for k in range(1, 100)),
    "set": lambda n: r"\{" + ",".join(rf"\sqrt{{{k}}}+\sqrt{{{k + n}}}" for k in range(2, 100)) + r"\}",
    "factorials": lambda n: rf"\binom{{{2000 + n}}}{{{1000}}}+\left(\frac{{{n}!}}{{7}}\right)!",
    "unread": lambda n: rf"\oint_{{|z|={n}}} \frac{{e^{{z^2}}}}{{z^{{{n}}}-1}} dz",
}
"""Kinds of hostile formulas by name; each gives another formula for every number from 1."""


def hostile(count: int) -> list[str]:
    """Different formulas of all families in turn."""
    families = list(FAMILIES.values())
    return [families[number % len(families)](2 + number // len(families)) for number in range(count)]


def positions(rows: int, count: int) -> dict[str, list[int]]:
    """Where hostile answers may stand in a batch."""
    step = max(1, rows // max(1, count))
    middle = (rows - count) // 2
    return {
        "first": list(range(count)),
        "last": list(range(rows - count, rows)),
        "middle": list(range(middle, middle + count)),
        "spread": [number * step for number in range(count)],
    }


def batch(rows: int, formulas: list[str], at: list[int]) -> tuple[list[str], list[str], list[float]]:
    """Completions, references and the scores that are right."""
    completions = [rf"so it is \boxed{{\frac{{{row}}}{{{2 + row % 2}}}}}" for row in range(rows)]
    references = [rf"\frac{{{row}}}{{2}}" for row in range(rows)]
    scores = [1.0 if row % 2 == 0 or row == 0 else 0.0 for row in range(rows)]
    for place, formula in zip(at, formulas, strict=True):
        completions[place], references[place], scores[place] = rf"\boxed{{{formula}}}", "42", 0.0
    return completions, references, scores


def processor_seconds() -> tuple[float, float]:
    """Of this process, and of its workers, which are closed for that."""
    shared_pool().close()
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def start_workers(judge: MathEquivalence) -> None:
    """Ask enough questions for every worker: sums with a letter for their last term need sympy."""
    factors = range(2, 2 + 2 * (os.cpu_count() or 1))
    sums = [rf"\boxed{{{factor}\sum_{{k=1}}^n k^3}}" for factor in factors]
    judge.verify_batch(sums, [rf"\frac{{{factor}n^2(n+1)^2}}{{4}}" for factor in factors])


def main() -> None:
    """Judge a batch for each position."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--hostile", type=int, default=64)
    parser.add_argument("--family", choices=list(FAMILIES), help="only formulas of this kind")
    options = parser.parse_args()
    judge = MathEquivalence()
    formulas = hostile(options.hostile)
    if options.family:
        formulas = [FAMILIES[options.family](2 + number) for number in range(options.hostile)]
    found: dict[str, list[tuple[float | None, str]]] = {}
    failures = 0
    print(
        f"{'position':10} {'start':>7} {'batch':>7} {'here':>7} {'workers':>8}  "
        f"verdicts on {options.hostile} hostile rows of {options.rows}"
    )
    for name, at in positions(options.rows, options.hostile).items():
        completions, references, scores = batch(options.rows, formulas, at)
        before, begun = processor_seconds(), time.perf_counter()
        start_workers(judge)
        started = time.perf_counter()
        verdicts: list[Verdict] = judge.verify_batch(completions, references)
        seconds = time.perf_counter() - started
        used = [after - earlier for after, earlier in zip(processor_seconds(), before, strict=True)]
        failures += sum(verdict.score != score for verdict, score in zip(verdicts, scores, strict=True))
        found[name] = [(verdicts[place].score, verdicts[place].reason) for place in at]
        reasons = ", ".join(
            f"{count} {reason}"
            for reason, count in Counter(reason for _, reason in found[name]).most_common()
        )
        print(
            f"{name:10} {started - begun:6.1f}s {seconds:6.1f}s {used[0]:6.1f}s {used[1]:7.1f}s  {reasons}",
            flush=True,
        )
    disagreeing = sum(len(set(each)) > 1 for each in zip(*found.values(), strict=True))
    print(f"{failures} wrong scores, {disagreeing} hostile rows whose verdict depends on their position")
    for formula, verdicts in zip(formulas, zip(*found.values(), strict=True), strict=True):
        if len(set(verdicts)) > 1:
            print(f"  {formula:.70}: {sorted({reason for _, reason in verdicts})}")
    sys.exit(1 if failures or disagreeing else 0)


if __name__ == "__main__":
    main()
