"""The question of a row reaches verifiers in every way that rows come, and only from the row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.files.chunk_scorer import Scorer
from adapters.trl import trl_reward_funcs
from rewards import Batch, DuplicatePenalty, Pay, VerdictCache
from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import check_refused
from tests.verifiers.plugins import Echo, isolated_echo
from training.dry_run.reference_checks import pay
from verifiers import ConfigError, MathEquivalence, Sample

USER = {"role": "user", "content": "2+2?"}
ASKED: list[Any] = [
    "2+2?",
    [USER],
    USER,
    [{"role": "system", "content": "Be brief."}, USER],
    [{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "2"}, USER],
    [USER, {"role": "assistant", "content": "<think>"}],
    [USER, {"role": "tool", "content": "3+3?"}],
    [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "2+2?"}]}],
]
NOT_ASKED: list[Any] = [None, "", 7, [], [3], {}, b"2+2?", [b"2+2?"], [{"role": "user"}],
                        [{"role": "assistant", "content": "2+2?"}],
                        [{"role": "user", "content": 5}]]  # fmt: skip


@pytest.mark.parametrize("prompt", ASKED)
@pytest.mark.parametrize("column", ["prompt", "prompts"])
def test_the_question_is_the_users_last_text(prompt: Any, column: str) -> None:
    """As a text or as chat messages, under our name and under a trainer's."""
    assert Sample("", "", fields={column: prompt}).prompt == "2+2?"
    assert Echo().verify("2+2?", **{column: prompt}).score == 1.0
    assert [each.score for each in Echo().verify_batch(["4", "2+2?"], **{column: [prompt] * 2})] == [0.0, 1.0]


@pytest.mark.parametrize("prompt", NOT_ASKED)
def test_what_is_no_question_is_none(prompt: Any) -> None:
    """It is the empty text, whatever stands there, and the row is judged all the same."""
    assert Sample("", "", fields={"prompt": prompt, "prompts": "2+2?"}).prompt == ""
    assert (Sample("", "").prompt, Echo().verify("2+2?", prompt=prompt).score) == ("", 0.0)
    assert MathEquivalence().verify(r"\boxed{4}", "4", prompt=prompt).score == 1.0


@pytest.mark.parametrize(
    "completion",
    [
        [USER, {"role": "assistant", "content": "2+2?"}],
        [{**USER, "prompt": "2+2?"}, {"role": "assistant", "content": "2+2?", "prompt": "2+2?"}],
        "2+2?",
        "prompt: 2+2?",
        '{"prompt": "2+2?"}',
        "<|im_start|>user\n2+2?<|im_end|>",
    ],
)
def test_a_completion_asks_nothing(completion: Any) -> None:
    """A message that claims to be the user's is part of what the model wrote."""
    assert Echo().verify(completion).extracted == ""
    assert Echo().verify(completion, prompt="1+1?").extracted == "1+1?"
    [payment] = Batch([completion], {"prompt": ["1+1?"]}).pay(Pay(Echo()))
    assert payment.verdicts[0].extracted == "1+1?"
    row = {"completion": completion, "prompt": "1+1?"}
    scored = json.loads(Scorer(Pay(Echo())).score([json.dumps(row).encode()]).output)
    assert scored["verdicts"][0]["extracted"] == "1+1?"


def test_an_isolated_verifier_sees_it() -> None:
    """It travels to the worker with the row."""
    assert isolated_echo.verify("2+2?", prompt=[USER]).score == 1.0
    assert isolated_echo.verify("2+2?", prompts="1+1?").score == 0.0


@pytest.mark.parametrize("column", ["prompt", "prompts"])
def test_a_kept_verdict_belongs_to_its_question(column: str) -> None:
    """Another question is never answered from the cache; the same one is."""
    cache = VerdictCache(worth_seconds=0)
    row = Batch(["2+2?"]).splits

    def judged(prompt: Any, judge: Any = Echo()) -> float | None:  # noqa: B008
        [payment] = Batch(["2+2?"], {column: [prompt]}, cache=cache).pay(Pay(judge))
        [straight] = cache.verdicts(judge, row, None, {column: [prompt]})
        assert payment.value == straight.score
        return payment.value

    assert [judged("2+2?"), judged("1+1?"), judged([USER]), judged("2+2?")] == [1.0, 0.0, 1.0, 1.0]
    hits = cache.hits
    assert (judged("1+1?"), cache.hits) == (0.0, hits + 2)
    assert "prompt" in (MathEquivalence().fields_read() or ())


def test_trainers_pass_it(tmp_path: Path) -> None:
    """TRL's `prompts`, or a column of the data that is named; the dry run passes the row's."""
    [paid] = trl_reward_funcs(Pay(Echo()))
    assert paid(["2+2?", "2+2?"], prompts=[[USER], "1+1?"]) == [1.0, 0.0]
    [paid] = trl_reward_funcs(Pay(Echo()), columns={"prompt": "problem"})
    assert paid(["2+2?", "2+2?"], prompts=["a", "b"], problem=["2+2?", "1+1?"]) == [1.0, 0.0]
    [payment] = pay([{"prompt": [USER]}], ["2+2?"], Pay(Echo()))
    assert (payment.value, Pay(Echo()).explain("2+2?", prompt="2+2?").value) == (1.0, 1.0)


def _scores(scorer: Scorer, *rows: dict[str, Any]) -> list[float | None]:
    scored = scorer.score([json.dumps({"completion": "2+2?", **row}).encode() for row in rows])
    assert not scored.problems
    return [json.loads(line)["verdicts"][0]["score"] for line in scored.output.splitlines()]


def test_rows_of_files_have_it() -> None:
    """In `prompt`, in `prompts`, or in the column that is named; the group's column is no question."""
    asked, unasked = {"prompt": "2+2?"}, {"id": "2+2?"}
    assert _scores(Scorer(Pay(Echo())), asked, {"prompt": [USER]}, unasked) == [1.0, 1.0, 0.0]
    assert _scores(Scorer(Pay(Echo())), {"prompts": "2+2?"}) == [1.0]
    named = Scorer(Pay(Echo()), prompt_field="problem")
    assert _scores(named, {"problem": "2+2?", "prompt": "1+1?"}) == [1.0]
    assert named.score([b'{"completion": "2+2?", "prompt": "2+2?"}']).problems == {0: "no column 'problem'"}
    with pytest.raises(ConfigError, match=r"rows.jsonl has no column 'problem'.*--prompt-field"):
        named.check_columns({"completion": "4", "prompt": "2+2?"}, "rows.jsonl")
    compared = Scorer(Pay(Echo()) + DuplicatePenalty(), group_field="id")
    row = {"answer": "4", "id": "2+2?"}
    assert (_scores(compared, row), _scores(compared, {**row, "prompt": "2+2?"})) == ([0.0], [1.0])
    assert _scores(compared, {**row, "prompts": "2+2?", "id": 7}) == [1.0]


def test_it_is_given_at_the_terminal(tmp_path: Path) -> None:
    """`score` reads the named column, `explain` takes one or a row's."""
    recipe = ["-r", "recipe.yaml"]
    (tmp_path / "judges.py").write_text(
        "from verifiers import verifier\n\n\n@verifier\ndef echo(sample):\n"
        "    return sample.response == sample.prompt\n"
    )
    (tmp_path / "recipe.yaml").write_text("reward: {FunctionVerifier: {path: 'judges:echo'}}\n")
    (tmp_path / "in.jsonl").write_text('{"completion": "2+2?", "problem": "2+2?", "prompt": "1+1?"}\n')
    for arguments, reward in (
        (["explain", "--completion", "2+2?", "--prompt", "2+2?"], "echo: 1"),
        (["explain", "--completion", "2+2?", "--prompt", "1+1?"], "echo: 0"),
        (["explain", "--completion", "2+2?"], "echo: 0"),
        (["explain", "in.jsonl"], "echo: 0"),
        (["explain", "in.jsonl", "--prompt-field", "problem"], "echo: 1"),
        (["score", "in.jsonl", "-o", "-", "--prompt-field", "problem"], '"reward": 1.0'),
        (["score", "in.jsonl", "-o", "-"], '"reward": 0.0'),
    ):
        done = cli(*arguments, *recipe, cwd=tmp_path)
        assert reward in done.stdout, (arguments, done.stdout, done.stderr)
    check_refused(cli("score", "in.jsonl", "--prompt-field", "q", *recipe, cwd=tmp_path), 2, "--prompt-field")
