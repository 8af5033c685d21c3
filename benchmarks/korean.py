"""Korean: the labelled rows of fixtures/cases/korean, sentence similarity, public libraries compared with josa.

The libraries (hangulpy, es-hangul) are asked where they are installed; what they raise counts as not right.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from verifiers import (
    KoreanAnswerTemplate,
    LanguageConsistency,
    MathEquivalence,
    MultipleChoice,
    Rouge,
    SemanticSimilarity,
)
from verifiers.korean import josa, parse_number

FIXTURES = Path(__file__).parents[1] / "fixtures"
FOLDER = FIXTURES / "cases" / "korean"
OPEN = ("either", "policy")


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def verdicts(row: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """What a row asks, and whether it is answered as expected; nothing for what is open."""
    kind, text, gold, expected = row["kind"], row["input"], row["gold"], row["expected"]
    if isinstance(expected, dict):
        yield from _parts(text, gold, expected)
    elif expected in OPEN:
        return
    elif kind == "josa":
        yield kind, josa(text, gold) == expected
    elif kind == "korean_number":
        found = parse_number(text)
        yield kind, found is None if expected == "none" else found == Fraction(gold)
    elif kind == "answer_extraction":
        judges = (MathEquivalence(), MultipleChoice())
        yield kind, any(judge.verify(text, gold).passed for judge in judges) == expected
    elif kind == "language_mix":
        yield kind, ((LanguageConsistency(gold).verify(text).score or 0.0) >= 0.9) == expected


def _parts(text: str, gold: str, expected: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    parts = {part.verifier: part for part in KoreanAnswerTemplate().verify(text, gold).parts}
    found: dict[str, Any] = {
        "format_ok": parts["format"].passed,
        "em": parts["answer"].passed,
        "josa_ok": parts["josa"].passed,
        "reason_ok": parts["reason"].passed,
        "claims_ok": parts["claims"].passed,
        "lang_ok": parts["language"].passed,
        "repetition": parts["reason"].reason == "repeated",
        "em_official": KoreanAnswerTemplate(mode="official").verify(text, gold).passed,
    }
    for fold in ("width", "middot", "jamo"):
        found[f"em_{fold}_fold"] = KoreanAnswerTemplate(fold=(fold,)).verify(text, gold).parts[1].passed
    if "rouge1_official" in expected:
        reason = KoreanAnswerTemplate(mode="official").verify(text, gold).parts[1]
        found["rouge1_official"] = Rouge(tokenizer="nikl").verify(reason.extracted, reason.expected).score
    for name, value in expected.items():
        if name in found and value not in OPEN:
            yield f"template {name}", found[name] == value


def labelled(files: list[Path]) -> None:
    """Right answers of all, by kind."""
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for path in files:
        for row in rows(path):
            for kind, good in verdicts(row):
                asked[kind] += 1
                right[kind] += good
    for kind, count in asked.items():
        print(f"{kind}: {right[kind]} of {count}")


def similarity() -> None:
    """The area under the curve on pairs of sentences, and negations apart."""
    cosines: dict[str, list[float]] = {}
    found = rows(FIXTURES / "pairs" / "korean.jsonl")
    judged = SemanticSimilarity().verify_batch(
        [row["left"] for row in found], [row["right"] for row in found]
    )
    for row, verdict in zip(found, judged, strict=True):
        cosines.setdefault(row["kind"], []).append(verdict.raw or 0.0)
    alike, apart = cosines["paraphrase"], cosines["unrelated"]
    area = (
        sum((one > other) + (one == other) / 2 for one in alike for other in apart) / len(alike) / len(apart)
    )
    means = ", ".join(f"{kind} {sum(each) / len(each):.2f} ({len(each)})" for kind, each in cosines.items())
    print(f"SemanticSimilarity: area under the curve {area:.3f}; mean cosine: {means}")


def libraries() -> None:
    """Public libraries on the rows of josa."""
    probes = [row for row in rows(FOLDER / "josa.jsonl") if row["expected"] not in OPEN]
    for name, ask in (("ours", josa), ("hangulpy", _hangulpy), ("es-hangul", _es_hangul)):
        right = 0
        try:
            for row in probes:
                right += _safely(ask, row["input"], row["gold"]) == row["expected"]
        except ImportError:
            print(f"josa, {name}: not installed")
            continue
        print(f"josa, {name}: {right} of {len(probes)}")


def _safely(ask: Callable[[str, str], str], word: str, pair: str) -> str:
    try:
        return ask(word, pair)
    except ImportError:
        raise
    except Exception:
        return ""


def _hangulpy(word: str, pair: str) -> str:
    return str(import_module("hangulpy").josa(word, pair)).removeprefix(word)


def _es_hangul(word: str, pair: str) -> str:
    return str(import_module("es_hangul").josa(word, pair)).removeprefix(word)


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files of rows {kind, input, gold, expected}")
    options = parser.parse_args()
    labelled(options.files or sorted(FOLDER.glob("*.jsonl")))
    similarity()
    libraries()


if __name__ == "__main__":
    main()
