"""Whether judging takes time linear in the text: signs, words and tags repeated, and pieces of several.

    python -m benchmarks.linear_time --texts 400

Each text repeats one piece, alone and before an answer, at two lengths, the longer one four times the
shorter. Prints the slowest texts with the processor seconds for a million characters, and every text whose
longer form takes more than eight times as long; exits 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from verifiers import ExactMatch, LanguageConsistency, MathEquivalence, MultipleChoice, TagFormat

PIECES = (
    *(
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "<b>",
        "<br>",
        "&nbsp;",
        "&",
        "<",
        ">",
        "```",
        "`",
        "|",
        "#",
    ),
    *(
        "\\boxed{",
        "\\frac{1}{2}",
        "\\text{",
        "\\begin{cases}",
        "\\end{cases}",
        "\\\\",
        "\\",
        "{",
        "}",
        "$",
        "$$",
    ),
    *(
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "(",
        ")",
        "[",
        "]",
        "_",
        "^",
        "~",
        "*",
        "**",
        '"',
        "\u201c",
        "=",
        "+",
        "-",
        "±",
        "%",
    ),
    *(
        "42",
        "1,",
        "3.5",
        "1/",
        "x",
        "A",
        "B)",
        "\u2460",
        "or",
        "and",
        "not",
        "is",
        "cm",
        "°",
        ".",
        "\n",
        " ",
        "\t",
    ),
    *(
        "The answer is ",
        "answer:",
        "if ",
        "maybe ",
        "either ",
        "because ",
        "http://",
        "def f(",
        '{"a":',
        "analysis",
    ),
    *(
        "<|channel|>final<|message|>",
        "\u200b",
        "\u0301",
        "\ud800",
        "\U0001d7d8",
        "\uff21",
        "\u3164",
        "\u1100",
        "\u1161",
    ),
)
TAILS = ("", " \\boxed{42}", " The answer is A.")
LENGTH = 30_000
FLOOR = 0.05
"""Seconds under which nothing is called slow."""
MOST = 8.0
"""What the quadruple length may cost, as a multiple."""
Judge = Callable[[str], Any]


def judges() -> dict[str, Judge]:
    """Verifiers that read prose, by name."""
    maths, choice, exact, tags = (
        MathEquivalence(),
        MultipleChoice(),
        ExactMatch(),
        TagFormat(("think", "answer")),
    )
    language = LanguageConsistency("ko")
    return {
        "MathEquivalence": lambda text: maths.verify(text, "42"),
        "MultipleChoice": lambda text: choice.verify(text, "A"),
        "ExactMatch": lambda text: exact.verify(text, "42"),
        "TagFormat": tags.verify,
        "LanguageConsistency": language.verify,
    }


def pieces(dice: random.Random) -> Iterator[str]:
    """Each by itself, then several at random."""
    yield from PIECES
    while True:
        yield "".join(dice.choice(PIECES) for _ in range(dice.randint(2, 4)))


def seconds(judge: Judge, piece: str, length: int, tail: str) -> float:
    """Processor seconds for a text; the better of two tries, of one where it is quick."""
    text = (piece * (length // len(piece) + 1))[:length] + tail
    taken = []
    for _ in range(2):
        started = time.process_time()
        judge(text)
        taken.append(time.process_time() - started)
        if taken[0] < FLOOR:
            break
    return min(taken)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=400, help="how many pieces")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = judges()
    for judge in found.values():
        judge("The answer is 42.")
    made = pieces(random.Random(options.seed))
    slowest: list[tuple[float, str, str]] = []
    failures = 0
    for _ in range(options.texts):
        piece = next(made)
        for tail in TAILS:
            for name, judge in found.items():
                long = seconds(judge, piece, 4 * LENGTH, tail)
                slowest = sorted([*slowest, (long, name, piece + " ... " + tail)], reverse=True)[:10]
                if long > FLOOR and long > MOST * seconds(judge, piece, LENGTH, tail):
                    failures += 1
                    print(f"{name}: not linear: {piece!r} {tail!r}: {long:.2f} s", flush=True)
    print(f"{options.texts} pieces, {failures} that are not linear; the slowest, a million characters:")
    for taken, name, shown in slowest:
        print(f"  {taken * 1e6 / (4 * LENGTH):5.2f} s  {name:20} {shown!r}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
