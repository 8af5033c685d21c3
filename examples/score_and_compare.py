"""Score a file with two rewards, and look at the rows that they pay differently.

python examples/score_and_compare.py

At a terminal, and for files of any size: verify-cli score examples/completions.jsonl --recipe r1_zero
"""

from __future__ import annotations

import json
from pathlib import Path

from rewards import Pay, load_recipe
from verifiers import MathEquivalence

FILE = Path(__file__).with_name("completions.jsonl")
rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
completions = [row["completion"] for row in rows]
answers = [row["answer"] for row in rows]

# A preset of the library, and a reward of one's own that asks for no form.
strict = load_recipe("r1_zero")
plain = Pay(MathEquivalence()).named("accuracy")
paid = {"r1_zero": strict(completions, answer=answers), "accuracy": plain(completions, answer=answers)}

for name, values in paid.items():
    # None is a row that cannot be judged: neither right nor wrong, and no part of a mean.
    judged = [value for value in values if value is not None]
    print(
        f"{name:9} mean {sum(judged) / len(judged):.3f} of {len(judged)} rows, {len(values) - len(judged)} not judged"
    )

print("\nrow  r1_zero  accuracy")
apart = [number for number in range(len(rows)) if len({values[number] for values in paid.values()}) > 1]
for number in apart:
    values = [f"{values[number]:8.1f}" for values in paid.values()]
    print(f"{number:3} {'  '.join(values)}  {completions[number]!r:.60}")

one, other = paid.values()
number = max(apart, key=lambda number: abs(one[number] - other[number]))
print(f"\nWhy row {number} earns what it does:")
print(strict.explain(completions[number], answer=answers[number]))
