"""ms-swift's own command, scoring and advantages, with rewards from recipes."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.hosts.trainers.ms_swift import recipe_orm, recipe_orms, register, reward_weights
from rewards import Linear, Pay, SoftOverlong, load_recipe
from tests.hosts.common import (
    EXPLODES,
    HOSTILE,
    RECIPE,
    ROWS,
    breaking_reward,
    comparing_reward,
    scored_by_cli,
)  # fmt: skip
from tests.hosts.ms_swift import tiny_model, training
from verifiers import ConfigError, TagFormat, verifier

HERE = Path(__file__).parent
ANSWERS = {row["prompt"]: row["answer"] for row in ROWS}
GROUP = 4


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model's folder."""
    return tiny_model.build(tmp_path_factory.mktemp("model"))


def _script() -> dict[str, list[str]]:
    """Four replies to each prompt, from the rows that every host is shown."""
    said: dict[str, list[str]] = {}
    for row in ROWS:
        said.setdefault(row["prompt"], []).append(row["completion"])
    return {prompt: (replies * GROUP)[:GROUP] for prompt, replies in said.items()}


def _prompt(row: Mapping[str, Any]) -> str:
    """The question that a logged prompt, with its marks of a chat, is about."""
    return next(prompt for prompt in ANSWERS if prompt in row["prompt"])


def test_the_command_pays_what_verify_cli_pays(model: Path, tmp_path: Path) -> None:
    """By a preset's name, for two steps: every saved completion, its parts, and the rows without a reward."""
    command = [sys.executable, "-m", "adapters.hosts.trainers.ms_swift", RECIPE]
    options = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert options[0] == "--external_plugins"
    options.insert(2, str(HERE / "scripted.py"))
    run = training.run(tmp_path, model, _script(), ANSWERS, options)
    assert run.status == 0, run.said[-3000:]
    assert len(run.steps) == 2
    rows = [{"completion": row["completion"], "answer": ANSWERS[_prompt(row)]} for row in run.rows]
    assert {row["completion"] for row in rows} == {row["completion"] for row in ROWS}
    for logged, paid in zip(run.rows, scored_by_cli(rows, tmp_path), strict=True):
        assert logged[f"{RECIPE}.unscored"] == float(paid is None)
        assert logged[RECIPE] == pytest.approx(0.0 if paid is None else paid)
        assert math.isnan(logged[f"{RECIPE}.accuracy"]) == (paid is None)
        if paid is None:
            assert logged["advantages"] == 0.0
    for step in run.steps:
        assert step[f"rewards/{RECIPE}.unscored/mean"] == pytest.approx(1 / 3)
        assert step[f"rewards/{RECIPE}.fault/mean"] == 0.0
        # What is only logged weighs nothing.
        assert step["reward"] == pytest.approx(step[f"rewards/{RECIPE}/mean"])


BROKEN = {"What is 50 + 25?": [ROWS[0]["completion"], EXPLODES, ROWS[1]["completion"], ROWS[2]["completion"]]}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_verifier_that_breaks_ends_nothing_and_teaches_nothing(
    processes: int, model: Path, tmp_path: Path
) -> None:
    """The others' advantages are those that they have without the row, though two processes share a group."""
    names, weights = recipe_orms(breaking_reward(), "breaking"), reward_weights(breaking_reward())
    plugins = ["--external_plugins", str(HERE / "scripted.py"), str(HERE / "own_plugin.py")]
    options = [*plugins, "--reward_funcs", *names, "--reward_weights", *map(str, weights)]
    options += ["--scale_rewards", "none"]
    run = training.run(
        *(tmp_path, model, BROKEN, ANSWERS, options), processes=processes, rows_each=GROUP // processes
    )
    assert run.status == 0, run.said[-3000:]
    assert [step["rewards/breaking.fault/mean"] for step in run.steps] == [0.25, 0.25]
    group = run.rows[-GROUP:]
    without = [row for row in group if row["completion"] != EXPLODES]
    assert len(without) == GROUP - 1
    [broken] = [row for row in group if row["completion"] == EXPLODES]
    assert broken["advantages"] == pytest.approx(0.0, abs=1e-6)
    paid = [row["breaking"] for row in without]
    assert paid == [breaking_reward().explain(row["completion"], answer="75").value for row in without]
    mean = sum(paid) / len(paid)
    assert [row["advantages"] for row in without] == pytest.approx([each - mean for each in paid], abs=1e-5)


# ----------------------------------------------------------------------------------------------


def _samples(rows: Sequence[Mapping[str, Any]], **more: Any) -> list[Any]:
    """What ms-swift scores, made by its own class."""
    from swift.rl_core.data import GRPOSample

    samples = []
    for row in rows:
        said = [
            {"role": "user", "content": row["prompt"]},
            {"role": "assistant", "content": row["completion"]},
        ]
        data = {key: value for key, value in row.items() if key not in ("prompt", "completion")}
        samples.append(GRPOSample.from_row({"messages": said, **data, **more}))
    return samples


def _scored(samples: Sequence[Any], functions: Sequence[Any], **more: Any) -> Any:
    """The rewards of ms-swift's own code, a row for each sample and a column for each function."""
    import torch
    from swift.rl_core.grpo_algorithm import compute_rewards_per_func

    return compute_rewards_per_func(samples, functions, None, torch.device("cpu"), **more)


def _advantages(rewards: Any, weights: Sequence[float], scale: str, size: int) -> list[float]:
    import torch
    from swift.rl_core.advantage import compute_advantages

    found, _ = compute_advantages(rewards, torch.tensor(weights), size, scale_rewards=scale)
    return [float(each) for each in found]


ARGUMENTS = SimpleNamespace(num_generations=GROUP, generation_batch_size=GROUP, world_size=1)


@pytest.mark.parametrize("scale", ["none", "group"])
def test_without_the_adapter_such_a_row_is_punished(scale: str) -> None:
    """ms-swift pays None as 0; with the adapter its advantage is 0, and the others keep theirs."""
    reward = breaking_reward()
    completions = [ROWS[0]["completion"], ROWS[0]["completion"], "75, I think: 3", EXPLODES]
    rows = [{"prompt": "p", "completion": each, "answer": "75"} for each in completions]
    samples = _samples(rows)

    def plain(completions: Sequence[str], answer: Sequence[str], **_: Any) -> list[float | None]:
        return [reward.explain(each, answer=answer[0]).value for each in completions]

    as_is = _advantages(_scored(samples, [plain]), [1.0], scale, GROUP)
    assert as_is[3] < -0.4
    functions = [made(args=ARGUMENTS) for made in recipe_orms(reward, "mine").values()]
    rewards = _scored(samples, functions)
    found = _advantages(rewards, reward_weights(reward), scale, GROUP)
    assert found[3] == pytest.approx(0.0, abs=1e-5)
    without = _advantages(rewards[:3], reward_weights(reward), scale, 3)
    # A deviation over more rows is smaller, which all others share; it changes no sign and no order.
    shared = 1.0 if scale == "none" else math.sqrt(3 / 2)
    assert found[:3] == pytest.approx([shared * each for each in without], rel=1e-3)
    assert rewards[:, -1].tolist() == rewards[:, -2].tolist() == [0.0, 0.0, 0.0, 1.0]


def test_asynchronous_functions_pay_the_same() -> None:
    """Alongside others that ms-swift awaits together."""
    samples = _samples([row for row in ROWS if row["answer"]][:GROUP])
    kinds = [recipe_orms(RECIPE, asynchronous=asynchronous).values() for asynchronous in (False, True)]
    plain, awaited = ([made(args=ARGUMENTS) for made in kind] for kind in kinds)
    assert _scored(samples, plain).tolist() == _scored(samples, awaited).tolist()


def test_a_hostile_completion_costs_its_own_small_budget() -> None:
    """The batch that it is in is paid all the same."""
    [function] = [recipe_orm(RECIPE)(args=ARGUMENTS)]
    rows = [{"prompt": "p", "completion": each, "answer": "75"} for each in [ROWS[0]["completion"]] * 3]
    _scored(_samples(rows), [function])
    started = time.process_time()
    hostile = [*rows, {"prompt": "p", "completion": HOSTILE, "answer": "75"}]
    assert _scored(_samples(hostile), [function]).flatten().tolist() == [1.5, 1.5, 1.5, 0.5]
    assert time.process_time() - started < 0.5


def test_tokens_progress_prompt_and_conversation_are_there() -> None:
    """Of a conversation of two turns, as ms-swift's schedulers leave it."""
    seen: list[Any] = []

    @verifier
    def looks(messages: Any, prompt: Any) -> bool:
        seen.append((messages, prompt))
        return True

    reward = Pay(looks) + SoftOverlong(8, 4) + Linear(1.0, 0.0) * Pay(TagFormat(("a",)))
    functions = [made(args=ARGUMENTS) for made in recipe_orms(reward, "mine").values()]
    [sample] = _samples([{"prompt": "2+2?", "completion": "so"}], response_token_ids=[[5] * 4, [6] * 2])
    sample.messages[1:1] = [{"role": "assistant", "content": "let me see"}, {"role": "tool", "content": "4"}]
    state = SimpleNamespace(global_step=1, max_steps=4)
    total, _, overlong, *_ = _scored([sample], functions, trainer_state=state)[0].tolist()
    assert ([each["role"] for each in seen[0][0]], seen[0][1]) == (["assistant", "tool", "assistant"], "2+2?")
    assert (overlong, total) == (pytest.approx(-0.5), pytest.approx(1 - 0.5))


def test_groups_are_compared_only_where_a_process_has_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By the real arguments of ms-swift: two processes with two completions each share a group of four."""
    from swift.rlhf_trainers import GRPOConfig

    def arguments(each: int, processes: int) -> Any:
        monkeypatch.setattr(GRPOConfig, "world_size", property(lambda _: processes))
        options = {
            "num_generations": GROUP, "per_device_train_batch_size": each, "gradient_accumulation_steps": 1,
            "use_cpu": True, "bf16": False,
        }  # fmt: skip
        return GRPOConfig(output_dir=str(tmp_path), **options)

    made = recipe_orm(comparing_reward(), "comparing")
    with pytest.raises(ConfigError, match=r"needs the group, .* a multiple of --num_generations"):
        made(args=arguments(2, 2))
    function = made(args=arguments(4, 2))
    samples = _samples([{**row, "prompt": "What is 50 + 25?", "answer": "75"} for row in ROWS[:GROUP]])
    assert len(set(_scored(samples, [function]).flatten().tolist())) > 1


def test_names_that_ms_swift_has_are_left_to_it() -> None:
    """A recipe called as one of its functions is refused."""
    from swift.rewards import orms

    assert register(load_recipe(RECIPE), "mine")[0] == "mine"
    assert register(load_recipe(RECIPE), "mine")[0] == "mine"
    with pytest.raises(ConfigError, match="ms-swift has a reward function 'accuracy'"):
        register(RECIPE, "accuracy")
    assert orms["accuracy"].__name__ == "MathAccuracy"
