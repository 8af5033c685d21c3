"""`verify-train` as a user meets it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from tests import forks
from tests.support import ROOT
from tests.training.research.test_heads import step_lines
from tests.training.research.test_reward_model import pairs
from tests.training.runs import jsonl, lines, rating, source, write
from training.cli import app
from training.cli.bundled import LAUNCH
from training.cli.shared_options import read_stage
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

REWARD = {"sum": [{"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits"}]}


def run(*arguments: str) -> Any:
    """`verify-train` in this process."""
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize("verb", ["grpo", "rloo", "sft", "dpo", "select", "prm", "orm", "rm", "pipeline",
                                  "sample", "search", "label", "eval", "rank", "demo"])  # fmt: skip
def test_every_verb_explains_itself(verb: str) -> None:
    """With its options."""
    done = run(verb, "--help")
    assert done.exit_code == 0
    assert "KEY=VALUE" in done.output


def test_what_comes_with_the_library_is_listed() -> None:
    """Configurations, launchers, algorithms; a name gives a path that is there."""
    listed = run("configs")
    for name in ("demo_arithmetic", "smollm2_arithmetic", "gsm8k_qwen", "gpt_oss_20b_gsm8k", "malpyeong_ko",
                 "r1_pipeline", "code_mbpp", "fsdp2", "zero3"):  # fmt: skip
        assert name in listed.output
        assert Path(run("configs", name).output.strip()).is_file()
    assert "dr_grpo" in run("algorithms").output
    wrong = run("configs", "gsm8k_qwem")
    assert wrong.exit_code == 2


def test_launch_configurations_are_accelerates(tmp_path: Path) -> None:
    """Each loads in the installed version."""
    from accelerate.commands.config.config_args import load_config_from_file

    for path in LAUNCH.glob("*.yaml"):
        loaded = load_config_from_file(str(path))
        assert loaded.num_processes >= 2


RUN, EXACT = ("-c", "run.yaml"), ("-c", "exact.yaml", "-o", "made.jsonl")
LABEL, RATES = ("label", *RUN, "-o", "made.jsonl"), ("-c", "rates.yaml")
MISTAKES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("grpo", "-c", "no.yaml"), "there is no configuration file no.yaml"),
    (("grpo", *RUN, "trainer.max_step=1"), "did you mean 'max_steps'?"),
    (("sft", "-c", "demo_arithmetic", "stages.sft.model.name=/no/such"), "there is no folder /no/such"),
    (("dpo", "-c", "demo_arithmetic"), "has no stage of kind dpo; it has: sft, grpo"),
    (("pipeline", *RUN), "the configuration has no stages"),
    (("grpo", *RUN, "data.source=no.jsonl"), "there is no file no.jsonl"),
    (("demo", "--example", "helthy"), "did you mean 'healthy'?"),
    (("grpo", *RUN, "--sample", "3"), "--completions and --sample belong to --dry-run"),
    (("eval", *RUN, "-o", "no/such/e.json"), "the folder no/such does not exist"),
    (("sample", *RUN, "--heldout", "-o", "made.jsonl"), "there are no held-out rows"),
    (("grpo", *RUN, "output_dir=/proc/none/x"), "cannot be made"),
    (("search", *EXACT), "ExactMatch needs the reference, which a search must not see"),
    (("search", *EXACT, "--by", "TagFormat", "--column", "answer"), "'answer' holds the reference"),
    (("search", *EXACT, "--method", "best"), "method must be"),
    (("search", *EXACT, "--by", "TagFormat", "--steps", "words"), "steps must be"),
    (("search", *EXACT, "--by", "TagFormat", "sample.temperature=0"), "set sample.temperature above 0"),
    (("search", *EXACT, "--by", "no.yaml"), "no.yaml"),
    ((*LABEL, "--until-first-error", "--bisect"), "choose one"),
    ((*LABEL, "--steps", "words"), "by must be"),
    ((*LABEL, "--format", "verl"), "--format must be trl, prm800k, processbench, got 'verl'"),
    ((*LABEL, "--consensus", "no.yaml"), "no.yaml"),
    ((*LABEL, "sample.temperature=0"), "temperature 0"),
    ((*LABEL, "--solutions", "odd.jsonl"), "row 0 of"),
    ((*LABEL, "--solutions", "no.jsonl"), "there is no file"),
    (
        (*LABEL, "--solutions", "chats.jsonl"),
        "are chat messages, and this model's tokenizer has no chat template",
    ),
    ((*LABEL, "--heldout"), "no held-out rows"),
    (("prm", *RATES, "trainer.max_step=1"), "TrainingArguments of transformers"),
    (("prm", *RATES, "data.source=odd.jsonl"), "steps are read from"),
    (("orm", *RATES, "data.source=odd.jsonl"), "outcomes are read from"),
    (("prm", *RATES, "data=null"), "verify-train label writes"),
    (("prm", *RATES, "head={label: soft}"), "unknown key 'head.label'; did you mean 'labels'"),
    (("prm", *RATES, "evaluation.holdout=60"), "cannot be held out"),
    (("orm", *RATES, "model.chat_template=null"), "has no chat template"),
    (
        ("rm", *RATES, "data.source=pairs.jsonl", "model.chat_template=null"),
        "has no chat template; set it to a file with one",
    ),
)


def test_mistakes_are_one_sentence_and_exit_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No traceback and no file, whatever is wrong with whichever verb; before weights are loaded."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "run.yaml")
    write(tmp_path / "exact.yaml", reward={"sum": [{"ExactMatch": {}, "name": "right"}, *REWARD["sum"]]})
    rates = rating(tmp_path, "rates", step_lines(), evaluation={"holdout": 20})
    (tmp_path / "rates.yaml").write_text(yaml.safe_dump(rates))
    jsonl(tmp_path / "odd.jsonl", [{"prompt": "1+1=?", "text": "2"}])
    jsonl(tmp_path / "chats.jsonl", [{"prompt": [{"role": "user", "content": "1+1=?"}], "completion": "2"}])
    jsonl(tmp_path / "pairs.jsonl", pairs(60))
    for arguments, sentence in MISTAKES:
        done = run(*arguments)
        assert (done.exit_code, done.stdout) == (2, ""), (arguments, done.output)
        [said] = [line for line in done.stderr.splitlines() if not line.startswith("stage ")]
        assert sentence in said
        assert not Path("made.jsonl").exists()


def test_a_typing_mistake_is_told_at_once(tmp_path: Path) -> None:
    """As a process of its own, before anything heavy is loaded; by the module that launchers take, too."""
    command = [sys.executable, "-m", "training.grpo", "--config", "demo_arithmetic", "sede=1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "unknown key 'sede'; did you mean 'seed'?" in done.stderr
    assert len(done.stderr.splitlines()) == 1


WITHOUT = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("transformers", "trl", "torch", "datasets", "peft", "accelerate"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
sys.argv[0] = "verify-train"
from training.cli import app
app()
"""


@pytest.mark.parametrize(
    "arguments", [["grpo", "-c", "gsm8k_qwen"], ["sft", "-c", "demo_arithmetic"], ["demo"]]
)
def test_what_an_extra_would_bring_is_named(arguments: list[str], tmp_path: Path) -> None:
    """Without the packages that training needs: one sentence, with the command that installs them."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 2
    assert re.search(r"is not installed; run: pip install .*\[train\]", done.stderr), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_training_writes_a_report(tmp_path: Path) -> None:
    """And says what is going on."""
    file = write(tmp_path / "run.yaml")
    done = run("grpo", "-c", str(file), "--trainer.max_steps", "2")
    assert done.exit_code == 0, done.output
    assert "2 steps, reward" in (tmp_path / "out" / "report.md").read_text()
    assert (tmp_path / "out" / "curves.png").exists()
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert metrics["steps"] == 2
    assert metrics["versions"]["trl"]


def test_an_alarm_that_stops_a_run_exits_3(tmp_path: Path) -> None:
    """So that a script does not continue."""
    data = source(tmp_path, [{"question": "1+1=?", "answer": ""}] * 8)
    file = write(tmp_path / "run.yaml", reward="MathEquivalence", watch={"on_alarm": "stop"}, data=data)
    assert run("grpo", "-c", str(file)).exit_code == 3


def test_completions_are_sampled_for_verify_cli(tmp_path: Path) -> None:
    """Scored lines, group by group; an interrupted run continues; another k is refused."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, sample={"max_tokens": 6}))
    out = tmp_path / "sampled.jsonl"
    assert run("sample", "-c", file, "-o", str(out), "--k", "3").exit_code == 0
    rows = lines(out)
    assert len(rows) == 64 * 3
    text = out.read_bytes()
    out.write_bytes(text[: len(text) // 3])
    assert run("sample", "-c", file, "-o", str(out), "--k", "3").exit_code == 0
    assert [row["prompt"] for row in lines(out)] == [row["prompt"] for row in rows]
    for changed in (["--k", "2"], ["--k", "3", "sample.temperature=0.5"], ["--k", "3", "reward=ExactMatch"]):
        refused = run("sample", "-c", file, "-o", str(out), *changed)
        assert refused.exit_code == 2
        assert "was begun by" in refused.stderr
    groups = forks.run("adapters.cli", "groups", out)
    assert groups.returncode == 0, groups.stderr
    assert "64" in groups.stdout


def test_a_model_is_measured(tmp_path: Path) -> None:
    """Greedy, pass@k and majority@k; the figures agree with the completions."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, evaluation={"holdout": 16, "at": []},
                     sample={"max_tokens": 6}))  # fmt: skip
    out = tmp_path / "eval.json"
    done = run("eval", "-c", file, "--k", "4", "-o", str(out))
    assert done.exit_code == 0, done.output
    found = json.loads(out.read_text())
    assert found["greedy"]["n"] == 16
    sampled = found["sampled"]
    assert list(sampled) == ["pass@1", "pass@2", "pass@4", "majority@4"]
    assert sampled["pass@1"] <= sampled["pass@2"] <= sampled["pass@4"]
    # What a run has left is measured, unless something else is asked for.
    assert run("grpo", "-c", file, "trainer.max_steps=1").exit_code == 0
    done = run("eval", "-c", file, "-o", str(out))
    assert json.loads(out.read_text())["model"] == str(tmp_path / "out" / "model")
    nothing = run("eval", "-c", str(write(tmp_path / "none.yaml")))
    assert nothing.exit_code == 2


def test_a_stage_whose_pipeline_has_not_run_says_what_to_run(tmp_path: Path) -> None:
    """Its model, or its held-out rows, are still to be written; and a model that rates is no model that writes."""
    stages = [{"kind": "sft", "trainer": {"max_steps": 1}}, {"kind": "rm"}, {"kind": "grpo"}]
    file = str(write(tmp_path / "run.yaml", stages=stages, evaluation={"holdout": 4}))
    for stage, missing in (("sft", "heldout.jsonl"), ("grpo", "1-sft/model")):
        with pytest.raises(ConfigError, match=rf"out/{missing} is not there yet; run"):
            read_stage(file, [], stage)
    with pytest.raises(ConfigError, match=r"--stage rm: its model only rates texts"):
        read_stage(file, [], "rm")
    (tmp_path / "out" / "3-grpo" / "model").mkdir(parents=True)
    (tmp_path / "out" / "heldout.jsonl").touch()
    assert read_stage(file, [], "grpo", left=True).model.name == str(tmp_path / "out" / "3-grpo" / "model")
    assert read_stage(file, [], "grpo", "other", left=True).model.name == "other"
