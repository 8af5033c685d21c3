"""First wrong steps: planted ones in real solutions, and what real right solutions are accused of.

python -m benchmarks.process_steps COMPLETIONS.jsonl [--seed 1] [--each 90] [--show 50]

COMPLETIONS.jsonl has rows with `completion`, `gold` and `label` (true, false or null: is the answer right?).
Right solutions with at least two plain equations are taken; into some of them one error is planted: a wrong
result (arithmetic), swapped terms of a difference with the result kept (dropped sign), another unit of the
same kind after a result (wrong unit), an operand that nobody gave, with the result worked out from it
(nowhere), or another number as the final answer (non sequitur). Which numbers a question gives is not in
the file, so a question is made of the numbers of the solution that no equation before them has for a
result; figures with and without it are printed. The measure is ProcessBench's (arXiv:2412.06559): the
harmonic mean of the share of flawed solutions whose first wrong step is named exactly and the share of
clean ones in which none is.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifiers import AnswerFollows, EquationChain, MathEquivalence
from verifiers.process.steps import Steps

LEAST_EQUATIONS = 2
NUMBER = r"\$?\d[\d,]*(?:\.\d+)?"
EQUATION = re.compile(
    rf"(?<![\d.,=/*+×x(-])(?<![-+*/×x] )"
    rf"(?P<left>(?P<a>{NUMBER}) ?(?P<sign>[-+*/]) ?(?P<b>{NUMBER})) ?= ?"
    rf"(?P<result>{NUMBER})(?![\d,]*[\d.%(*/+=-])(?! ?[-+*/=x×])"
)
ANNOTATION = re.compile(r"<<[^<>\n]*>>")
FINAL = re.compile(rf"(?:####|A:|\\boxed\{{) ?\$?(?P<answer>{NUMBER})")
UNITS = {
    "minutes": "hours", "hours": "minutes", "days": "weeks", "weeks": "days", "seconds": "minutes",
    "months": "years", "years": "months", "inches": "feet", "feet": "inches", "meters": "kilometers",
    "miles": "feet", "cm": "m", "pounds": "ounces", "ounces": "pounds", "grams": "kilograms", "kg": "g",
    "cents": "dollars", "dollars": "cents",
}  # fmt: skip
UNIT = re.compile(rf" (?P<unit>{'|'.join(UNITS)})\b")


@dataclass(frozen=True)
class Row:
    """A solution, the kind of error in it ("clean" for none), where that stands, and a question."""

    text: str
    kind: str
    place: int
    question: str


def value(text: str) -> Fraction:
    """A number as it is written."""
    return Fraction(text.strip("$").replace(",", "").rstrip("."))


def written(number: Fraction) -> str:
    """A number as people would write it."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


def question_of(text: str) -> str:
    """A question with the numbers that no equation before them has for a result."""
    made: set[Fraction] = set()
    given: list[str] = []
    place = 0
    for match in re.finditer(rf"(?P<is>= ?)?(?P<number>{NUMBER}|(?<!\d)\.\d+)", text):
        number = value(match["number"])
        if match["is"]:
            made.add(number)
        elif number not in made:
            given.append(written(number))
        place = match.end()
    return "Given are " + ", ".join(dict.fromkeys(given)) + "." if place else ""


def worked(sign: str, one: Fraction, other: Fraction) -> Fraction | None:
    """What two numbers come to."""
    if sign == "/":
        return one / other if other else None
    return one + other if sign == "+" else one - other if sign == "-" else one * other


def equations(text: str) -> list[re.Match[str]]:
    """Plain equations that hold."""
    return [
        each
        for each in EQUATION.finditer(text)
        if worked(each["sign"], value(each["a"]), value(each["b"])) == value(each["result"])
    ]


def put(text: str, span: tuple[int, int], new: str) -> str:
    """A text with something else in a place."""
    return text[: span[0]] + new + text[span[1] :]


def arithmetic(text: str, chance: random.Random) -> tuple[str, int] | None:
    """A wrong result."""
    each = chance.choice(equations(text))
    number = value(each["result"])
    off = chance.choice([1, -1, 2, 10, -10, 100])
    return put(text, each.span("result"), written(abs(number + off) or number + 3)), each.start("result")


def dropped_sign(text: str, chance: random.Random) -> tuple[str, int] | None:
    """A difference the wrong way round."""
    found = [each for each in equations(text) if each["sign"] == "-" and value(each["result"])]
    if not found:
        return None
    each = chance.choice(found)
    return put(text, each.span("left"), f"{each['b']} - {each['a']}"), each.start("left")


def wrong_unit(text: str, chance: random.Random) -> tuple[str, int] | None:
    """Another unit after a result."""
    found = [(each, unit) for each in equations(text) if (unit := UNIT.match(text, each.end()))]
    if not found:
        return None
    each, unit = chance.choice(found)
    return put(text, unit.span("unit"), UNITS[unit["unit"]]), each.start("result")


def nowhere(text: str, chance: random.Random) -> tuple[str, int] | None:
    """An operand that nobody gave, in an equation that holds."""
    each = chance.choice(equations(text))
    seen = {value(number) for number in re.findall(NUMBER, text)}
    other = next(
        number for number in map(Fraction, iter(lambda: chance.randint(11, 997), 0)) if number not in seen
    )
    result = worked(each["sign"], other, value(each["b"]))
    if result is None or result < 0 or Fraction(written(result)) != result:
        return None
    changed = put(text, each.span("result"), written(result))
    return put(changed, each.span("a"), written(other)), each.start("a")


def non_sequitur(text: str, chance: random.Random) -> tuple[str, int] | None:
    """Another final answer."""
    found = list(FINAL.finditer(text))
    if not found:
        return None
    number = value(found[-1]["answer"])
    return put(text, found[-1].span("answer"), written(number + chance.choice([1, 2, 5, 10]))), found[
        -1
    ].start()


PLANTED: dict[str, Callable[[str, random.Random], tuple[str, int] | None]] = {
    "arithmetic": arithmetic,
    "dropped sign": dropped_sign,
    "wrong unit": wrong_unit,
    "nowhere": nowhere,
    "non sequitur": non_sequitur,
}


def planted(texts: Sequence[str], each: int, chance: random.Random) -> Iterator[Row]:
    """As many rows of each kind as there can be, then as many clean ones; no solution is used twice."""
    left = list(texts)
    chance.shuffle(left)
    errors = 0
    for kind, plant in PLANTED.items():
        count = 0
        for text in list(left):
            made = plant(text, chance) if count < each else None
            if made is not None:
                yield Row(made[0], kind, made[1], question_of(text))
                left.remove(text)
                count += 1
        errors += count
    for text in left[: max(errors, each * len(PLANTED))]:
        yield Row(text, "clean", -1, question_of(text))


def first_error(row: Row, with_answer: bool) -> int:
    """The step that is named as the first wrong one; -1 for none."""
    fields = {"prompt": row.question} if row.question else {}
    verdict = EquationChain().verify(row.text, **fields)
    for place, part in enumerate(verdict.parts):
        if part.score == 0.0:
            return place
    if with_answer and AnswerFollows().verify(row.text, **fields).reason == "another_value":
        return len(verdict.parts) - 1
    return -1


def measure(rows: Sequence[Row], with_answer: bool) -> None:
    """Print exactness and detection by kind, and F1."""
    exact, found, count = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        steps = Steps().split(row.text)
        wanted = -1 if row.place < 0 else max(i for i, step in enumerate(steps) if step.start <= row.place)
        named = first_error(row, with_answer)
        count[row.kind] += 1
        exact[row.kind] += named == wanted
        found[row.kind] += named >= 0
    flawed = sum(count.values()) - count["clean"]
    a = (sum(exact.values()) - exact["clean"]) / flawed
    b = exact["clean"] / count["clean"]
    for kind in count:
        shares = exact[kind] / count[kind], found[kind] / count[kind]
        print(f"    {kind:14}{count[kind]:5}  exact {shares[0]:6.1%}  named {shares[1]:6.1%}")
    print(f"    flawed, exact {a:.1%}; clean, none named {b:.1%}; F1 {2 * a * b / (a + b):.3f}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="First wrong steps, planted and real.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=90)
    parser.add_argument("--show", type=int, default=0)
    chosen = parser.parse_args()
    with chosen.file.open(encoding="utf-8") as lines:
        data: list[dict[str, Any]] = [json.loads(line) for line in lines]
    right = [row["completion"] for row in data if row["label"] is True and "```" not in row["completion"]]
    plain = [ANNOTATION.sub("", text) for text in right]
    usable = [text for text in plain if len(equations(text)) >= LEAST_EQUATIONS]
    rows = list(planted(usable, chosen.each, random.Random(chosen.seed)))
    bare = [replace(row, question="") for row in rows]
    for name, some in (("without a question", bare), ("with a question", rows)):
        for with_answer in (False, True):
            print(f"{name}, EquationChain{' and AnswerFollows' if with_answer else ''}:")
            measure(some, with_answer)
    accused(data, chosen.show)


def accused(data: Sequence[dict[str, Any]], show: int) -> None:
    """Print in how many real completions a calculation is called wrong, some of these, and what it costs."""
    chain = EquationChain(pays="no_errors")
    started = time.process_time()
    verdicts = [chain.verify(row["completion"]) for row in data]
    cost = time.process_time() - started
    maths, started = MathEquivalence(), time.process_time()
    for row in data:
        maths.verify(row["completion"], row["gold"])
    other = time.process_time() - started
    for label in (True, False):
        own = [verdict for row, verdict in zip(data, verdicts, strict=True) if row["label"] is label]
        wrong = sum(verdict.score == 0.0 for verdict in own)
        checked = sum(any(part.score is not None for part in verdict.parts) for verdict in own)
        kind = "right" if label else "wrong"
        print(f"{kind} answers: {len(own)}, with a checked step {checked}, accused {wrong}")
    print(f"{1e3 * cost / len(data):.2f} ms a completion; MathEquivalence {1e3 * other / len(data):.2f} ms")
    shown = [
        (row, verdict)
        for row, verdict in zip(data, verdicts, strict=True)
        if row["label"] is True and verdict.score == 0.0
    ]
    for row, verdict in shown[:show]:
        start, end = verdict.span or (0, 0)
        text = row["completion"]
        print(f"  {text[max(0, start - 60) : start]!r} [[ {text[start:end]} ]] {text[end : end + 30]!r}")


if __name__ == "__main__":
    main()
