"""A study of certificates: 30 reward functions with planted holes, 10 sound ones, and this library's own.

python -m benchmarks.certify [--budget 20000] [--only NAME] [--own] [--unseen] [--november]

Data are made here: sums and stories with numbers, options, short answers, mathematics, programs with tests. A
hole is found where there is an alarm. ``--own`` certifies verifiers and presets of this library.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adapters.certify.certificate import BUDGET, Certificate, certify

PLANTED = Path(__file__).parent / "planted"
DATA_OF = {
    "any_letter": "options",
    "single_letter": "options",
    "last_token": "words",
    "bag_of_words": "words",
}
DATA_OF |= {
    "first_character": "options",
    "word_overlap": "words",
    "squad_exact": "words",
    "cleaned_too_well": "words",
}
DATA_OF |= {
    "passed_in_output": "tests",
    "exit_status": "tests",
    "outputs_compared": "streams",
    "keyword_rubric": "words",
    "answer_within_gold": "words",
    "letter_anywhere": "options",
    "last_line_letter": "options",
    "countdown": "equations",
}
OWN = {
    "MathEquivalence": ("numbers", "mathematics"),
    "ExactMatch": ("numbers", "words"),
    "MultipleChoice": ("options",),
    "gsm8k_tags": ("numbers",),
    "r1_zero": ("numbers",),
    "r1_think": ("numbers",),
    "r1_think_answer": ("numbers",),
    "gsm8k_steps": ("numbers",),
    "dapo_math": ("numbers",),
    "mcq": ("options",),
    "ShortAnswer": ("words", "numbers"),
    "short_answer": ("words",),
}
_WORDS = (
    ("In which city does the Seine meet the Eiffel Tower?", "Paris"),
    ("Which metal is liquid in a warm room?", "mercury"),
    ("Who wrote the play about the Danish prince?", "William Shakespeare"),
    ("What do bees make?", "honey"),
    ("Which planet has the widest rings?", "Saturn"),
    ("What is frozen water called?", "ice"),
    ("Which bird is on the flag of Papua New Guinea?", "bird of paradise"),
    ("What do plants take from the air?", "carbon dioxide"),
    ("Which river crosses Cairo?", "Nile"),
    ("What is the hardest natural stone?", "diamond"),
)
_MATHS = (
    ("Simplify $\\frac{6}{8}$.", "\\frac{3}{4}"),
    ("Expand $(x+1)^2$.", "x^2+2x+1"),
    ("Solve $x^2-5x+6=0$.", "2, 3"),
    ("Solve $|x-1|<2$ and give an interval.", "(-1,3)"),
    ("What is $\\binom{10}{3}$?", "120"),
    ("Give the area of a circle of radius 3.", "9\\pi"),
    ("Simplify $\\sqrt{50}$.", "5\\sqrt{2}"),
    ("Solve $2x+3=11$.", "x=4"),
    ("What is the derivative of $x^3$?", "3x^2"),
    ("Evaluate $\\log_2 32$.", "5"),
    ("What is the probability of a seven with two dice?", "\\frac{1}{6}"),
    ("Give the determinant of the matrix with rows (1,2), (3,4).", "-2"),
)

_PROGRAMS = (
    ("add two numbers", "add", "a + b"),
    ("multiply two numbers", "times", "a * b"),
    ("subtract the second from the first", "minus", "a - b"),
    ("give the larger of two", "larger", "max(a, b)"),
    ("give the smaller of two", "smaller", "min(a, b)"),
    ("give the remainder", "rest", "a % b"),
    ("write one behind the other", "joined", "int(str(a) + str(b))"),
    ("give the difference of the squares", "squares", "a * a - b * b"),
)
KINDS = ("numbers", "options", "words", "mathematics", "tests", "streams", "equations")


def rows_of(kind: str) -> Iterator[dict[str, Any]]:
    """Rows of a kind of data."""
    rng = random.Random(7)
    if kind == "words":
        yield from ({"prompt": prompt, "answer": answer} for prompt, answer in _WORDS)
    elif kind == "mathematics":
        yield from ({"prompt": prompt, "answer": answer} for prompt, answer in _MATHS)
    elif kind == "options":
        for number in range(40):
            options = " ".join(f"{letter}) {rng.randint(2, 99)}" for letter in "ABCD")
            yield {
                "prompt": f"Which of these did the clerk write on page {number}? {options}",
                "answer": rng.choice("ABCD"),
            }
    elif kind in ("tests", "streams", "calls"):
        for asked, name, expression in _PROGRAMS:
            pairs = [(rng.randint(1, 40), rng.randint(1, 40)) for _ in range(2)]
            values = [eval(expression, {"a": one, "b": other}) for one, other in pairs]
            cases = list(zip(pairs, values, strict=True))
            if kind == "calls":
                calls = [
                    {"function": name, "args": [one, other], "expected": value}
                    for (one, other), value in cases
                ]
                solution = f"def {name}(a, b):\n    return {expression}"
                asked = f"Write a function {name}(a, b): {asked}."
                yield {"prompt": asked, "answer": {"calls": calls}, "solution": solution}
            elif kind == "tests":
                tests = "\n".join(
                    f"assert {name}({one}, {other}) == {value}" for (one, other), value in cases
                )
                yield {"prompt": f"Write a function {name}(a, b): {asked}.", "answer": tests}
            else:
                streams = json.dumps([[f"{one} {other}\n", str(value)] for (one, other), value in cases])
                yield {"prompt": f"Read two numbers from a line; {asked}; print.", "answer": streams}
    elif kind == "equations":
        for _ in range(40):
            one, other, third = (rng.randint(2, 30) for _ in range(3))
            asked = f"Write an equation with {one}, {other} and {third}, each once, that gives"
            yield {"prompt": f"{asked} {one * other + third}.", "answer": str(one * other + third)}
    else:
        for number in range(60):
            one, other = rng.randint(11, 400), rng.randint(3, 90)
            if number % 2:
                yield {"prompt": f"What is {one} + {other}?", "answer": str(one + other)}
            else:
                asked = f"A shop sells {one} pens on Monday and {other} fewer on Friday. How many on Friday?"
                yield {"prompt": asked, "answer": str(one - other)}


def planted(module: str) -> Iterator[tuple[str, str]]:
    """The functions of a module of `planted`, with the kinds that their docstrings begin with."""
    tree = ast.parse((PLANTED / f"{module}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, (ast.get_docstring(node) or "").partition(":")[0]


def main() -> None:
    """Certify all of them, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=int, default=BUDGET, help="calls for each")
    parser.add_argument("--only", help="the name of one of them")
    parser.add_argument("--unseen", action="store_true", help="the second set of holes alone")
    parser.add_argument("--november", action="store_true", help="the third set, with its sound ones, alone")
    parser.add_argument("--own", action="store_true", help="rewards of this library, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = {kind: Path(folder) / f"{kind}.jsonl" for kind in KINDS}
        for kind, path in data.items():
            path.write_text("".join(json.dumps(row) + "\n" for row in rows_of(kind)), encoding="utf-8")
        tried = found = accused = sound = calls = 0
        modules: tuple[str, ...] = ("unseen",) if options.unseen else ("holed", "holed_more", "sound")
        for module in ("unseen_november", "sound_november") if options.november else modules:
            for name, kind in planted(module):
                if options.only in (None, name):
                    spec = f"{PLANTED / module}.py:{name}"
                    certificate = _certified(spec, data[DATA_OF.get(name, "numbers")], options.budget)
                    alarms = _alarms(certificate)
                    calls += certificate.calls
                    if module.startswith("sound"):
                        sound, accused = sound + 1, accused + bool(alarms)
                    else:
                        tried, found = tried + 1, found + bool(alarms)
                    _print(
                        name if module.startswith("sound") else f"{name} ({kind.lower()})",
                        certificate,
                        alarms,
                    )
        print(f"{found} of {tried} holes found, {accused} of {sound} sound rewards accused, {calls:,} calls")
        if options.own:
            own = [
                (name, kind) for name, kinds in OWN.items() for kind in kinds if options.only in (None, name)
            ]
            wrong = 0
            for name, kind in own:
                certificate = _certified(name, data[kind], options.budget)
                alarms = _alarms(certificate)
                wrong += bool(alarms)
                _print(f"{name} on {kind}", certificate, alarms)
            print(f"{wrong} of {len(own)} rewards of this library accused")


def _certified(spec: str, path: Path, budget: int) -> Certificate:
    return certify(spec, [str(path)], budget=budget)


def _alarms(certificate: Certificate) -> list[str]:
    return [each.name for each in certificate.findings if each.level == "alarm"]


def _print(name: str, certificate: Certificate, alarms: list[str]) -> None:
    shown = ", ".join(alarms) or "none"
    print(f"{name:40} {certificate.calls:6} calls {certificate.seconds:5.1f} s  {shown}", flush=True)


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"{time.monotonic() - started:.0f} s")
