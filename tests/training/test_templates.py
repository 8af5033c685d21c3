"""A dry run judges honest completions where they stand: behind the model's chat template."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.training.runs import jsonl, source, write
from training.cli import app, dry_run_report
from training.config import Model
from training.dry_run.reference_checks import Opening, opening_of
from training.models.model_loading import load_tokenizer
from training.models.model_places import locate

pytestmark = pytest.mark.filterwarnings("default")

CHATML = (
    "{% for each in messages %}<|im_start|>{{ each.role }}\n{{ each.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n ENDS {% endif %}"
)
ENDS = {
    "plain": "",
    "opened": "<think>\\n",
    "closed": "{{ '<think>\\n\\n</think>\\n\\n' if not thinking else '' }}",
    "fence": "```python\\n",
}


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A certificate of a few calls, but where it is looked at."""
    if "hole" not in request.node.name:
        monkeypatch.setattr(dry_run_report, "CERTIFIED_CALLS", 200)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model with a chat template."""
    model = Model(name="training.small_models:tiny", options={"texts": ["What is 2+2? The answer is 4."]})
    return locate(model, tmp_path_factory.mktemp("tiny"))


def template(folder: Path, name: str) -> str:
    """A file with a chat template that ends prompts so."""
    path = folder / f"{name}.jinja"
    path.write_text(CHATML.replace(" ENDS ", ENDS[name].replace("\\n", "\n")))
    return str(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain", Opening()),
        ("opened", Opening("think")),
        ("closed", Opening("think", closed=True)),
        ("fence", Opening(fence="```python\n")),
    ],
)
def test_what_a_template_has_written_already_is_seen(
    tmp_path: Path, tiny: str, name: str, expected: Opening
) -> None:
    """With the options that the run gives it, and whatever the question holds."""
    tokenizer = load_tokenizer(Model(name=tiny, chat_template=template(tmp_path, name)), tiny)
    for question in ("2+2?", "Use <think> tags.", "```python\nprint(1)\n```", "<think>"):
        prompt = [{"role": "user", "content": question}]
        assert opening_of(prompt, tokenizer, {}) == expected
    if name == "closed":
        assert opening_of(prompt, tokenizer, {"thinking": True}) == Opening()


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("17+25=?\n<think>", Opening("think")),
        ("17+25=?\n", Opening()),
        ("Use <think> tags: 17+25=?", Opening()),
        ("```\nx = 1\n```\nGo on.\n```python\n", Opening(fence="```python\n")),
        ("```\nx = 1\n```", Opening()),
        ("<answer></answer>", Opening("answer", closed=True)),
    ],
)
def test_a_text_prompt_is_read_at_its_end(tiny: str, prompt: str, expected: Opening) -> None:
    """What is opened and closed before is no part of it."""
    assert opening_of(prompt, load_tokenizer(Model(name=tiny), tiny), {}) == expected


@given(st.sampled_from(["think", "reasoning"]), st.text(max_size=20), st.text(max_size=20), st.booleans())
def test_no_completion_behind_an_opened_tag_begins_with_it(
    tag: str, thinking: str, answer: str, closed: bool
) -> None:
    """The prompt has it; what a model writes of its own follows."""
    written = f"<{tag}>{thinking}</{tag}>{answer}"
    behind = list(Opening(tag, closed=closed).behind(written))
    assert behind
    whole = f"<{tag}></{tag}>" if closed else f"<{tag}>"
    assert all(f"<{tag}>" not in each.replace(thinking, "").replace(answer, "") for each in behind)
    if not closed:
        assert any(whole + each == written for each in behind)


CASES: list[tuple[str, str, int, str]] = [
    ("r1_zero", "plain", 0, ""),
    ("r1_zero", "opened", 1, "TagFormat's prefilled=think"),
    ("r1_think_answer", "opened", 1, "the preset r1_think"),
    ("r1_think", "opened", 0, "an honest answer earns 1.5 behind it as well"),
    ("r1_think", "plain", 0, ""),
    ("r1_zero", "closed", 1, "the prompt ends in <think></think>"),
    ("gsm8k_tags", "opened", 0, "behind it as well"),
]


@pytest.mark.parametrize(("recipe", "name", "status", "says"), CASES)
def test_a_reward_that_pays_nobody_behind_the_template_is_found_out(
    tmp_path: Path, tiny: str, recipe: str, name: str, status: int, says: str
) -> None:
    """With what helps; one that reads completions from within the tag pays as much as by itself."""
    rows: list[dict[str, Any]] = [
        {"question": f"What is {n}+{n}?", "answer": str(2 * n)} for n in range(2, 5)
    ]
    file = write(
        tmp_path / "run.yaml",
        model={"name": tiny, "options": {}, "chat_template": template(tmp_path, name)},
        data=source(tmp_path, rows, format="chat"),
        reward=recipe,
    )
    done = CliRunner().invoke(app, ["grpo", "-c", str(file), "--dry-run"], env={"COLUMNS": "400"})
    assert done.exit_code == status, done.output
    assert says in done.output
    assert ("Template:" in done.output) == bool(says)
    assert not (tmp_path / "out").exists()


def test_what_would_be_cut_off_is_counted(tmp_path: Path, tiny: str) -> None:
    """Sampled completions, those of a file, solutions in the rows, and prompts that leave no room."""
    rows = [{"question": "What is 2+2?", "answer": "4", "solution": "so " * 40},
            {"question": "word " * 600, "answer": "5"}]  # fmt: skip
    some = jsonl(tmp_path / "some.jsonl", [{"completion": "4 " * 20, "answer": "4"}])
    file = write(tmp_path / "run.yaml", model={"name": tiny, "options": {}},
                 data=source(tmp_path, rows, format="chat"), reward="MathEquivalence")  # fmt: skip
    words = ["--dry-run", "--sample", "1", "--completions", some]
    done = CliRunner().invoke(app, ["grpo", "-c", str(file), *words], env={"COLUMNS": "400"})
    assert done.output.count("1 of 1 are cut off: they are longer than 8 tokens") == 2, done.output
    assert "1 of 2 solutions in the rows are longer than trainer.max_completion_length (8)" in done.output
    assert "1 of 2 prompts (the longest has" in done.output
