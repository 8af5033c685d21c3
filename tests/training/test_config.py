"""Configurations: what is read, and the one sentence that each mistake gets."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from rewards import advantages
from tests.support import ROOT, python
from tests.training.runs import config, write
from training.cli.shared_options import joined, read_config
from training.config import RunConfig, config_names, config_path, load_config, stages_of, trainer_options
from training.config.algorithms import ALGORITHMS
from training.config.trainer_options import TRL, check_vllm, fitting, lora_config, trainer_config
from training.run.run_folder import last_checkpoint
from training.run.run_inputs import reward_of
from training.stages.pipeline import check_stages
from verifiers import ConfigError, MissingDependencyError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]


@pytest.mark.parametrize("name", config_names())
def test_bundled_configurations_fit_the_installed_trainers(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every key of every stage, its reward, and its LoRA options; whether vLLM is installed is not asked."""
    monkeypatch.setattr(trainer_options, "check_vllm", lambda: None)
    run = load_config(name)
    assert run.description
    runs = list(stages_of(run).values()) or [("grpo", run)]
    for kind, own in runs:
        if kind != "select":
            trainer_config(kind, own)
        if own.model.lora is not None:
            lora_config(own.model.lora)
        for recipe in (own.reward, own.evaluation.reward):
            if recipe is not None:
                assert reward_of(recipe).part_names()


SFT, RM = {"kind": "sft"}, {"kind": "rm", "name": "first"}


def second(**own: Any) -> dict[str, Any]:
    """A policy with settings of its own, after a supervised stage."""
    return {"stages": [SFT, {"kind": "grpo", **own}]}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ("modle.name=x", "unknown key 'modle'; did you mean 'model'?"),
        ("model.nam=x", "unknown key 'model.nam'; did you mean 'name'?"),
        ("learning_rate=1", "unknown key 'learning_rate'; the options of TRL's trainers go under trainer"),
        ("data.sources=x", "unknown key 'data.sources'; did you mean 'source'?"),
        ("watch.on_alarm=shout", "watch.on_alarm: .*'log' or 'stop'"),
        ("kl={target: -1}", "kl.target: .*greater than 0"),
        ("seed=soon", "seed: .*valid integer.*'soon'"),
        ("model.quantize=nf4", "model: quantize: nf4 needs lora"),
        ("model.name", "an override is written key=value"),
        ("seed.x=1", "seed is 0, which has no keys"),
        ("stages=[{kind: ppo}]", "stages.0.kind: .*'sft', 'grpo', 'rloo', 'select', 'dpo', 'prm', 'orm' or 'rm'"),
        ("stages=[{kind: sft, rounds: 2}]", "sft has none; only grpo and rloo have rounds"),
        ({"stages": [SFT, SFT]}, "two stages are called 'sft'"),
        ({"stages": [{**SFT, "modle": {}}]}, "stage 'sft': unknown key 'modle'; did you mean 'model'"),
        ({"stages": [SFT], "algorithm": "dapo"}, "algorithm: in a run of stages.*stages.sft.algorithm"),
        ({"stages": [RM, {"kind": "grpo", "model": {"name": "stage:first"}}]}, "stage 'grpo': .* stage:first only rates texts; only a stage"),
        ({"stages": [{**SFT, "model": {"name": "stage:grpo"}}, {"kind": "grpo"}]}, "stage 'sft': .*stage:grpo: no stage before it"),
        (second(model={"name": "stage:stf"}), "stage 'grpo': .*stage:stf: .*did you mean 'sft'"),
        (second(model="stage:sft"), r"stage 'grpo': model is a mapping, such as \{name: \.\.\.\}, got 'stage:sft'"),
        (second(model=None), "stage 'grpo': model is a mapping"),
        (second(evaluation="gsm8k_tags"), "stage 'grpo': evaluation is a mapping"),
        (second(data="rows.jsonl"), "stage 'grpo': data: should be a valid dictionary"),
        (second(data={"limit": 3}), r"stage 'grpo': the key 'data.source' is missing"),
        (second(services=[]), "stage 'grpo': services belongs to the whole run; write it outside stages"),
        (second(output_dir="elsewhere"), "stage 'grpo': output_dir belongs to the whole run"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_its_key(tmp_path: Path, changes: Any, sentence: str) -> None:
    """In one sentence, with the nearest name, before anything else looks into it; of an override or in the file."""
    file = write(tmp_path / "run.yaml", **({"seed": 0} if isinstance(changes, str) else changes))
    with pytest.raises(ConfigError, match=sentence):
        read_config(str(file), [changes] if isinstance(changes, str) else [])


def test_pipelines_are_checked_before_they_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled ones pass; a missing file and a mistake in the last stage are found at the start."""
    monkeypatch.chdir(tmp_path)
    check_stages(stages_of(load_config("r1_pipeline")))
    lessons = ["stages.cold_start.data={source: data/cold_start.jsonl}"]
    with pytest.raises(
        ConfigError, match=r"stage 'cold_start': data.source: there is no file data/cold_start.jsonl"
    ):
        check_stages(stages_of(load_config("r1_pipeline", lessons)))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cold_start.jsonl").write_text("{}\n")
    check_stages(stages_of(load_config("r1_pipeline", lessons)))
    check_stages(stages_of(load_config("r1_arithmetic")))
    check_stages(stages_of(load_config("demo_arithmetic")))
    wrong = ["stages.rejection_sampling.select.require=[fromat]"]
    with pytest.raises(
        ConfigError, match=r"stage 'rejection_sampling': .*no part 'fromat'; did you mean 'format'"
    ):
        check_stages(stages_of(load_config("r1_pipeline", wrong)))
    with pytest.raises(ConfigError, match=r"stage 'all_tasks': unknown key 'trainer.max_step'"):
        check_stages(stages_of(load_config("r1_pipeline", ["stages.all_tasks.trainer.max_step=1"])))


def test_overrides_change_values_deep_down_and_in_stages(tmp_path: Path) -> None:
    """As ``key=value``, ``--key=value`` and ``--key value``; numbers as YAML 1.2 has them."""
    stages = [{"kind": "sft"}, {"kind": "grpo", "name": "second"}]
    file = write(tmp_path / "run.yaml", stages=stages)
    changes = joined(["--sample.temperature", "1e-1", "seed=3", "--stages.second.trainer.max_steps=7"])
    run = load_config(file, changes)
    assert run.sample.temperature == 0.1
    assert run.seed == 3
    assert stages_of(run)["second"][1].trainer == {"max_steps": 7}
    with pytest.raises(ConfigError, match="there is no 'third' in this list; known: sft, second"):
        load_config(file, ["stages.third.trainer.max_steps=1"])
    with pytest.raises(ConfigError, match="--seed is not an option, and has no value"):
        joined(["--seed"])


def test_stages_follow_one_another(tmp_path: Path) -> None:
    """Each begins with the model that the last one left; a trainer's options are its own."""
    run = config(tmp_path, model={"lora": {"r": 2}}, stages=[{"kind": "sft", "trainer": {"max_steps": 1}},
                                                             {"kind": "select"}, {"kind": "dpo"},
                                                             {"kind": "grpo",
                                                              "evaluation": {"seen": 3}}])  # fmt: skip
    found = {name: own for name, (_, own) in stages_of(run).items()}
    assert found["sft"].model.name == "training.arithmetic:model"
    assert found["select"].model.name == found["dpo"].model.name == str(tmp_path / "1-sft" / "model")
    assert found["grpo"].model.name == str(tmp_path / "3-dpo" / "model")
    assert found["grpo"].model.lora == {"r": 2}
    assert found["dpo"].data.source == str(tmp_path / "2-select" / "selected.jsonl")  # type: ignore[union-attr]
    assert found["grpo"].data == run.data
    assert found["grpo"].trainer == {}
    assert found["grpo"].evaluation.seen == 3
    assert found["grpo"].evaluation.at == []


def test_a_model_that_rates_is_measured_by_its_own_rows(tmp_path: Path) -> None:
    """The run's held-out rows are prompts: read as pairs they would end the pipeline in its rating stage."""
    measured: list[dict[str, Any]] = [
        {"data": {"source": "training.arithmetic:problems"}, "reward": {"Length": {"maximum": 6}}},
        {"holdout": 4},
    ]
    for evaluation in measured:
        stages = [{"kind": "rm", "evaluation": {"holdout": 20}}, {"kind": "grpo"}]
        found = stages_of(config(tmp_path, evaluation=evaluation, stages=stages))
        assert found["rm"][1].evaluation.model_dump(exclude_unset=True) == {"holdout": 20}
        assert found["grpo"][1].evaluation.data is not None


def test_every_section_of_a_stage_is_merged(tmp_path: Path) -> None:
    """What the file says of heads holds where a stage says something else of its own."""
    stages = [{"kind": "rm", "head": {"only": True}}]
    own = stages_of(config(tmp_path, head={"of": "completion"}, stages=stages))["rm"][1]
    assert (own.head.of, own.head.only) == ("completion", True)


def test_what_is_missed_in_a_list_is_said_with_its_places(tmp_path: Path) -> None:
    """Sources have no names: they are numbered."""
    file = write(tmp_path / "run.yaml", data=[{"source": "a.jsonl"}, {"source": "b.jsonl"}])
    with pytest.raises(ConfigError, match=r"'data.source': there is no 'source' in this list; known: 0, 1"):
        load_config(file, ["data.source=c.jsonl"])
    assert load_config(file, ["data.1.source=c.jsonl"]).data[1].source == "c.jsonl"  # type: ignore[index, union-attr]


def test_files_are_found_beside_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is started from anywhere; a name that is nothing is said so."""
    (tmp_path / "reward.yaml").write_text("reward: ExactMatch\n")
    (tmp_path / "rows.jsonl").write_text('{"question": "?", "answer": "1"}\n')
    file = write(tmp_path / "run.yaml", reward="reward.yaml", data={"source": "rows.jsonl"})
    monkeypatch.chdir("/")
    run = load_config(file)
    assert run.reward == str(tmp_path / "reward.yaml")
    assert run.data.source == str(tmp_path / "rows.jsonl")  # type: ignore[union-attr]
    with pytest.raises(ConfigError, match="no configuration 'gsm8k_qwem'; did you mean 'gsm8k_qwen'"):
        config_path("gsm8k_qwem")
    with pytest.raises(ConfigError, match=r"there is no configuration file no/such.yaml"):
        config_path("no/such.yaml")
    (tmp_path / "twice.yaml").write_text("seed: 1\nseed: 2\n")
    with pytest.raises(ConfigError, match=r"twice.yaml:2: the key 'seed' occurs twice"):
        load_config(tmp_path / "twice.yaml")


def test_options_reach_the_trainer_as_they_are(tmp_path: Path) -> None:
    """Numbers that YAML took for text, lists, and what a CPU needs where nothing else is said."""
    run = config(tmp_path, seed=7, trainer={"learning_rate": "2e-6", "epsilon_high": 0.28, "use_cpu": True})
    args = trainer_config("grpo", run)
    assert (args.learning_rate, args.epsilon_high, args.seed) == (2e-6, 0.28, 7)
    assert args.report_to == []
    import torch

    if not torch.cuda.is_available():
        assert not args.bf16
        assert not args.gradient_checkpointing
    assert fitting("x", "3", int) == 3


def test_every_loss_of_trl_has_a_name() -> None:
    """The table covers what the installed trainer offers, and every option in it exists."""
    import trl

    fields = {field.name: field for field in dataclasses.fields(trl.GRPOConfig)}
    text = fields["loss_type"].metadata["help"]
    offered = {name for name in ("grpo", "dr_grpo", "dapo", "bnpo", "cispo", "sapo", "luspo", "vespo")
               if f"'{name}'" in text}  # fmt: skip
    assert offered == {each.options.get("loss_type") for each in ALGORITHMS.values()} - {None}
    for each in ALGORITHMS.values():
        assert set(each.options) <= set(fields)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ppo", r"critic, and TRL 1\.16 has no trainer.*algorithm: grpo"),
        ("PPO-clip", "has no trainer with one"),
        ("remax", r"rewards\.advantages\.remax.*algorithm: rloo"),
        ("ReMax", "greedy completion's reward"),
        ("reinforce", r"verify-train rloo.*dr_grpo"),
        ("reinforce_plus_plus", r"rewards\.advantages\.reinforce_plus_plus.*scale_rewards=batch"),
        ("REINFORCE++", "deviation of the whole batch"),
        ("reinforce-loo", "is called rloo here"),
        ("REINFORCE++-baseline", "is called reinforce_plus_plus_baseline here"),
        ("RAFT", "kind select .* kind sft"),
        ("pass@k", "write k out, such as pass_at_4"),
        ("pass_at_0", "there is no algorithm"),
    ],
)
def test_what_trl_does_not_train_is_said(name: str, says: str) -> None:
    """With what there is instead: a formula, or the nearest that is trained; and what is named is there."""
    run = RunConfig(output_dir="x", model={"name": "x"}, algorithm=name)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=says) as caught:
        trainer_config("grpo", run)
    for formula in re.findall(r"rewards\.advantages\.(\w+)", str(caught.value)):
        assert callable(getattr(advantages, formula))
    for instead in re.findall(r"algorithm: (\w+)", str(caught.value)):
        assert instead in ALGORITHMS


def _fake_vllm(monkeypatch: pytest.MonkeyPatch, installed: str | None) -> None:
    real = metadata.version

    def version(name: str) -> str:
        if name == "vllm":
            if installed is None:
                raise metadata.PackageNotFoundError(name)
            return installed
        return real(name)

    monkeypatch.setattr("training.config.trainer_options.version", version)
    monkeypatch.setattr(
        "training.config.trainer_options.requires", lambda name: ['vllm<=0.31.0,>=0.22.0; extra == "vllm"']
    )


def test_vllm_out_of_range_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By the range that the installed TRL names."""
    _fake_vllm(monkeypatch, "0.33.0")
    sentence = r"works with vllm<=0.31.0,>=0.22.0, and vllm 0.33.0 is installed; run: pip install 'vllm"
    with pytest.raises(ConfigError, match=sentence):
        trainer_config("grpo", config(tmp_path, trainer={"use_vllm": True}))
    _fake_vllm(monkeypatch, None)
    with pytest.raises(MissingDependencyError, match="needs vllm, which is not installed"):
        check_vllm()
    _fake_vllm(monkeypatch, "0.25.1")
    check_vllm()


@pytest.mark.parametrize("tracker", ["wandb", "mlflow", "clearml"])
def test_a_tracker_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tracker: str
) -> None:
    """Before training, not at its first line."""
    monkeypatch.setattr(f"transformers.integrations.integration_utils.is_{tracker}_available", lambda: False)
    with pytest.raises(
        MissingDependencyError, match=f"{tracker} is not installed; run: pip install {tracker}"
    ):
        trainer_config("grpo", config(tmp_path, trainer={"report_to": [tracker]}))


def test_trls_range_is_that_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence, where another one is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"trl{TRL}" in project["optional-dependencies"]["train"]
    real = metadata.version
    for other in ("1.9.2", "1.15.0", "2.0"):
        monkeypatch.setattr(
            "training.config.trainer_options.version",
            lambda name, other=other: other if name == "trl" else real(name),
        )
        with pytest.raises(
            ConfigError, match=rf"trl {re.escape(other)} is installed; run: pip install 'trl>=1"
        ):
            trainer_config("grpo", config(tmp_path))


def test_lora_takes_every_option_of_peft() -> None:
    """By its own defaults."""
    found = lora_config({"r": 4, "use_rslora": True, "lora_dropout": 0.1})
    assert (found.r, found.use_rslora, found.target_modules) == (4, True, "all-linear")


def test_a_checkpoint_that_a_kill_has_torn_is_none(tmp_path: Path) -> None:
    """The last whole one counts, whatever is next to it."""
    for step, state in ((2, "{}"), (10, "{}"), (12, '{"global')):
        folder = tmp_path / f"checkpoint-{step}"
        folder.mkdir()
        (folder / "trainer_state.json").write_text(state)
        (folder / "rng_state.pth").touch()
    (tmp_path / "checkpoint-14").mkdir()
    (tmp_path / "checkpoint-best").mkdir()
    assert last_checkpoint(tmp_path) == tmp_path / "checkpoint-10"


def test_nothing_heavy_is_loaded_for_a_configuration() -> None:
    """`verify-train configs` answers at once."""
    code = (
        "import json, sys, training.cli\nfrom training.config import load_config\n"
        "load_config('gsm8k_qwen')\n"
        "print(json.dumps([m for m in ('torch', 'transformers', 'trl', 'datasets') if m in sys.modules]))"
    )
    assert json.loads(python(code)) == []


@pytest.mark.parametrize("kind", ["sft", "dpo", "prm", "orm", "rm"])
def test_a_stage_without_rows_to_evaluate_says_so(tmp_path: Path, kind: str) -> None:
    """Before its trainer is built, which ends in a traceback."""
    run = config(tmp_path).model_copy(update={"trainer": {"eval_strategy": "steps", "eval_steps": 2}})
    with pytest.raises(ConfigError, match=f"trainer.eval_strategy: {kind} is measured when it has ended"):
        trainer_config(kind, run)
