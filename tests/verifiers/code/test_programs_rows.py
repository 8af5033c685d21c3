"""Rows with an honest program and one that cheats or fails: ``fixtures/programs/one_world.jsonl``.

Each says a shape of tests, what it shares with the program, or how a program is written down; ``honest_score`` and
``cheat_score`` are 1.0 and less than 1.0 unless the row says otherwise, and null where nobody can be judged.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from tests.support import FIXTURES, first_of_each
from verifiers import CodePassRate

_FILE = FIXTURES / "programs" / "one_world.jsonl"
ROWS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]
KINDS = sorted({row["kind"] for row in ROWS})


def _completion(row: dict[str, Any], program: str) -> str:
    return program if row.get("whole") else f"```python\n{program}\n```"


@pytest.mark.parametrize(
    ("kind", "half"), first_of_each(product(KINDS, range(2)), lambda member: str(member[0]))
)
def test_honest_programs_are_paid_and_others_are_not(kind: str, half: int) -> None:
    wrong = []
    by_settings: dict[str, list[dict[str, Any]]] = {}
    for place, row in enumerate(ROWS):
        if row["kind"] == kind and place % 2 == half:
            said = {"modules": row.get("modules", []), **row.get("spec", {})}
            by_settings.setdefault(json.dumps(said), []).append(row)
    for key, rows in by_settings.items():
        settings = json.loads(key)
        judge = CodePassRate(**{**settings, "modules": tuple(settings["modules"])})
        tests = [row["tests"] for row in rows]
        honest = judge.verify_batch([_completion(row, row["honest"]) for row in rows], tests)
        cheats = judge.verify_batch([_completion(row, row["cheat"]) for row in rows], tests)
        for row, paid, refused in zip(rows, honest, cheats, strict=True):
            if paid.score != row.get("honest_score", 1.0):
                wrong.append((row["id"], "honest", paid.score, paid.reason, paid.detail))
            expected = row.get("cheat_score", 0.0)
            if (refused.score is None) != (expected is None) or (refused.score or 0.0) >= 1.0:
                wrong.append((row["id"], "cheat", refused.score, refused.reason, refused.detail))
    assert wrong == []
