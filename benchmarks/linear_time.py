"""Whether judging takes time linear in the text: heads that nearly match, then signs and words repeated.

    python -m benchmarks.linear_time --texts 780

Each text is a head, then one piece or several over and over; it is judged at two lengths by everything that
reads prose. Prints every text that takes more processor time than it may, every one of which four times the
text takes more than eight times as long, and the slowest; exits 1 if there is one of the first two.
"""

from __future__ import annotations

import argparse
import functools
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import verifiers
from benchmarks.repeated_pieces import HEADS, PIECES, TAILS
from verifiers.core import EXTRACTORS
from verifiers.core.completions import split_thinking
from verifiers.language.refusing import answering
from verifiers.visible.seen import see

LIMITS = {600: 0.35, 30_000: 3.0}
"""Processor seconds that a text of a length may take."""
FLOOR = 0.1
"""Seconds under which nothing is called slow."""
MOST = 8.0
"""What the quadruple length may cost, as a multiple."""
Judge = Callable[[str], Any]


@functools.cache
def judges() -> dict[str, Judge]:
    """Everything that reads prose, by name: verifiers with their usual references, extractors, readers."""

    def judged(verifier: Any, reference: Any = None, **columns: Any) -> Judge:
        return lambda text: verifier.verify(text, reference, **columns)

    found = {
        "MathEquivalence": judged(verifiers.MathEquivalence(), "42"),
        "MathEquivalence, words": judged(verifiers.MathEquivalence(), "x^2 + 1"),
        "MultipleChoice": judged(verifiers.MultipleChoice(), "B"),
        "ExactMatch": judged(verifiers.ExactMatch(), "42"),
        "TokenF1": judged(verifiers.TokenF1(), "the capital is Paris"),
        "TagFormat": judged(verifiers.TagFormat(("think", "answer"))),
        "LanguageConsistency": judged(verifiers.LanguageConsistency("ko")),
        "Rouge": judged(verifiers.Rouge(), "the capital is Paris"),
        "Repetition": judged(verifiers.Repetition()),
        "Keywords": judged(verifiers.Keywords(("Paris", "정답"))),
        "KoreanAnswerTemplate": judged(verifiers.KoreanAnswerTemplate(), "사과가 옳다."),
        "EquationChain": judged(verifiers.EquationChain(), "42"),
        "NumbersGrounded": judged(verifiers.NumbersGrounded(), prompt="Tom has 3 apples and 5 pears."),
        "JsonSchema": judged(verifiers.JsonSchema({"type": "object"})),
        "Refusal": judged(verifiers.Refusal()),
        "Length": judged(verifiers.Length(10, 100, "words")),
        "Regex": judged(verifiers.Regex("answer.{0,9}42")),
        "ToolCall": judged(verifiers.ToolCall(), '[{"name": "f", "arguments": {}}]'),
        "see": see,
        "split_thinking": split_thinking,
        "TagFormat, partly": judged(
            verifiers.TagFormat(("think", "answer"), partial=True, allow_outside=False)
        ),
        "Repetition of 20": judged(verifiers.Repetition(20, "characters")),
        "answering": answering,
        "MathEquivalence, reference": lambda text: verifiers.MathEquivalence().verify("\\boxed{42}", text),
        "MultipleChoice, reference": lambda text: verifiers.MultipleChoice().verify("The answer is B.", text),
    }
    for name in (
        *("AnswerPhrase", "BareAnswer", "Boxed", "CodeBlock", "HashMarks", "LastLabel", "LastNumber"),
        *("OnlyNumber", "Tag", "WholeText"),
    ):
        found[name] = EXTRACTORS.get(name)().extract
    for mark in ("\\boxed{%s}", "<answer>%s</answer>"):
        for name in ("MathEquivalence", "MultipleChoice"):
            found[f"{name}, in {mark[1:7]}"] = _within(mark, found[name])
    return found


def _within(mark: str, judge: Judge) -> Judge:
    """A judge of what stands in a mark."""
    return lambda text: judge(mark % text)


def texts(dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """Head, what repeats, and end: each piece by itself, then several at random."""
    for piece in PIECES:
        yield dice.choice(HEADS), piece, ""
    while True:
        several = "".join(dice.choice(PIECES) for _ in range(dice.randint(1, 4)))
        yield dice.choice(HEADS), several, dice.choice(TAILS)


def written(text: tuple[str, str, str], length: int) -> str:
    """A text at a length."""
    head, piece, tail = text
    return (head + piece * (length // len(piece) + 1))[:length] + tail


def seconds(judge: Judge, text: tuple[str, str, str], length: int, enough: float = FLOOR) -> float:
    """Processor seconds for a text; the better of two tries, of one where it is quick."""
    taken = []
    for spaces in ("", " "):  # another text, so that no cache answers for it
        whole = written(text, length) + spaces
        started = time.process_time()
        judge(whole)
        taken.append(time.process_time() - started)
        if taken[0] < enough:
            break
    return min(taken)


def faults(name: str, judge: Judge, text: tuple[str, str, str]) -> Iterator[tuple[float, str]]:
    """How long a text takes in seconds at each length, and what is wrong with that, if something is."""
    for length, most in LIMITS.items():
        taken = seconds(judge, text, length)
        wrong = ""
        if taken > most:
            wrong = f"{name}: {length} characters take {taken:.2f} s: {text!r}"
        elif length > 600 and taken > FLOOR:
            longer = seconds(judge, text, 4 * length)
            if longer > MOST * taken:
                wrong = f"{name}: four times {length} characters take {longer / taken:.1f} times: {text!r}"
        yield taken, wrong


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=780, help="how many texts, each at two lengths")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="judges whose names hold this")
    options = parser.parse_args()
    found = {name: judge for name, judge in judges().items() if options.only in name}
    for judge in found.values():
        judge("The answer is 42.")
    made = texts(random.Random(options.seed))
    slowest: list[tuple[float, str, int, tuple[str, str, str]]] = []
    slow = set()
    for _ in range(options.texts):
        text = next(made)
        for name, judge in found.items():
            for length, (taken, wrong) in zip(LIMITS, faults(name, judge, text), strict=True):
                slowest = sorted([*slowest, (taken, name, length, text)], reverse=True)[:10]
                if wrong:
                    slow.add((text, length))
                    print(wrong, flush=True)
    print(f"{2 * options.texts} texts, {len(slow)} of them too slow; the slowest:")
    for taken, name, length, shown in slowest:
        print(f"  {taken:6.3f} s  {length:6} characters  {name:26} {shown!r}")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
