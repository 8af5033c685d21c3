"""Rouge compared with the rouge-score package: differences on random pairs, and speed on texts of 100 words.

Both sides use the same tokenizer: rouge-score's own, or one of ours handed to it. In turns, medians of the
paired ratios, one process.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from rouge_score.rouge_scorer import RougeScorer

from verifiers import Rouge
from verifiers.metrics.rouge import tokenizer

KINDS = ("rouge1", "rouge2", "rougeL")


class Given:
    """A tokenizer of ours, as rouge-score takes them."""

    def __init__(self, name: str) -> None:
        self.tokenize = tokenizer(name)


def vocabulary(korean: bool, count: int, draw: random.Random) -> list[str]:
    """Random words of one to eight letters, or one to four syllables."""
    if korean:
        return [
            "".join(chr(draw.randint(0xAC00, 0xD7A3)) for _ in range(draw.randint(1, 4)))
            for _ in range(count)
        ]
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ["".join(draw.choices(letters, k=draw.randint(1, 8))) for _ in range(count)]


def text(words: list[str], length: int, draw: random.Random) -> str:
    """Words with a full stop after every tenth."""
    chosen = draw.choices(words, k=length)
    return " ".join(word + ("." if place % 10 == 9 else "") for place, word in enumerate(chosen))


def scorer(kinds: tuple[str, ...], name: str) -> Any:
    """rouge-score with the tokenizer of that name."""
    if name.startswith("rouge_score"):
        return RougeScorer(list(kinds), use_stemmer=name.endswith("stemmed"))
    return RougeScorer(list(kinds), tokenizer=Given(name))


def parity(pairs: int) -> None:
    """The number of different values and the largest difference, English and Korean by halves."""
    draw = random.Random(0)
    kinds = (*KINDS, "rougeLsum")
    values = different = 0
    largest = 0.0
    for korean, name in (
        (False, "rouge_score"),
        (False, "rouge_score_stemmed"),
        (True, "default"),
        (True, "characters"),
    ):
        words, theirs = vocabulary(korean, 60, draw), scorer(kinds, name)
        for _ in range(pairs // 4):
            one, other = (
                "\n".join(text(words, draw.randint(2, 15), draw) for _ in range(draw.randint(1, 5)))
                for _ in range(2)
            )
            expected = theirs.score(other, one)
            for kind in kinds:
                for figure in ("fmeasure", "precision", "recall"):
                    found = Rouge(kind, figure, name).verify(one, other).score
                    difference = abs((-1.0 if found is None else found) - getattr(expected[kind], figure))
                    values, different, largest = (
                        values + 1,
                        different + (difference > 0),
                        max(largest, difference),
                    )
    print(f"{pairs:,} random pairs, {values:,} values: {different} differ, largest difference {largest}")


def seconds(call: Callable[[], Any]) -> float:
    """Wall time of a call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def ratios(ours: Rouge, theirs: Any, texts: list[str], references: list[str], repeats: int) -> list[float]:
    """rouge-score's time over ours, in turns."""
    pairs = list(zip(texts, references, strict=True))
    found = []
    for _ in range(repeats):
        mine = seconds(lambda: ours.verify_batch(texts, references))
        other = seconds(lambda: [theirs.score(reference, one) for one, reference in pairs])
        found.append(other / mine)
    return found


def speed(rows: int, repeats: int) -> None:
    """Texts of 100 words, a reference for each, or for each group of 8."""
    draw = random.Random(1)
    for language, korean, name, group in (
        ("English", False, "rouge_score", 1),
        ("English", False, "default", 1),
        ("Korean", True, "default", 1),
        ("Korean", True, "characters", 1),
        ("English", False, "rouge_score", 8),
        ("Korean", True, "default", 8),
    ):
        words = vocabulary(korean, 400, draw)
        texts = [text(words, 100, draw) for _ in range(rows)]
        references = [one for _ in range(rows // group) for one in [text(words, 100, draw)] * group]
        for kind in KINDS:
            count = rows if kind != "rougeL" else rows // 8
            ours, theirs = Rouge(kind, tokenizer=name), scorer((kind,), name)
            found = ratios(ours, theirs, texts[:count], references[:count], repeats)
            print(
                f"{language}, {name}, groups of {group}, {kind}: {statistics.median(found):.1f} "
                f"times rouge-score's pairs per second ({min(found):.1f} to {max(found):.1f})"
            )


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    parity(options.pairs)
    speed(options.rows, options.repeats)


if __name__ == "__main__":
    main()
