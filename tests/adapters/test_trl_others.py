"""TRL's further trainers, on a model of a few thousand parameters."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.hosts.shared_payments import OnFault
from adapters.hosts.trainers.trl_others import TRAINERS, MaskedPairs, TrainerReward, trl_trainer_func
from adapters.trl import trl_reward_funcs, trl_reward_weights
from rewards import Linear, Pay, Rank, Reward, SoftOverlong, WinRate, load_recipe
from tests.adapters import tiny
from verifiers import ConfigError, ExactMatch, LanguageConsistency, Length, verifier

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

LENGTH: Reward = Pay(Length(4, 9)) + 0.5 * Pay(LanguageConsistency("en"))
REFERENCED: Reward = LENGTH + Pay(ExactMatch())
ROWS = [{"prompt": f"{number}+1=", "answer": "" if number % 2 else "7"} for number in range(8)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny.build(tmp_path_factory.mktemp("model")))


def _trainer(kind: type, settings: type, model: str, folder: Path, function: Any, **options: Any) -> Any:
    import datasets
    from transformers import AutoTokenizer
    from trl import GRPOConfig

    known = tiny.config(GRPOConfig, folder).to_dict()
    fields = settings.__dataclass_fields__  # type: ignore[attr-defined]
    names = {"output_dir", "max_steps", "learning_rate", "logging_steps", "save_strategy", "report_to",
             "use_cpu", "bf16", "gradient_checkpointing", "disable_tqdm", "seed"}  # fmt: skip
    given = {name: known[name] for name in names & set(fields)}
    args = settings(**{**given, "per_device_train_batch_size": 4, **options})
    data = datasets.Dataset.from_list(ROWS)
    more = {"processing_class": AutoTokenizer.from_pretrained(model)}
    return kind(model=model, reward_funcs=function, args=args, train_dataset=data, **more)


# ---------------------------------------------------------------------------------------- pairs


def _online(
    model: str, folder: Path, reward: Reward, *, masked: bool, on_fault: OnFault = "stop", **options: Any
) -> Any:
    from trl.experimental.online_dpo import OnlineDPOConfig, OnlineDPOTrainer

    class Trainer(MaskedPairs, OnlineDPOTrainer): ...

    kind = Trainer if masked else OnlineDPOTrainer
    return _trainer(
        *(kind, OnlineDPOConfig, model, folder, trl_trainer_func(reward, kind, on_fault=on_fault)),
        **{"max_new_tokens": 12, "max_length": 64, **options},
    )


def _moved(trainer: Any) -> float:
    before = [each.detach().clone() for each in trainer.model.parameters()]
    trainer.train()
    after = trainer.model.parameters()
    return max(float((a.detach() - b).abs().max()) for a, b in zip(after, before, strict=True))


def test_a_pair_without_rewards_teaches_nothing(model: str, tmp_path: Path) -> None:
    """Masked; TRL's own trainer takes the first completion of such a pair for the better one."""
    nothing: Reward = Pay(ExactMatch(), reference="nobody_knows")
    import datasets

    blank = [{**row, "nobody_knows": ""} for row in ROWS]
    for masked in (False, True):
        trainer = _online(model, tmp_path, nothing, masked=masked, on_fault="mask")
        trainer.train_dataset = datasets.Dataset.from_list(blank)
        moved = _moved(trainer)
        assert (moved == 0.0) == masked, moved
        if masked:
            assert all(step["ExactMatch/unscored"] == 1.0 for step in trainer.state.log_history[:-1])


def test_pairs_with_rewards_are_trained_on_and_the_log_has_the_parts(model: str, tmp_path: Path) -> None:
    """The rows of odd prompts have no reference; the trainer's own scores are those of the others."""
    trainer = _online(model, tmp_path, REFERENCED, masked=True)
    assert _moved(trainer) > 0.0
    steps = trainer.state.log_history[:-1]
    for step in steps:
        name = REFERENCED.total_name
        assert {f"{name}/Length", f"{name}/LanguageConsistency", f"{name}/unscored", f"{name}/fault"} <= set(
            step
        )
    assert sum(step[f"{name}/unscored"] for step in steps) / len(steps) == pytest.approx(0.5, abs=0.26)
    assert all(step[f"{name}/fault"] == 0.0 for step in steps)


def test_the_completions_of_a_pair_are_compared() -> None:
    """TRL hands over one completion of every prompt, then the other of each; a prompt may come twice."""
    function = trl_trainer_func(WinRate(Pay(Length(2, 9))), "OnlineDPOTrainer")
    prompts = ["p", "q", "p"] * 2
    assert function(completions=["aa", "b", "cc", "d", "ee", "ff"], prompts=prompts) == [
        1.0, 0, 0.5, 0, 1.0, 0.5,
    ]  # fmt: skip
    partly = trl_trainer_func(Pay(ExactMatch()), "OnlineDPOTrainer")
    assert partly(completions=["7", "7", "8", "9"], prompts=["p", "q"] * 2, answer=["7", "", "7", ""]) == [
        1, 0, 0, 0,
    ]  # fmt: skip
    assert (partly.without, partly.means["unscored"]) == ([1, 3], 0.5)


def test_half_a_pair_is_a_draw() -> None:
    """The row without a reward gets what the other was paid, so that it is neither better nor worse."""
    function = trl_trainer_func(Pay(verifier(_breaks_on_e)), "OnlineDPOTrainer")
    assert function(completions=["a", "a", "e", "a"], prompts=["p", "q"] * 2) == [1.0, 1.0, 1.0, 1.0]
    assert function.without == [2]


def _breaks_on_e(response: str) -> float:
    if "e" in response:
        raise ZeroDivisionError("a defect")
    return 1.0


# ------------------------------------------------------------------------------------- the others


def test_rows_that_the_asynchronous_trainer_is_given_none_for_are_masked() -> None:
    """Its own scoring of a group, with conversations: their advantage is 0, the others' are without them."""
    from accelerate import PartialState
    from trl.experimental.async_grpo import async_rollout_worker as worker

    PartialState(cpu=True)  # its logger needs one
    function = pickle.loads(pickle.dumps(trl_trainer_func(load_recipe("r1_zero"), "AsyncGRPOTrainer")))
    right, wrong = ("<think>1</think><answer>" + each + "</answer>" for each in "78")
    call = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"function": {"name": "add", "arguments": {}}}],
    }
    tool = {"role": "tool", "name": "add", "content": "7"}
    group = worker.RolloutGroup(
        prompts=[[{"role": "user", "content": "3+4"}]] * 4,
        reward_kwargs={"answer": ["7", "7", "7", ""]},
        completions=[[{"role": "assistant", "content": wrong}]] * 2
        + [[call, tool, {"role": "assistant", "content": right}]] * 2,
        completions_ids=[[1, 2]] * 4,
        completions_sequences=[[_sequence(worker)]] * 4,
        tool_call_counts=[0] * 4,
        tool_failure_counts=[0] * 4,
        model_version=0,
        group_id=0,
        env_rewards=[None] * 4,
        rollout_rewards=[None] * 4,
    )
    loop = SimpleNamespace(
        reward_funcs=[function], reward_func_names=["reward"], _env_reward_types=[],
        _provides_rollout_reward=False,
    )  # fmt: skip
    samples = asyncio.run(worker._AsyncRolloutLoop._score_group(loop, group))
    advantages = [sample.advantage for sample in samples]
    assert advantages[3] == 0.0
    assert advantages[:3] == pytest.approx([-(0.5**0.5), -(0.5**0.5), 2**0.5], abs=1e-4)
    assert function.means["unscored"] == 0.25


def _sequence(worker: Any) -> Any:
    return worker.TrainingSequence([1, 2], [0, 1], [0.0, 0.0], "one")


def test_sdpo_never_takes_a_row_without_a_reward_as_an_example(model: str, tmp_path: Path) -> None:
    """Its threshold is 1: what is handed over for such a row lies below it."""
    from trl.experimental.sdpo import SDPOConfig, SDPOTrainer

    function = trl_trainer_func(REFERENCED, SDPOTrainer, num_generations=4)
    options = {"num_generations": 4, "max_completion_length": 12, "success_reward_threshold": 0.5}
    trainer = _trainer(SDPOTrainer, SDPOConfig, model, tmp_path, function, **options)
    seen: list[tuple[Any, Any]] = []
    scored = trainer._calculate_rewards

    def watched(inputs: Any, *given: Any) -> Any:
        rewards = scored(inputs, *given)
        seen.extend(zip((row["answer"] for row in inputs), rewards.flatten().tolist(), strict=True))
        return rewards

    trainer._calculate_rewards = watched
    trainer.train()
    assert {reward for answer, reward in seen if not answer} == {0.0}
    assert any(reward > 0.0 for answer, reward in seen if answer)
    assert trainer.state.global_step == 3


def test_a2po_drops_prompts_that_nobody_can_judge(model: str, tmp_path: Path) -> None:
    """It cannot be handed None, which ends the run; a prompt whose samples are all worth 0 is left out."""
    from trl.experimental.a2po import A2POConfig, A2POTrainer

    function = trl_trainer_func(REFERENCED, A2POTrainer)
    options = {"num_value_samples": 2, "max_completion_length": 12, "filter_all_incorrect": True}
    trainer = _trainer(A2POTrainer, A2POConfig, model, tmp_path, function, **options)
    trainer.train()
    assert ({row["answer"] for row in trainer.train_dataset}, trainer.state.global_step) == ({"7"}, 3)
    assert function.without == []


def test_gmpo_takes_what_grpo_takes(model: str, tmp_path: Path) -> None:
    """It is derived from `GRPOTrainer`, masks and logs included."""
    from trl.experimental.gmpo import GMPOConfig, GMPOTrainer

    options = {
        "num_generations": 4,
        "max_completion_length": 12,
        "reward_weights": trl_reward_weights(REFERENCED),
    }
    trainer = _trainer(GMPOTrainer, GMPOConfig, model, tmp_path, trl_reward_funcs(REFERENCED), **options)
    trainer.train()
    steps = trainer.state.log_history[:-1]
    assert {step[f"{REFERENCED.total_name}/unscored"] for step in steps} <= {0.0, 1.0}
    with pytest.raises(ConfigError, match="use trl_reward_funcs"):
        trl_trainer_func(REFERENCED, GMPOTrainer)


NEEDS: dict[str, Reward] = {
    "group": Rank(LENGTH),
    "tokens": LENGTH + SoftOverlong(12, 6),
    "progress": Linear(1.0, 0.0) * Pay(Length(4, 9)),
    "messages": Pay(verifier(lambda messages: len(messages) > 1)),
}
LACKING = {
    "AsyncGRPOTrainer": {"progress"}, "OnlineDPOTrainer": {"tokens", "messages"}, "SDPOTrainer": {"messages"},
    "A2POTrainer": set(NEEDS),
}  # fmt: skip


@pytest.mark.parametrize("trainer", TRAINERS)
def test_what_a_trainer_lacks_is_told_at_the_start(trainer: str) -> None:
    """With the cure; a progress may be named instead."""
    for need, reward in NEEDS.items():
        if need in LACKING[trainer]:
            with pytest.raises(ConfigError, match=rf"needs the {need}, which {trainer} does not pass: \w+"):
                trl_trainer_func(reward, trainer)
        else:
            assert isinstance(trl_trainer_func(reward, trainer), TrainerReward)
    named = trl_trainer_func(NEEDS["progress"], trainer, progress=0.25)
    assert named(completions=["abcd"] * 2, prompts=["p"] * 2) == [0.75] * 2
