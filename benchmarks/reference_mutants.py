r"""Mutants of references that are paid, each to be looked at; and what the question's own formula earns.

python -m benchmarks.reference_mutants DATA... [--most 6] [--echo]

Each file is JSONL; a row's reference is in `reference`, `gold` or `answer`, and its question in `prompt`. A
mutant has one number, sign, letter, bracket or part changed; few that are paid are wrong, since a set may be
written in another order and a constant may have another name. With ``--echo`` a policy that boxes the last
formula of the question is judged instead.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.references_in_wrappers import references
from verifiers import MathEquivalence
from verifiers.extract.answers_and_references import reference_answer
from verifiers.maths.question import question

_PIECE = re.compile(r"\\[a-zA-Z]+|\d+(?:\.\d+)?|[a-zA-Z]|[-+<>()\[\],]")
_FORMULA = re.compile(
    r"\$\$([^$]{1,400})\$\$|\$([^$]{1,400})\$|\\\((.{1,400}?)\\\)|(\d[\d+\-*/ .×÷]{2,60}\d)"
)
_OTHER = {
    "+": "-", "-": "+", "<": ">", ">": "<", "(": "[", ")": "]", "[": "(", "]": ")", ",": "+",
    r"\sin": r"\cos", r"\cos": r"\sin", r"\le": "<", r"\leq": "<", r"\ge": ">", r"\geq": ">",
    r"\cup": r"\cap", r"\pi": "e",
}  # fmt: skip


def mutants(text: str, most: int, rng: random.Random) -> Iterator[tuple[str, str]]:
    """A kind and a text in which one piece is another.

    Args:
        text: A reference.
        most: How many at most.
        rng: Chooses the pieces.
    """
    pieces = [match for match in _PIECE.finditer(text) if _changed(match.group()) != match.group()]
    for match in rng.sample(pieces, min(most, len(pieces))):
        piece = match.group()
        kind = "number" if piece[0].isdecimal() else "letter" if piece.isalpha() else piece
        yield kind, text[: match.start()] + _changed(piece) + text[match.end() :]


def _changed(piece: str) -> str:
    if piece[0].isdecimal():
        return str(int(piece) + 1) if piece.isdecimal() else piece + "7"
    if piece.isalpha():
        return {"z": "a", "Z": "A"}.get(piece, chr(ord(piece) + 1))
    return _OTHER.get(piece, piece)


def echoes(paths: list[Path]) -> Iterator[tuple[str, str, str]]:
    """The question, the reference and the question's last formula, where it is another than the reference."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            reference = next((row[name] for name in ("reference", "gold", "answer") if name in row), None)
            found = _FORMULA.findall(row.get("prompt") or "")
            if isinstance(reference, str) and found:
                echo = next(each for each in found[-1] if each)
                chosen = question(row["prompt"]).has_choices  # the last one may be right
                if echo.strip() != reference.strip("$ ") and not chosen:
                    yield row["prompt"], reference, echo


def main() -> None:
    """Print what is paid, and how much it is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=6, help="mutants of one reference")
    parser.add_argument("--echo", action="store_true", help="judge a policy that repeats the question")
    options = parser.parse_args()
    judge = MathEquivalence()
    if options.echo:
        rows = list(dict.fromkeys(echoes(options.files)))
        paid = [row for row in rows if judge.verify(rf"\boxed{{{row[2]}}}", row[1], prompt=row[0]).passed]
        for prompt, reference, echo in paid:
            print(f"{echo!r} for {reference!r}: ...{prompt[-120:]!r}")
        print(
            f"{len(paid)} of {len(rows)} questions pay their own formula, "
            f"{100 * len(paid) / max(1, len(rows)):.2f} %"
        )
        return
    rng = random.Random(0)
    tried, found = Counter[str](), Counter[str]()
    for text in references(options.files):
        plain = reference_answer(text)
        if len(plain) > 400 or judge.judge_reference(text).kind != "readable":
            continue
        for kind, mutant in mutants(plain, options.most, rng):
            tried[kind] += 1
            verdict = judge.verify(rf"\boxed{{{mutant}}}", text)
            if verdict.passed:
                found[kind] += 1
                print(f"{verdict.reason:15} {mutant!r} for {plain!r}")
    for kind, count in tried.most_common():
        print(f"{kind:8} {count:6} mutants  {found[kind]:4} paid")
    print(f"all      {tried.total():6} mutants  {found.total():4} paid")


if __name__ == "__main__":
    main()
