"""Intervals hold what they say, references that are wrong are found, and labels are asked for where they count."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.certify.suspects import suspects
from adapters.certify.trust_figures import Stratum, asked_for, rate, right_by_agreement
from adapters.certify.trusting import Rollout, judged_by, rollouts_of, trust
from rewards import load_recipe
from tests.adapters.cli.commands import cli
from verifiers import ConfigError


def _rollouts(groups: int = 12, size: int = 6, seed: int = 0) -> list[Rollout]:
    """Sums, of which two in three are right."""
    rng = random.Random(seed)
    found = []
    for group in range(groups):
        right = 100 + 7 * group
        for _ in range(size):
            said = right if rng.random() < 0.67 else right + rng.randint(1, 5)
            found.append(Rollout(f"The answer is {said}.", str(right), f"sum {group}", group))
    return judged_by(load_recipe("MathEquivalence"), found)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.4])
def test_intervals_hold_the_truth_in_most_samples(share: float) -> None:
    """With labels of rows that were drawn at random, whatever the model expected."""
    holds = 0
    for seed in range(40):
        rng = random.Random(seed)
        wrong = [rng.random() < share for _ in range(300)]
        stratum = Stratum(True, tuple(range(300)), 0.01)
        labels: list[bool | None] = [None] * 300
        for place in asked_for([stratum], labels, 80):
            labels[place] = not wrong[place]
        found = rate([stratum], True, labels)
        holds += found.low <= sum(wrong) / 300 <= found.high
    assert holds >= 36


def test_labels_are_asked_where_rows_are_many_and_doubtful() -> None:
    strata = [Stratum(True, tuple(range(200)), 0.3), Stratum(True, tuple(range(200, 220)), 0.3)]
    asked = asked_for(strata, [None] * 220, 22)
    assert len(set(asked)) == 22
    assert sum(place < 200 for place in asked) >= 18


def test_all_labels_leave_nothing_open() -> None:
    stratum = Stratum(False, (0, 1, 2, 3), 0.5)
    found = rate([stratum], False, [True, False, False, False])
    assert (found.value, found.low, found.high) == (0.25, 0.25, 0.25)
    assert asked_for([stratum], [True, False, False, False], 5) == []


def test_agreement_tells_good_witnesses_from_bad_ones() -> None:
    rng = random.Random(3)
    truth = [rng.random() < 0.5 for _ in range(400)]
    good = [[each if rng.random() < 0.9 else not each for each in truth] for _ in range(3)]
    coin = [rng.random() < 0.5 for _ in truth]
    right = right_by_agreement({"one": good[0], "two": good[1], "three": good[2], "coin": coin})
    assert sum((each > 0.5) is fact for each, fact in zip(right, truth, strict=True)) >= 370


def test_wrong_references_come_first() -> None:
    rollouts = [replace(each, reference="999") if each.group == 5 else each for each in _rollouts()]
    found = trust(judged_by(load_recipe("MathEquivalence"), rollouts))
    assert (rollouts[found.wrong_references[0].row].group, found.wrong_references[0].answer) == (5, "135")


def _quiz(swapped: int | None) -> list[Rollout]:
    """Who and how many: three weak models answer 40 questions, and each is wrong in its own way."""
    rollouts = []
    for place in range(40):
        name = f"{'Ada Ben Cleo Dov Eve'.split()[place % 5]} Moor{'abcdefgh'[place // 5]}"
        asked, answer = (
            (f"Who built bridge {place}?", name)
            if place % 2
            else (f"How many arches has bridge {place}?", str(20 + place))
        )
        said = [f"{name}son", f"Mister {name}"] if place % 2 else [str(23 + place), str(31 + place)]
        if place == swapped:
            answer = str(7 * place) if place % 2 else name
        elif place % 4:
            said[0] = answer
        rollouts += [
            Rollout(text, answer, asked, place, None, text == answer)
            for text in (*said, f"I read about bridge {place}.")
        ]
    return rollouts


@pytest.mark.parametrize("swapped", [7, 16])
def test_a_reference_of_another_kind_than_such_questions_have_comes_first(swapped: int) -> None:
    """No completion is right and none agree, so only its shape and what is said tell."""
    rollouts = _quiz(swapped)
    assert rollouts[suspects(rollouts)[0].row].group == swapped
    assert all(rollouts[each.row].group != swapped for each in suspects(_quiz(None))[:1])


def test_two_completions_are_no_agreement() -> None:
    """Two that err together are no evidence against a reference."""
    rows = [each for place, each in enumerate(_rollouts()) if place % 6 < 2]
    assert not suspects(judged_by(load_recipe("MathEquivalence"), rows))


def test_wrong_verdicts_turn_advantages() -> None:
    """Where labels say that half of the verdicts are wrong, GRPO's advantages lose what they say."""
    rollouts = _rollouts()
    same = trust([replace(each, label=each.paid) for each in rollouts])
    rng = random.Random(1)
    noisy = trust([replace(each, label=bool(each.paid) is (rng.random() < 0.5)) for each in rollouts])
    assert same.gradient is not None
    assert noisy.gradient is not None
    assert same.gradient["agreement"] > 0.99
    assert noisy.gradient["agreement"] < 0.5
    assert same.wrong_payments.high == 0.0


def test_the_command_asks_and_takes_labels(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    rows = [
        {"prompt": each.prompt, "completion": each.completion, "answer": each.reference, "label": None}
        for each in _rollouts()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    first = json.loads(cli("trust", path, "--labels", "label", "--ask", 30, "--json", text=True).stdout)
    assert (len(first["ask"]), first["labels"]) == (30, 0)
    for number in first["ask"]:
        rows[number - 1]["label"] = rows[number - 1]["answer"] in rows[number - 1]["completion"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    second = json.loads(cli("trust", path, "--labels", "label", "--json", text=True).stdout)
    assert second["labels"] == 30
    widths = [each["wrong_payments"]["high"] - each["wrong_payments"]["low"] for each in (first, second)]
    assert widths[1] < widths[0]


def test_a_label_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_text('{"completion": "4", "answer": "4", "label": "perhaps"}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="true or false, or null"):
        rollouts_of([str(path)], load_recipe("MathEquivalence"), "label")
