"""`verify-cli recipe`, `groups` and `select`, and scoring with groups, schedules and kept verdicts."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from adapters.files.chunk_scorer import Scorer
from rewards import Linear, Pay, load_recipe
from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import check_refused, write
from verifiers import TagFormat


def _completion(answer: str, thinking: str = "so it is") -> str:
    return f"<think>{thinking}</think><answer>{answer}</answer>"


ROWS = [
    {"prompt": "easy", "completion": _completion("4"), "answer": "4", "completion_tokens": 9},
    {"prompt": "easy", "completion": _completion("4.0", "two and two"), "answer": "4", "completion_tokens": 12},
    {"prompt": "easy", "completion": "the answer is 4", "answer": "4", "completion_tokens": 5},
    {"prompt": "hard", "completion": _completion("7"), "answer": "9", "completion_tokens": 9},
    {"prompt": "hard", "completion": _completion(r"\frac{14}{2}"), "answer": "9", "completion_tokens": 15},
    {"prompt": "hard", "completion": _completion("9"), "answer": "9", "completion_tokens": 9},
    {"prompt": "unusable", "completion": _completion("1"), "answer": "", "completion_tokens": 9},
    {"prompt": "hopeless", "completion": _completion("1"), "answer": "2", "completion_tokens": 9},
    {"prompt": "hopeless", "completion": _completion("2"), "answer": "2", "completion_tokens": 9, "hinted": True},
]  # fmt: skip


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    write(folder / "in.jsonl", ROWS)
    cli("score", "in.jsonl", "-r", "r1_zero", "-o", "out.jsonl", cwd=folder, status=0)
    return folder / "out.jsonl"


def _rows(done: Any) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_scored_rows_hold_every_part(scored: Path) -> None:
    """By its name, next to the verdicts, and the summary names parts too."""
    rows = [json.loads(line) for line in scored.read_text().splitlines()]
    assert rows[0]["reward_parts"] == {"accuracy": 1.0, "format": 1.0}
    assert [row["reward"] for row in rows] == [1.5, 1.5, -0.5, 0.5, 0.5, 1.5, None, 0.5, 1.5]
    done = cli("score", scored, "-r", "dapo_math")
    assert [line.split()[0] for line in done.stdout.splitlines()[1:4]] == ["reward", "accuracy", "overlong"]


def test_groups_prints_the_figures(scored: Path) -> None:
    """pass@k without hinted and unjudged rows, the vote by equivalence, what collapses."""
    done = cli("groups", scored, "--json")
    figures = json.loads(done.stdout)
    counts = ("groups", "rows", "unjudged", "unjudged_groups", "all_right", "all_wrong", "shaped_only")
    assert [figures[name] for name in counts] == [4, 8, 1, 1, 1, 1, 1]
    assert figures["pass_at_k"]["1"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert figures["pass_at_k"]["2"] == pytest.approx((1 + 2 / 3) / 2)
    assert figures["votes_right"] == 1.0, "in `hard`, 7 and 14/2 vote together and win"
    assert figures["signatures"] == [load_recipe("r1_zero").signature()]
    table = cli("groups", scored, status=0)
    for text in ("prompts", "pass@k", "shaping only", "resolution", "44.44 %", "majority"):
        assert text in table.stdout


def test_select_makes_training_data(scored: Path) -> None:
    """Right completions, shortest first, one for each prompt; hardest prompts first where asked."""
    rows = _rows(cli("select", scored))
    assert [(row["prompt"], row["completion"]) for row in rows] == [
        ("easy", "the answer is 4"),
        ("hard", _completion("9")),
    ]
    rows = _rows(cli("select", scored, "--require", "format", "--hardest-first", "--per-prompt", 2))
    assert [row["prompt"] for row in rows] == ["hard", "easy", "easy"]
    assert [row["pass_rate"] for row in rows] == pytest.approx([1 / 3, 1, 1])
    assert rows[0]["signature"] == load_recipe("r1_zero").signature()
    assert [row["prompt"] for row in _rows(cli("select", scored, "--max-pass-rate", 0.5))] == ["hard"]
    star = _rows(cli("select", scored, "--for", "star"))
    assert [(row["prompt"], row["hinted"]) for row in star] == [
        ("easy", False), ("hard", False), ("hopeless", True)
    ]  # fmt: skip


def test_select_makes_pairs_votes_and_bests(scored: Path) -> None:
    """An unjudged row is on neither side, and has no say."""
    [pair] = _rows(cli("select", scored, "--for", "dpo"))
    assert (pair["chosen"], pair["rejected"]) == (_completion("9"), _completion("7"))
    assert (pair["chosen_reward"], pair["rejected_reward"]) == (1.5, 0.5)
    votes = {row["prompt"]: row for row in _rows(cli("select", scored, "--for", "majority"))}
    assert votes["hard"]["majority"] == "7"
    assert (votes["hard"]["votes"], votes["hard"]["correct"]) == ([2, 1], 0.0)
    assert (votes["easy"]["votes"], votes["easy"]["correct"]) == ([3], 1.0)
    best = {row["prompt"]: row for row in _rows(cli("select", scored, "--for", "best"))}
    assert best["hard"]["completion"] == _completion("9")
    assert "unusable" not in best


def test_rows_of_an_asynchronous_run_are_brought_together(scored: Path, tmp_path: Path) -> None:
    """With --sort; without it nothing is written, to a pipe neither."""
    lines = scored.read_text().splitlines(keepends=True)
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("".join(lines[::2] + lines[1::2]))
    for command in (["select", mixed], ["groups", mixed]):
        refused = cli(*command)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "must follow one another" in refused.stderr
        assert "--sort" in refused.stderr
    figures = [json.loads(cli("groups", file, "--json", "--sort").stdout) for file in (mixed, scored)]
    assert figures[0] == figures[1]
    chosen = [
        {row["prompt"]: row for row in _rows(cli("select", file, "--sort"))} for file in (mixed, scored)
    ]
    assert (chosen[0], len(chosen[0])) == (chosen[1], 2)


def test_chat_prompts_give_chat_data(tmp_path: Path) -> None:
    prompt = [{"role": "user", "content": "2+2?"}]
    chat = [{"role": "assistant", "content": r"\boxed{4}"}]
    write(tmp_path / "in.jsonl", [
        {"prompt": prompt, "completion": chat, "answer": "4"},
        {"prompt": prompt, "completion": r"so \boxed{4}", "answer": "4"},
    ])  # fmt: skip
    assert cli("score", "in.jsonl", "-o", "s.jsonl", cwd=tmp_path).returncode == 0
    done = cli("select", "s.jsonl", "-o", "sft.jsonl", "--per-prompt", 2, cwd=tmp_path)
    assert "2 rows from 1 of 1 prompts" in done.stdout
    rows = [json.loads(line) for line in (tmp_path / "sft.jsonl").read_text().splitlines()]
    assert rows[0]["completion"] == chat
    assert rows[1]["completion"] == [{"role": "assistant", "content": r"so \boxed{4}"}]
    check_refused(cli("select", "s.jsonl", "-o", "sft.jsonl", cwd=tmp_path), 2, "already exists")


def test_the_outcome_is_named_or_asked_for(tmp_path: Path) -> None:
    """Never taken to be the format, when a function of somebody's says what is right."""
    (tmp_path / "r.yaml").write_text(
        "reward: {sum: [{TagFormat: [think], name: format}, {FunctionVerifier: 'tests.verifiers.judges:equal_by_function'}]}"
    )
    write(tmp_path / "in.jsonl", [{"prompt": "p", "completion": f"<think>x</think>{text}", "answer": "right"}
                                  for text in ("wrong", "right")])  # fmt: skip
    assert cli("score", "in.jsonl", "-r", "r.yaml", "-o", "out.jsonl", cwd=tmp_path).returncode == 0
    for options in ([], ["--outcome", "equal_by_function"]):
        rows = _rows(cli("select", "out.jsonl", *options, cwd=tmp_path))
        assert [row["completion"] for row in rows] == ["<think>x</think>right"]
    (tmp_path / "two.yaml").write_text(
        "reward: {sum: [ExactMatch, {FunctionVerifier: 'tests.verifiers.judges:equal_by_function'}]}"
    )
    assert cli("score", "in.jsonl", "-r", "two.yaml", "-o", "two.jsonl", cwd=tmp_path).returncode == 0
    check_refused(cli("select", "two.jsonl", cwd=tmp_path), 2, "Name it with --outcome", "equal_by_function")
    write(tmp_path / "dapo.jsonl", [{**row, "prompt": "p"} for row in ROWS[:3]])
    assert cli("score", "dapo.jsonl", "-r", "dapo_math", "-o", "d.jsonl", cwd=tmp_path).returncode == 0
    for options in ([], ["--outcome", "accuracy"]):
        [vote] = _rows(cli("select", "d.jsonl", "--for", "majority", *options, cwd=tmp_path))
        assert (vote["majority"], vote["votes"]) == ("4", [3])


def test_a_failed_selection_leaves_what_stood_there(tmp_path: Path, scored: Path) -> None:
    lines = scored.read_text().splitlines()
    write(tmp_path / "in.jsonl", [*lines[:3], '{"torn'])
    (tmp_path / "out.jsonl").write_text("kept\n")
    check_refused(
        cli("select", "in.jsonl", "-o", "out.jsonl", "--force", cwd=tmp_path), 2, "in.jsonl:4: not JSON"
    )
    assert (tmp_path / "out.jsonl").read_text() == "kept\n"
    assert not list(tmp_path.glob("*.part"))


def test_another_column_can_give_the_tokens(tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", [{"completion": r"\boxed{4}", "answer": "4", "trl.tokens": 18_432}])
    done = cli(
        "score", "in.jsonl", "-r", "dapo_math", "-o", "-", "--tokens-field", "trl.tokens", cwd=tmp_path
    )
    assert json.loads(done.stdout)["reward"] == 0.5
    check_refused(cli("score", "in.jsonl", "-r", "dapo_math", cwd=tmp_path), 2, "--tokens-field")


def test_scoring_in_groups_keeps_them_whole(tmp_path: Path) -> None:
    """Over chunks and processes, with the values of a single batch."""
    rows = [
        {"prompt": f"p{group}", "completion": "x" * ((7 * group + number) % 11), "answer": "x"}
        for group in range(120)
        for number in range(1 + group % 7)
    ]
    write(tmp_path / "in.jsonl", rows)
    (tmp_path / "r.yaml").write_text("reward: {WinRate: {reward: {LengthTarget: 5}}}")
    outputs = []
    for workers in (1, 2):
        done = cli(
            "score", "in.jsonl", "-r", "r.yaml", "-o", f"{workers}.jsonl", "--workers", workers, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        outputs.append((tmp_path / f"{workers}.jsonl").read_bytes())
    assert outputs[0] == outputs[1]
    reward = load_recipe(tmp_path / "r.yaml")
    expected = reward([row["completion"] for row in rows], prompts=[row["prompt"] for row in rows])
    assert [json.loads(line)["reward"] for line in outputs[0].splitlines()] == expected
    row = cli("explain", "in.jsonl", "--row", 3, "-r", "r.yaml", cwd=tmp_path)
    assert f"WinRate: {expected[2]:g} = among 2, by" in row.stdout, row.stdout + row.stderr


def test_progress_moves_schedules_and_is_signed(tmp_path: Path) -> None:
    """The same file pays differently at another point of training, and says so."""
    write(tmp_path / "in.jsonl", [{"completion": _completion("4")}])
    (tmp_path / "r.yaml").write_text("reward: {TagFormat: {}, weight: {Linear: {start: 1.0, end: 0.0}}}")
    for progress, value in ((None, 0.0), (0.25, 0.75)):
        options = [] if progress is None else ["--progress", progress]
        done = cli("score", "in.jsonl", "-r", "r.yaml", "-o", "-", *options, cwd=tmp_path)
        row = json.loads(done.stdout)
        assert row["reward"] == value
        assert row["signature"].endswith(f"|progress:{1 if progress is None else progress:g}")
    assert "progress" not in Scorer(Pay(TagFormat())).signature
    assert Scorer(Linear(1, 0) * Pay(TagFormat()), progress=0.5).signature.endswith("|progress:0.5")


def test_a_cache_makes_other_weights_cheap(tmp_path: Path) -> None:
    """Verdicts that took long are found again by the next run."""
    write(tmp_path / "in.jsonl", [{"completion": "x" * number} for number in range(100)])
    asked = []
    for name, weight in (("once", 1), ("twice", 2)):
        (tmp_path / f"{name}.yaml").write_text(
            f"reward: {{Judge: 'tests.verifiers.judges:slowly', weight: {weight}}}"
        )
        done = cli(
            "score", "in.jsonl", "-r", f"{name}.yaml", "-o", f"{name}.jsonl", "--cache", "kept", cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        asked.append(len((tmp_path / "asked.txt").read_text().splitlines()))
    first, second = ((tmp_path / f"{name}.jsonl").read_text().splitlines() for name in ("once", "twice"))
    assert [json.loads(row)["verdicts"] for row in first] == [json.loads(row)["verdicts"] for row in second]
    assert [2 * json.loads(row)["reward"] for row in first] == [json.loads(row)["reward"] for row in second]
    assert asked == [100, 100], "the second run asks nothing again"


def test_recipe_verbs(tmp_path: Path) -> None:
    """List, show, check, schema: what a person needs to write one."""
    listed = cli("recipe", "list")
    assert "gsm8k_tags" in listed.stdout
    assert "thinking in <THINK>" in listed.stdout
    shown = cli("recipe", "show", "multi_objective")
    (tmp_path / "mine.yaml").write_text(shown.stdout)
    assert load_recipe(tmp_path / "mine.yaml") == load_recipe("multi_objective")
    checked = cli("recipe", "check", tmp_path / "mine.yaml")
    for text in ("correctness, format, length, cot_quality", "completion, answer", "reward-verifiers:"):
        assert text in checked.stdout
    schema = json.loads(cli("recipe", "schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"reward": "ExactMatch"}, schema)


PROMPTS, SAMPLES = 40, 6


def _graded(
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
            rows.append(_graded(f"p{prompt}", text, round(grade, 3)))
    return rows


def _made(folder: Path, *options: Any) -> tuple[list[dict[str, Any]], str]:
    done = cli("select", "in.jsonl", "-o", "out.jsonl", "--force", *options, cwd=folder, status=0)
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
    write(
        tmp_path / "in.jsonl",
        [_graded("p", "good", 0.9), _graded("p", "fair", 0.7), _graded("p", "bad", None)],
    )
    pairs, _ = _made(tmp_path, "--for", "dpo", "--outcome", "judge", "--margin", 0.2)
    assert [(pair["chosen"], pair["rejected"]) for pair in pairs] == [("good", "fair")]
    pairs, said = _made(tmp_path, "--for", "dpo", "--outcome", "judge", "--margin", 0.21)
    assert pairs == []
    assert "select kept none of 1 prompts" in said
    assert "1: no two differ by as much as --margin 0.21" in said


def test_a_threshold_makes_right_and_wrong_of_grades(tmp_path: Path) -> None:
    """For rows to imitate, and for pairs across it."""
    grades = [("a", 0.9), ("bb", 0.8), ("ccc", 0.7), ("dddd", 0.1)]
    write(tmp_path / "in.jsonl", [_graded("p", text, grade) for text, grade in grades])
    rows, _ = _made(tmp_path, "--pass-at", 0.75, "--per-prompt", 9)
    assert ([row["completion"] for row in rows], rows[0]["pass_rate"]) == (["a", "bb"], 0.5)
    rows, _ = _made(tmp_path, "--per-prompt", 2)
    assert [(row["completion"], row["outcome"]) for row in rows] == [("a", 0.9), ("bb", 0.8)]
    pairs, _ = _made(tmp_path, "--for", "dpo", "--pass-at", 0.75, "--per-prompt", 9)
    assert [(pair["chosen"], pair["rejected"]) for pair in pairs] == [("bb", "ccc"), ("a", "dddd")]


def test_of_a_binary_verifier_only_1_is_right(tmp_path: Path) -> None:
    """Half of the tests passed is no solution, however much worse another is; it is said why nothing is kept."""
    rows = [
        _graded(f"p{n}", text, grade, "CodePassRate")
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
    rows = [_graded("p", "good", 0.9, "mine"), _graded("p", "bad", 0.2, "mine")]
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
            _graded(f"p{n}", text, value, "MathEquivalence") for text, value in zip("ab", values, strict=True)
        ]
    write(tmp_path / "in.jsonl", rows)
    made, said = _made(tmp_path, "--for", "dpo")
    assert len(made) == 5
    assert "5 rows from 5 of 240 prompts" in said
    assert said.index("190: no completion is right") < said.index("30: nothing could be judged")
    assert "15: all completions have the same outcome" in said
