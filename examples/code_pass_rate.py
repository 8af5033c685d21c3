"""Programs of a model, run in the sandbox against tests that they cannot see.

python examples/code_pass_rate.py

Needs Linux; `verify-cli sandbox` shows what isolates programs on this machine. docs/code.md has the forms of tests.
"""

from __future__ import annotations

from rewards import Pay
from verifiers import CodePassRate

TESTS = {
    "calls": [
        {"function": "add", "args": [1, 2], "expected": 3},
        {"function": "add", "args": [-1, 1], "expected": 0},
        {"function": "add", "args": [10**12, 1], "expected": 10**12 + 1},
    ]
}
PROGRAMS = {
    "right": "def add(a, b):\n    return a + b",
    "right for small numbers": "def add(a, b):\n    return (a + b) % 1000",
    "wrong name": "def plus(a, b):\n    return a + b",
    "never ends": "def add(a, b):\n    while True:\n        pass",
    "equal to everything": "class Any:\n    def __eq__(self, other):\n        return True\ndef add(a, b):\n    return Any()",
    "looks around": "import os\ndef add(a, b):\n    return len(os.listdir('/root'))",
}

judge = CodePassRate(timeout=1.0)
completions = [f"```python\n{program}\n```" for program in PROGRAMS.values()]
verdicts = dict(zip(PROGRAMS, judge.verify_batch(completions, [TESTS] * len(PROGRAMS)), strict=True))
for name, verdict in verdicts.items():
    print(f"{name:24} {verdict.score:.2f} {verdict.reason}")

print("\nThe second one, test by test:")
for part in verdicts["right for small numbers"].parts:
    print(f"  {part}  {part.detail}")

# A part of the tests earns a part of the score. Where that is too easy, pay for all or nothing.
strict = Pay(CodePassRate(timeout=1.0, all_or_nothing=True)).named("all_tests")
print(f"\nAll or nothing: {strict(completions, answer=[TESTS] * len(PROGRAMS))}")
