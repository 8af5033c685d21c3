"""Selecting by grades: pairs, best of N and rows to imitate by what a judge says, and what is said of few."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import write

PROMPTS, SAMPLES = 40, 6


def _row(
    prompt: str, completion: str, grade: float | None, verifier: str = "Judge", **more: Any
) -> dict[str, Any]:
    status = "unscored" if grade is None else "scored"
    verdict = {"verifier": verifier, "status": status, "score": grade, "reason": "judged"}
    return {
        "prompt": prompt, "completion": completion, "reward": grade, "reward_parts": {"judge": grade},
        "verdict_parts": ["judge"], "verdicts": [verdict], **more,
    }  # fmt: skip


def _planted() -> list[dict[str, Any]]:
    """Polite completions are better than rude ones by .3, under noise; length says nothing."""
    chance = random.Random(0)
    rows = []
    for prompt in range(PROMPTS):
        for sample in range(SAMPLES):
            polite = sample % 2 == 0
            grade = 0.3 + 0.3 * polite + chance.uniform(-0.1, 0.1)
            text = f"{'Please' if polite else 'Hey'}, {'very ' * chance.randrange(9)}well. {sample}"
            rows.append(_row(f"p{prompt}", text, round(grade, 3)))
    return rows


def _made(folder: Path, *options: Any) -> tuple[list[dict[str, Any]], str]:
    done = cli("select", "in.jsonl", "-o", "out.jsonl", "--force", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    return rows, done.stdout + done.stderr


def test_a_planted_preference_is_found(tmp_path: Path) -> None:
    """In every pair, best and row to imitate, and by no more than was planted."""
    write(tmp_path / "in.jsonl", _planted())
    pairs, _ = _made(tmp_path, "--for", "dpo", "--outcome", "judge", "--margin", 0.2, "--per-prompt", 3)
    assert len(pairs) > PROMPTS
    for pair in pairs:
        assert pair["chosen"].startswith("Please")
        assert pair["rejected"].startswith("Hey")
        assert pair["margin"] == pytest.approx(pair["chosen_reward"] - pair["rejected_reward"])
        assert pair["margin"] >= 0.2
    shorter = sum(len(pair["chosen"]) < len(pair["rejected"]) for pair in pairs)
    assert 0.2 * len(pairs) < shorter < 0.8 * len(pairs), "length is not what is learned"
    for purpose, column in (("best", "completion"), ("sft", "completion")):
        rows, said = _made(tmp_path, "--for", purpose)
        assert len(rows) == PROMPTS
        assert all(row[column].startswith("Please") for row in rows)
        assert "select kept" not in said


def test_the_widest_margin_counts_to_the_last_digit(tmp_path: Path) -> None:
    """.9 and .7 are .2 apart, although floats say a little less."""
    write(tmp_path / "in.jsonl", [_row("p", "good", 0.9), _row("p", "fair", 0.7), _row("p", "bad", None)])
    pairs, _ = _made(tmp_path, "--for", "dpo", "--outcome", "judge", "--margin", 0.2)
    assert [(pair["chosen"], pair["rejected"]) for pair in pairs] == [("good", "fair")]
    pairs, said = _made(tmp_path, "--for", "dpo", "--outcome", "judge", "--margin", 0.21)
    assert pairs == []
    assert "select kept none of 1 prompts" in said
    assert "1: no two differ by as much as --margin 0.21" in said


def test_a_threshold_makes_right_and_wrong_of_grades(tmp_path: Path) -> None:
    """For rows to imitate, and for pairs across it."""
    grades = [("a", 0.9), ("bb", 0.8), ("ccc", 0.7), ("dddd", 0.1)]
    write(tmp_path / "in.jsonl", [_row("p", text, grade) for text, grade in grades])
    rows, _ = _made(tmp_path, "--pass-at", 0.75, "--per-prompt", 9)
    assert ([row["completion"] for row in rows], rows[0]["pass_rate"]) == (["a", "bb"], 0.5)
    rows, _ = _made(tmp_path, "--per-prompt", 2)
    assert [(row["completion"], row["outcome"]) for row in rows] == [("a", 0.9), ("bb", 0.8)]
    pairs, _ = _made(tmp_path, "--for", "dpo", "--pass-at", 0.75, "--per-prompt", 9)
    assert [(pair["chosen"], pair["rejected"]) for pair in pairs] == [("bb", "ccc"), ("a", "dddd")]


def test_of_a_binary_verifier_only_1_is_right(tmp_path: Path) -> None:
    """Half of the tests passed is no solution, however much worse another is; it is said why nothing is kept."""
    rows = [
        _row(f"p{n}", text, grade, "CodePassRate")
        for n in range(9)
        for text, grade in (("x", 0.5), ("y", 0.0))
    ]
    write(tmp_path / "in.jsonl", rows)
    for purpose in ("sft", "dpo"):
        made, said = _made(tmp_path, "--for", purpose)
        assert made == []
        assert "select kept none of 9 prompts" in said
        assert "9: no completion is right; the highest outcome of all is 0.5 (see --pass-at" in said
    made, _ = _made(tmp_path, "--for", "dpo", "--pass-at", 0.5)
    assert len(made) == 9


def test_grades_of_ones_own_function_are_known_by_their_values(tmp_path: Path) -> None:
    rows = [_row("p", "good", 0.9, "mine"), _row("p", "bad", 0.2, "mine")]
    write(tmp_path / "in.jsonl", [{**row, "reward": 1 - row["reward"]} for row in rows])
    pairs, _ = _made(tmp_path, "--for", "dpo", "--outcome", "judge")
    assert [pair["chosen"] for pair in pairs] == ["good"]
    pairs, _ = _made(tmp_path, "--for", "dpo", "--outcome", "reward")
    assert [pair["chosen"] for pair in pairs] == ["bad"]
    [best], _ = _made(tmp_path, "--for", "best", "--outcome", "judge")
    assert best["completion"] == "good"
    [best], _ = _made(tmp_path, "--for", "best")
    assert best["completion"] == "bad"


def test_few_rows_are_counted_by_their_causes(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for n in range(240):
        values = (1.0, 0.0) if n < 5 else (1.0, 1.0) if n < 20 else (None, None) if n < 50 else (0.0, 0.0)
        rows += [
            _row(f"p{n}", text, value, "MathEquivalence") for text, value in zip("ab", values, strict=True)
        ]
    write(tmp_path / "in.jsonl", rows)
    made, said = _made(tmp_path, "--for", "dpo")
    assert len(made) == 5
    assert "5 rows from 5 of 240 prompts" in said
    assert said.index("190: no completion is right") < said.index("30: nothing could be judged")
    assert "15: all completions have the same outcome" in said
