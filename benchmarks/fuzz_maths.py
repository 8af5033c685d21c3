"""Random and mutated answers against random references: no fault, no slow input, the same verdict both ways.

python -m benchmarks.fuzz_maths --minutes 10

What a decimal reference allows (`reference_decimals`) is meant for one direction and left out. Inputs are
pieces of formulas put together at random, and answers of fixtures/cases with pieces exchanged or cut.
Prints how many pairs were judged, the slowest, and every failure; exits 1 if there is one.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import random
import sys
import time

from verifiers.formulas.formula_equality import is_equal
from verifiers.maths.decide.answer_match import match
from verifiers.maths.decide.policy import DEFAULT, STRICT
from verifiers.reading.answer_readings import Reading
from verifiers.reading.spelling.cleaning import clean

BOTH_WAYS = dataclasses.replace(DEFAULT, reference_decimals="exact")
CASES = pathlib.Path(__file__).parent.parent / "fixtures" / "cases" / "math_equivalence.jsonl"
PIECES = r"""
    1 2 3 10 0.5 1,234 -7 x y n k z a_1 x_{n} \pi e i \infty \frac{1}{2} \frac12 \dfrac{x}{y}
    \sqrt{2} \sqrt3 \sqrt[3]{x} + - * / ^ ^2 ^{10} ^{-1} ^\circ _ _2 ! % \% $ \$ ( ) [ ] { } \{ \} |
    , ; : = < > \le \ge \ne \in \cup \cap \setminus \pm \mp \cdot \times \div \approx \sin \cos x
    \tan^{-1} \log \log_2 \ln \exp \binom{5}{2} \lfloor \rfloor \mathbb{R} \mathbb{Z} \emptyset
    \text{ cm } \text{and} \text{or} and or cm apples percent degrees \begin{pmatrix} & \\
    \end{pmatrix} \begin{cases} \end{cases} \begin{vmatrix} \end{vmatrix} \sum_{k=1}^{5}
    \prod_{k=1}^{3} \int_0^1 \lim \left( \right) \overline{3} \dots ... \forall \to \angle \vec{a}
    \max \gcd mod \pmod{5} 9^{9^{9}} 99999! 삼만 5천 원 열두 개 과 또는 ½ √ ² ≤ ∞ 。 ​ é 漢 f(x) f(x)= x= (1,2)
    [1,2) {1,2} 3:4 12:30 PM 10^{9} e^{x} 2^{100}
    """.split()
SLOW = 0.1  # seconds


def random_text(dice: random.Random, corpus: list[str]) -> str:
    """A text that is nearly an answer."""
    kind = dice.random()
    if kind < 0.4:
        return dice.choice(["", " "]).join(dice.choice(PIECES) for _ in range(dice.randint(1, 14)))
    text = dice.choice(corpus)
    for _ in range(dice.randint(0, 3)):
        at = dice.randint(0, len(text))
        change = dice.random()
        if change < 0.4:
            text = text[:at] + dice.choice(PIECES) + text[at:]
        elif change < 0.7:
            text = text[:at] + text[at + dice.randint(1, 4) :]
        else:
            text = (text[:at] + text)[:3000]
    return text


def judge(one: str, other: str, found: tuple[str, ...], equal: list[bool], seconds: float) -> str:
    """What is wrong with two verdicts, one in each direction; "" for nothing."""
    if any(" " in reason for reason in found):
        return "an exception"
    if seconds > SLOW:
        return "slow"
    if one == other and one and not equal[0] and found[0] in ("proved_unequal", "not_equal"):
        return "not equal to itself"
    usable = not any(
        reason.endswith("reference") or "over_limit" in reason or "several" in reason for reason in found
    )
    return "not symmetric" if usable and equal[0] != equal[1] else ""


def main() -> None:
    """Judge pairs until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    rows = [json.loads(line) for line in CASES.open(encoding="utf-8")]
    corpus = [row["reference"] for row in rows if isinstance(row["reference"], str) and row["reference"]]
    corpus += [row["completion"][7:-1] for row in rows if str(row["completion"]).startswith("\\boxed{")]
    corpus = [text for text in corpus if "boxed" not in text and "####" not in text]
    end = time.monotonic() + 60 * options.minutes
    judged = workers = failures = 0
    slowest: list[tuple[float, str, str]] = []
    while time.monotonic() < end:
        one, other = clean(random_text(dice, corpus)), clean(random_text(dice, corpus))
        if dice.random() < 0.3:
            other = clean(one + dice.choice(["", " ", "."]))
        left, right = Reading(one), Reading(other)
        for policy in (BOTH_WAYS, STRICT):
            started = time.process_time()
            try:
                found = match(left, right, policy)[0], match(right, left, policy)[0]
            except Exception as error:
                found = (f"{type(error).__name__}: {error}",) * 2
            taken = (time.process_time() - started) / 2
            judged += 2
            sympy = left.shape is None or right.shape is None or set(found) & {"equal_symbolic", "undecided"}
            workers += bool(sympy)
            equal = [is_equal(reason) for reason in found]
            if problem := judge(one, other, found, equal, taken if not sympy else 0.0):
                failures += 1
                print(f"{problem} ({taken:.2f} s): {one!r} | {other!r} {found}", flush=True)
            slowest = sorted([*slowest, (taken, one, other)], reverse=True)[:5]
    print(f"{judged} pairs judged, {workers} beyond the grammar, {failures} failures")
    for taken, one, other in slowest:
        print(f"  {1e3 * taken:.0f} ms  {one!r:.100} | {other!r:.100}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
