"""TRL's own trainers, on a model of a few thousand parameters, with rewards from recipes."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import multiprocessing
import pickle
import threading
import time
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.trl import TRLReward, trl_reward_func, trl_reward_funcs, trl_reward_weights
from rewards import Linear, Pay, Reward, SoftOverlong, WinRate, load_recipe, to_recipe
from rewards.advantages import grpo, rloo
from tests import forks, ranks
from tests.adapters import tiny
from tests.timing import within
from verifiers import (
    ConfigError,
    ExactMatch,
    Judge,
    Keywords,
    LanguageConsistency,
    Length,
    MathEquivalence,
    TagFormat,
)  # fmt: skip

# What TRL and its dependencies warn of is not ours to answer for.
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

REWARD: Reward = (
    Pay(Keywords(("a", "b", "c"), mode="any")).named("letters").when(Pay(LanguageConsistency("en")), at=0.5)
    + 0.5 * Pay(LanguageConsistency("en"))
    + SoftOverlong(12, 6)
    + 0.25 * Pay(Length(4, 9))
    + 0.1 * Pay(Judge()).optional()
)
# What older versions do not await is refused; `make test-trl-oldest` runs this file with the oldest.
ASYNCHRONOUS = tuple(map(int, version("trl").split(".")[:2])) >= (1, 14)
HOSTILE = r"\boxed{9^{9^{9^{9}}}}"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny.build(tmp_path_factory.mktemp("model")))


def _trainer(kind: str, model: str, folder: Path, functions: Any, rows: Any = None, **options: Any) -> Any:
    import datasets
    import trl

    rows = rows or [{"prompt": f"{number}+{number}=", "answer": str(2 * number)} for number in range(8)]
    args = tiny.config(getattr(trl, f"{kind}Config"), folder / "out", **options)
    data = datasets.Dataset.from_list(rows)
    return getattr(trl, f"{kind}Trainer")(model=model, reward_funcs=functions, args=args, train_dataset=data)


def _saved(folder: Path, trainer: Any = None) -> list[dict[str, Any]]:
    """The completions that the trainer logged; its last batch where it writes no files (RLOO)."""
    import pandas

    files = sorted((folder / "out" / "completions").glob("*.parquet"))
    if files:
        return [row for file in files for row in pandas.read_parquet(file).to_dict("records")]
    logs = trainer._logs
    columns = {**logs["rewards"], **logs["extra"], "completion": logs["completion"], "prompt": logs["prompt"]}
    columns["advantage"] = logs["advantages"]
    assert len({len(column) for column in columns.values()}) == 1
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize(("kind", "chat"), [("GRPO", False), ("RLOO", False), ("GRPO", True)])
def test_a_run_logs_every_part_and_score_reproduces_it(
    kind: str, chat: bool, model: str, tmp_path: Path
) -> None:
    """Each part under its own name, with the values of `verify-cli score` on the saved completions."""
    rows = [{"prompt": f"{number}+1=", "answer": "7"} for number in range(8)]
    if chat:
        rows = [{**row, "prompt": [{"role": "user", "content": row["prompt"]}]} for row in rows]  # type: ignore[dict-item]
    functions, weights = trl_reward_funcs(REWARD), trl_reward_weights(REWARD)
    names = ["reward", "letters", "LanguageConsistency", "SoftOverlong", "Length", "Judge"]
    assert ([function.__name__ for function in functions], weights) == (names, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    trainer = _trainer(kind, model, tmp_path, functions, rows, reward_weights=weights)
    trainer.train()
    for step in trainer.state.log_history[:-1]:
        assert {f"rewards/{name}/mean" for name in names} <= set(step)
        assert step["rewards/reward/mean"] == pytest.approx(step["reward"])
        assert step["reward/unscored"] == step["reward/fault"] == 0.0
    saved = _saved(tmp_path, trainer)
    assert len(saved) == (24 if kind == "GRPO" else 8)
    assert len({row["reward"] for row in saved}) > 1
    scored = _score(tmp_path, to_recipe(REWARD), [_scorable(row) for row in saved])
    for ours, theirs in zip(scored, saved, strict=True):
        assert ours["reward"] == pytest.approx(theirs["reward"], abs=1e-6)
        for name in names[1:5]:
            assert ours["reward_parts"][name] == pytest.approx(theirs[name], abs=1e-6), name
        assert ours["reward_parts"]["Judge"] is None
        assert math.isnan(theirs["Judge"])
        assert theirs["reward.reason"].startswith("letters:")
    _check_advantages(kind, saved)


def _scorable(row: dict[str, Any]) -> dict[str, Any]:
    completion = row["completion"]
    text = completion if isinstance(completion, str) else completion[0]["content"]
    return {"completion": text, "answer": "7", "completion_tokens": int(row["reward.completion_tokens"])}


def _score(folder: Path, recipe: dict[str, Any], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    (folder / "recipe.json").write_text(json.dumps(recipe))
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = forks.run("adapters.cli", "score", "in.jsonl", "-r", "recipe.json", "-o", "out.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def _check_advantages(kind: str, saved: list[dict[str, Any]]) -> None:
    """The trainer's advantages are those of `rewards.advantages`, group by group."""
    rewards = [row["reward"] for row in saved]
    found = [row["advantage"] for row in saved]
    if kind == "GRPO":
        assert found == pytest.approx(grpo(rewards, 4), abs=1e-3)
        return
    # TRL's RLOO takes a KL penalty off the reward, which is small here and zero at the first step.
    assert found == pytest.approx(rloo(rewards, 4), abs=0.01)


def _count_letters(response: str) -> float:
    """Breaks on every second row, as a verifier of somebody else's might."""
    if "a" in response or "e" in response:
        raise ZeroDivisionError("a defect")
    return 1.0


@pytest.mark.parametrize("kind", ["GRPO", "RLOO"])
def test_a_verifier_that_breaks_masks_its_rows_and_the_run_goes_on(
    kind: str, model: str, tmp_path: Path
) -> None:
    from verifiers import verifier

    breaking = verifier(_count_letters)
    reward = Pay(breaking) + Pay(Length(4, 9))
    functions = trl_reward_funcs(reward)
    trainer = _trainer(kind, model, tmp_path, functions, reward_weights=trl_reward_weights(reward))
    trainer.train()
    assert trainer.state.global_step == 3
    assert any(step["reward/fault"] > 0 for step in trainer.state.log_history[:-1])
    saved = _saved(tmp_path, trainer)
    broken = [row for row in saved if "a" in row["completion"] or "e" in row["completion"]]
    assert broken
    for row in saved:
        if row in broken:
            assert math.isnan(row["reward"])
            assert math.isnan(row["Length"]), "a row without a total is blank in all parts"
            assert row["advantage"] == 0.0
            assert "_count_letters:exception" in row["reward.reason"]
        else:
            assert row["reward"] >= 1.0


def test_an_unusable_reference_masks_its_group(model: str, tmp_path: Path) -> None:
    """None, where TRL would otherwise see a wrong answer."""
    rows = [{"prompt": f"{number}+1=", "gold": "" if number % 2 else "7"} for number in range(8)]
    reward = Pay(MathEquivalence())
    functions = trl_reward_funcs(reward, columns={"answer": "gold"})
    assert trl_reward_weights(reward) == [1.0]
    trainer = _trainer("GRPO", model, tmp_path, functions, rows)
    trainer.train()
    saved = _saved(tmp_path, trainer)
    masked = [row for row in saved if int(row["prompt"].partition("+")[0]) % 2]
    assert masked
    assert all(math.isnan(row["MathEquivalence"]) and row["advantage"] == 0.0 for row in masked)
    assert all("bad_reference" in row["MathEquivalence.reason"] for row in masked)


def test_schedules_follow_the_trainers_state(model: str, tmp_path: Path) -> None:
    """The unweighted part and the weight are logged apart; groups are compared within themselves."""
    reward = Pay(LanguageConsistency("en")) * Linear(1.0, 0.0) + WinRate(Pay(Length(4, 9)))
    functions = trl_reward_funcs(reward, num_generations=4, asynchronous=ASYNCHRONOUS)
    trainer = _trainer("GRPO", model, tmp_path, functions, reward_weights=trl_reward_weights(reward))
    trainer.train()
    logs = trainer.state.log_history[:-1]
    weights = [step["reward/LanguageConsistency.weight"] for step in logs]
    assert weights == pytest.approx([1.0, 2 / 3, 1 / 3], abs=1e-6)
    for step, weight in zip(logs, weights, strict=True):
        expected = weight * step["rewards/LanguageConsistency/mean"] + step["rewards/WinRate/mean"]
        assert step["reward"] == pytest.approx(expected, abs=1e-6)
        assert step["rewards/WinRate/mean"] == pytest.approx(0.5)


def test_a_plain_sum_goes_out_as_weighted_parts(model: str, tmp_path: Path) -> None:
    """For `normalize_then_sum`; what does not split is refused."""
    reward = Pay(LanguageConsistency("en")) + 0.25 * Pay(Length(4, 9)) - 0.5 * SoftOverlong(12, 6)
    functions = trl_reward_funcs(reward, weighted=True)
    weights = trl_reward_weights(reward, weighted=True)
    assert [function.__name__ for function in functions] == ["LanguageConsistency", "Length", "SoftOverlong"]
    assert weights == [1.0, 0.25, -0.5]
    trainer = _trainer("GRPO", model, tmp_path, functions, reward_weights=weights,
                       multi_objective_aggregation="normalize_then_sum")  # fmt: skip
    trainer.train()
    assert "rewards/SoftOverlong/mean" in trainer.state.log_history[0]
    with pytest.raises(ConfigError, match="cannot be exported as weighted parts"):
        trl_reward_funcs(load_recipe("r1_zero"), weighted=True)
    blank = trl_reward_funcs(Pay(ExactMatch()) + 0.5 * Pay(TagFormat()), weighted=True)
    assert [function(["x"], answer=[""]) for function in blank] == [[None], [None]]


def test_one_function_logs_its_parts(model: str, tmp_path: Path) -> None:
    functions = [trl_reward_func(REWARD, "mine")]
    trainer = _trainer("GRPO", model, tmp_path, functions)
    trainer.train()
    step = trainer.state.log_history[0]
    assert step["rewards/mine/mean"] == pytest.approx(step["reward"])
    assert {"mine/letters", "mine/SoftOverlong", "mine/unscored"} <= set(step)
    assert "mine/Judge" not in step


@pytest.mark.parametrize("completion", [
    "<think>1</think><answer>7</answer>",
    [{"role": "assistant", "content": "<think>1</think><answer>7</answer>"}],
    [
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "add", "arguments": {}}}]},
        {"role": "tool", "name": "add", "content": "7"},
        {"role": "assistant", "content": "<think>1</think><answer>7</answer>"},
    ],
])  # fmt: skip
def test_every_shape_of_completion_is_read(completion: Any) -> None:
    """Plain, conversational, and with tools: the last thing that the assistant says counts."""
    for function in trl_reward_funcs(load_recipe("r1_zero"))[:1]:
        assert function(prompts=["p"], completions=[completion], answer=["7"], completion_ids=[[1]]) == [1.5]


def test_a_hostile_completion_costs_under_a_tenth_of_a_second() -> None:
    """On the main thread and off it, where no signal can end anything."""
    function = trl_reward_func(load_recipe("r1_zero"))
    text = f"<think>so</think><answer>{HOSTILE}</answer>"
    function(completions=[text.replace("9^", "8^")], answer=["42"])
    taken: list[float] = []

    def call() -> None:
        started = time.process_time()
        assert function(completions=[text], answer=["42"]) == [0.5]
        taken.append(time.process_time() - started)

    call()
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert len(taken) == 2
    assert within(max(taken), 0.1)


def test_functions_pickle_with_their_names_and_share_one_evaluation() -> None:
    """Into a spawned child, as the asynchronous trainer does it."""
    functions = trl_reward_funcs(load_recipe("gsm8k_tags"))
    copies = pickle.loads(pickle.dumps(functions))
    assert [copy.__name__ for copy in copies] == ["reward", "accuracy", "format"]
    assert len({id(copy.evaluation) for copy in copies}) == 1
    texts = ["<THINK>6*7</THINK><SOLUTION>42</SOLUTION>", "42"]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        values = [pool.apply(function, (texts,), {"answer": ["42"] * 2}) for function in functions]
    assert values == [[1.5, 0.0], [1.0, 0.0], [1.0, 0.0]]


CALLS: list[str] = []


def _counted(response: str) -> float:
    CALLS.append(response)
    return 1.0


def test_a_batch_is_evaluated_once_for_all_functions() -> None:
    """Whether they are called one after another, or awaited together; another batch is another evaluation."""
    from verifiers import verifier

    reward = Pay(verifier(_counted)) + Pay(TagFormat())
    for asynchronous in (False, True):
        if asynchronous and not ASYNCHRONOUS:
            with pytest.raises(ConfigError, match=r"needs trl 1\.14 or newer"):
                trl_reward_funcs(reward, asynchronous=True)
            continue
        functions = trl_reward_funcs(reward, asynchronous=asynchronous)
        for texts in (["a", "b"], ["a", "c"]):
            CALLS.clear()
            given = {"trainer_state": SimpleNamespace(global_step=1, max_steps=2)}
            if asynchronous:

                async def together(functions: list[TRLReward] = functions, texts: list[str] = texts) -> Any:
                    return await asyncio.gather(*(function(completions=texts) for function in functions))

                assert asyncio.run(together()) == [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
            else:
                assert next(function(completions=texts, **given) for function in functions) == [1.0, 1.0]
            assert texts == CALLS


def test_only_a_set_up_that_never_worked_raises(caplog: pytest.LogCaptureFixture) -> None:
    """A missing column is told at the first step; at step 4,000 the batch is masked."""
    function = trl_reward_func(Pay(ExactMatch()))
    with pytest.raises(ConfigError, match="needs the references in a column 'answer'"):
        function(completions=["a"], gold=["a"])
    assert function(completions=["a"], answer=["a"]) == [1.0]
    logged: dict[str, float] = {}
    with caplog.at_level(logging.ERROR):
        assert function(completions=["b"], log_metric=logged.__setitem__) == [None]
    assert "the reward ExactMatch broke; this batch is masked" in caplog.text
    assert logged == {"ExactMatch/unscored": 1.0, "ExactMatch/fault": 1.0}


def test_what_is_logged_has_one_value_for_each_completion() -> None:
    """TRL's table of completions breaks otherwise."""
    extra: dict[str, list[Any]] = {}
    functions = trl_reward_funcs(load_recipe("gsm8k_tags"))
    for function in functions:
        function(completions=["42", None, "<SOLUTION>7</SOLUTION>"], answer=["42", "42", "7"],
                 log_extra=extra.__setitem__)  # fmt: skip
    assert extra["reward.extracted"] == ["", "", "7"]
    assert extra["reward.reason"][2] == "accuracy:equal_text, format:missing_tag"
    assert set(extra) == {"reward.extracted", "reward.reason"}


def test_presets_are_module_level_functions() -> None:
    """By name, once, picklable; an unknown one says what there is."""
    from adapters import trl_rewards

    assert trl_rewards.gsm8k_tags is trl_rewards.gsm8k_tags
    assert trl_rewards.gsm8k_tags.__name__ == "gsm8k_tags"
    assert pickle.loads(pickle.dumps(trl_rewards.mcq))(["(C)"], answer=["C"]) == [1.0]
    assert "dapo_math" in dir(trl_rewards)
    with pytest.raises(AttributeError, match="there is no preset 'gsm8k'; known: code_pass_rate, dapo_math"):
        _ = trl_rewards.gsm8k


def test_trl_from_the_shell_takes_a_preset_by_name(model: str, tmp_path: Path) -> None:
    """``trl grpo --reward_funcs adapters.trl_rewards.gsm8k_tags``, offline, on the CPU, with no code."""
    data = tmp_path / "data"
    data.mkdir()
    rows = [{"prompt": f"{number}+1=", "answer": str(number + 1)} for number in range(8)]
    (data / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {
        "model_name_or_path": model, "dataset_name": data, "reward_funcs": "adapters.trl_rewards.gsm8k_tags",
        "output_dir": tmp_path / "out", "max_steps": 2, "per_device_train_batch_size": 8,
        "num_generations": 4, "max_completion_length": 12, "use_cpu": "true", "bf16": "false", "gradient_checkpointing": "false",
        "report_to": "none", "logging_steps": 1, "save_strategy": "no", "log_completions": "true",
    }  # fmt: skip
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    environment = {**forks.ENVIRONMENT, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1",
                   "HF_HOME": str(tmp_path / "home"), "TOKENIZERS_PARALLELISM": "false"}  # fmt: skip
    # What ``trl grpo`` starts in an interpreter of its own, which would load torch once more.
    done = forks.run("trl.scripts.grpo", *arguments, loaded=forks.TRAINING, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "'rewards/gsm8k_tags/mean'" in done.stdout
    assert "'gsm8k_tags/format'" in done.stdout
    assert len(_saved(tmp_path)) == 16


def test_two_ranks_score_their_own_slices(tmp_path: Path) -> None:
    """Over gloo: every rank calls every function; groups lie within a rank or across both."""
    saved = _saved(ranks.run("trl", tmp_path))
    assert len(saved) == 2 * 2 * 4
    scored = _score(tmp_path, to_recipe(REWARD), [_scorable(row) for row in saved])
    for ours, theirs in zip(scored, saved, strict=True):
        assert ours["reward"] == pytest.approx(theirs["reward"], abs=1e-6)
    assert [row["advantage"] for row in saved] == pytest.approx(
        grpo([row["reward"] for row in saved], 4), abs=1e-3
    )
