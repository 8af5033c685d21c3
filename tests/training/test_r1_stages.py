"""DeepSeek-R1's stages on the small task: from an empty folder, and every choice on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import kept_by, lines
from training import r1
from training.config import RunConfig, load_config, stages_of
from training.generation import Generated, Sampling
from training.run.pipeline_needs import needs_of
from training.stages import run_pipeline, select_data, selection_stage
from training.stages.pipeline import check_stages
from training.watch import run_page
from verifiers import ConfigError, Judge

pytestmark = [pytest.mark.filterwarnings("default")]

RIGHT = "<think>ones {ones} carry {carry} tens {tens}</think>{answer}"


class Scripted:
    """A model that says what it is told to, and remembers what it was asked."""

    def __init__(self, *forms: str) -> None:
        self.forms, self.asked = forms, []  # type: ignore[var-annotated]

    def generate(self, prompts: Sequence[Any], sampling: Sampling) -> Iterator[list[Generated]]:
        for prompt in prompts:
            self.asked.append((prompt, sampling))
            yield [Generated(_said(prompt, form), 12, "…" not in form) for form in self.forms]


def _said(prompt: str, form: str) -> str:
    question = prompt.rsplit("\n\n", 1)[-1].partition("=")[0]
    if "+" not in question:
        return form
    a, b = map(int, question.split("+"))
    ones = a % 10 + b % 10
    values = {"ones": ones, "carry": ones // 10, "tens": (a + b) // 10, "answer": a + b, "wrong": a + b + 1}
    return form.replace("…", "").format(**values)


def stage(name: str, folder: Path, port: int = 8765, **changes: Any) -> RunConfig:
    """A stage of the pipeline, on its own."""
    given = [f"output_dir={folder}", "evaluation={at: []}", "model.options={hidden: 16, layers: 1}"]
    _, own = stages_of(load_config("r1_arithmetic", given))[name]
    text = json.dumps(own.model_dump(exclude_unset=True, mode="json")).replace(":8765/", f":{port}/")
    found = {
        **json.loads(text),
        "model": {"name": "training.r1:model", "options": {"hidden": 16, "layers": 1}},
    }
    for key, value in changes.items():
        found[key] = {**found.get(key, {}), **value} if isinstance(value, dict) else value
    return RunConfig.model_validate(found)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a scripted model in the place of the one that a select stage loads."""

    def put(*forms: str) -> Scripted:
        model = Scripted(*forms)
        monkeypatch.setattr(selection_stage, "backend_of", lambda *_: model)
        return model

    return put


def test_the_model_has_room_for_a_prompt_with_examples(tmp_path: Path) -> None:
    """As many places as the task asks for, which are more than a small model has by default."""
    r1.model(tmp_path, hidden=16, layers=1)
    assert json.loads((tmp_path / "config.json").read_text())["max_position_embeddings"] == 256


@pytest.mark.parametrize("prefilled", [False, True])
def test_a_cold_start_keeps_right_readable_completions_alone(
    tmp_path: Path, scripted: Any, prefilled: bool
) -> None:
    """Of each prompt the one that is right, in the form, in one language and ended; the example is forgotten."""
    forms = [RIGHT, "<think>ones {ones} carry {carry} tens {tens}</think>{wrong}",
             "<think>ones {ones} carry {carry} tens {tens} {answer}",
             "<think>일 {ones} 올림 {carry} 십 {tens}</think>{answer}",
             "<think>ones {ones} 올림 {carry} 십 {tens}</think>{answer}", "<think>{ones}</think>{answer}",
             "{answer}", RIGHT + "…"]  # fmt: skip
    opened = "<think>" if prefilled else ""
    model = scripted(*(each.removeprefix(opened) for each in forms))
    run = stage("few_shot", tmp_path, sample={"k": len(forms)})
    data = {**run.data.model_dump(exclude_unset=True), "limit": 40, "options": {"prefilled": prefilled}}  # type: ignore[union-attr]
    metrics = select_data(run.model_copy(update={"data": type(run.data).model_validate(data)}))  # type: ignore[union-attr]
    rows = lines(tmp_path / "2-few_shot" / "selected.jsonl")
    assert metrics["selected"] == len(rows) == 40
    for row in rows:
        assert row["prompt"] == row["question"]
        assert row["completion"] == _said(row["prompt"], RIGHT.removeprefix(opened))
    prompt, sampling = model.asked[0]
    assert prompt.startswith("17+25=?\n<think>ones 12 carry 1 tens 4</think>42\n\n")
    assert prompt.endswith(f"=?\n{opened}")
    assert sampling.stop == ("\n",)


def test_a_selection_that_keeps_too_few_says_so(tmp_path: Path, scripted: Any, capsys: Any) -> None:
    """Below `select.least` nothing follows; below a tenth of the prompts it is said."""
    scripted("{wrong}", "{answer}")
    with pytest.raises(ConfigError, match=r"nothing was selected from 120 prompts.*passes 50.0%"):
        select_data(stage("few_shot", tmp_path / "none", sample={"k": 2}))

    class OneInTwenty(Scripted):
        def generate(self, prompts: Sequence[Any], sampling: Sampling) -> Iterator[list[Generated]]:
            for prompt, said in zip(prompts, super().generate(prompts, sampling), strict=True):
                yield said if prompt.endswith("30=?\n") else [Generated("?", 1, True)] * len(said)

    for least, folder in ((1, "few"), (50, "less")):
        run = stage("few_shot", tmp_path / folder, sample={"k": 1}, select={"least": least})
        with pytest.MonkeyPatch.context() as patch:
            model = OneInTwenty(RIGHT)
            patch.setattr(selection_stage, "backend_of", lambda *_, model=model: model)
            if least == 1:
                assert 0 < select_data(run)["selected"] < 30
                assert "That is few" in capsys.readouterr().err
            else:
                with pytest.raises(ConfigError, match=r"\d rows were selected .* and select.least is 50"):
                    select_data(run)


def test_rows_of_every_task_are_selected_by_their_own_part(
    tmp_path: Path, scripted: Any, capsys: Any
) -> None:
    """Sums by the verifier, questions by the judge over HTTP, requests by the rule; each task is counted."""
    scripted(RIGHT, "tea is a drink.", "drink", "I cannot help with that.", "mix the parts and wait.")
    with r1.serve() as url:
        port = int(url.rsplit(":", 1)[1].partition("/")[0])
        run = stage("rejection_sampling", tmp_path, port, sample={"k": 5}, select={"least": 1})
        metrics = select_data(run)
    rows = lines(tmp_path / "5-rejection_sampling" / "selected.jsonl")
    for row in rows:
        if row["task"] == "sums":
            assert row["completion"].endswith(f"</think>{row['answer']}")
        elif row["task"] == "general":
            assert (row["completion"], "tea" in row["question"]) == ("tea is a drink.", True)
        else:
            assert ("cannot" in row["completion"]) == row["refuse"]
    counts = metrics["by_task"]
    assert counts["sums"]["selected"] == counts["sums"]["prompts"] > 100
    assert counts["safety"]["selected"] == counts["safety"]["prompts"] == 40
    assert 0 < counts["general"]["selected"] < 8
    [said] = [each for each in capsys.readouterr().err.splitlines() if each.startswith("  general: ")]
    assert "That is few" in said


def test_a_judge_that_is_not_there_is_missed_before_the_first_stage(tmp_path: Path) -> None:
    """Nothing is trained, and the message says what to start; a service that cannot start says so, too."""
    changes = [f"output_dir={tmp_path / 'run'}", "services=[]"]
    port = _free_port()
    config = _at(load_config("r1_arithmetic", changes), port)
    with pytest.raises(
        ConfigError, match=r"'rejection_sampling' needs the judge small-judge at .*vllm serve"
    ):
        run_pipeline(config)
    assert not (tmp_path / "run").exists()
    with r1.serve() as url:
        taken = int(url.rsplit(":", 1)[1].partition("/")[0])
        started = _at(load_config("r1_arithmetic", [f"output_dir={tmp_path / 'run'}"]), taken)
        with pytest.raises(ConfigError, match=r"does not start: .*give it another one"):
            run_pipeline(started)


def _free_port() -> int:
    with r1.serve() as url:
        return int(url.rsplit(":", 1)[1].partition("/")[0])


def _at(config: RunConfig, port: int) -> RunConfig:
    text = json.dumps(config.model_dump(exclude_unset=True, mode="json"))
    return RunConfig.model_validate_json(
        text.replace(":8765/", f":{port}/").replace('"port": 8765', f'"port": {port}')
    )


TINY = {
    "base": {"max_steps": 4},
    "cold_start": {"max_steps": 2},
    "reasoning": {"max_steps": 2, "per_device_train_batch_size": 8, "num_generations": 4},
    "supervised": {"max_steps": 2},
    "all_tasks": {"max_steps": 2, "per_device_train_batch_size": 8, "num_generations": 4},
    "preference": {"max_steps": 2},
}


def tiny(folder: Path, port: int) -> RunConfig:
    """The pipeline with a model that has learned nothing: what ends by itself passes."""
    changes = [
        f"output_dir={folder}",
        "evaluation={at: []}",
        "model.options={hidden: 16, layers: 1}",
        "stages.base.data.options={count: 64}",
        *(
            f"stages.{name}.trainer.{key}={value}"
            for name, options in TINY.items()
            for key, value in {**options, "save_strategy": "'no'", "per_device_train_batch_size": 8}.items()
        ),
        *(f"stages.{name}.select.{key}={value}" for name in ("few_shot", "rejection_sampling")
          for key, value in (("require", "[]"), ("pass_at", 0), ("least", 1))),
        "stages.few_shot.data.limit=24",
        "stages.rejection_sampling.data.0.limit=24",
        "stages.all_tasks.data.0.limit=24",
    ]  # fmt: skip
    return _at(load_config("r1_arithmetic", changes), port)


@pytest.mark.slow
def test_every_stage_goes_through_from_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """One call, an interruption, and the rest; stages that were done are not done again."""
    monkeypatch.setattr(run_page, "draw_curves", lambda *_: False)
    # A model without any learning says nothing true: this judge likes long answers.
    monkeypatch.setattr(r1, "opinion", lambda _, said: ("It is long.", min(5, 1 + len(said) // 8)))
    config = tiny(tmp_path / "run", _free_port())
    run_pipeline(config, until="reasoning")
    base = tmp_path / "run" / "1-base" / "model" / "model.safetensors"
    made = base.stat().st_mtime_ns
    done = run_pipeline(config)
    assert base.stat().st_mtime_ns == made
    assert list(done) == [each.name for each in config.stages]
    assert done["preference"]["pairs"] == done["preferences"]["selected"] > 0
    assert set(done["rejection_sampling"]["by_task"]) == {"sums", "general", "safety"}
    kept = kept_by(tmp_path / "run" / "7-all_tasks")
    parts = {row["task"]: set(row["reward_parts"]) for row in kept}
    assert all(parts[task] == wanted for task, wanted in PAID.items() if task in parts)
    pairs = lines(tmp_path / "run" / "8-preferences" / "selected.jsonl")
    assert all(pair["margin"] >= 0.25 for pair in pairs)
    assert (tmp_path / "run" / "9-preference" / "model" / "model.safetensors").is_file()


PAID = {"sums": {"accuracy", "format", "language"}, "general": {"judge"}, "safety": {"refusal"}}


def test_the_qwen_pipeline_names_all_that_it_needs() -> None:
    """No file of the user's; another model is one line, in every stage that starts from it."""
    stages = stages_of(load_config("r1_pipeline", ["model.name=Qwen/Qwen2.5-7B"]))
    check_stages(stages)
    named = {(need.kind, need.name.partition(" at ")[0]) for need in needs_of(stages)}
    assert named == {
        ("model", "Qwen/Qwen2.5-7B"),
        ("data", "openai/gsm8k main"),
        ("data", "databricks/databricks-dolly-15k"),
        ("data", "bench-llm/or-bench or-bench-toxic"),
        ("data", "bench-llm/or-bench or-bench-hard-1k"),
        ("judge", "meta-llama/Llama-3.1-8B-Instruct"),
    }
    assert stages["few_shot"][1].model.name == stages["supervised"][1].model.name == "Qwen/Qwen2.5-7B"
    [judge] = {need.thing for need in needs_of(stages) if isinstance(need.thing, Judge)}
    assert judge.url.endswith(":8011/v1")
    small = stages_of(load_config("r1_arithmetic"))
    assert [each for each in small if each != "base"] == list(stages)
    assert [(need.kind, need.stage) for need in needs_of(small)] == [("judge", "rejection_sampling")]


def test_a_stage_can_start_from_an_earlier_one() -> None:
    """By its name."""
    stages = stages_of(load_config("r1_arithmetic"))
    assert stages["supervised"][1].model.name == stages["few_shot"][1].model.name
