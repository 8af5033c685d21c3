"""The dry run: references against themselves, attacks, completions, sizes, and all of it behind the chat template."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from rewards import Pay, load_recipe, preset_names
from tests.support import first_of_each
from tests.timing import HANG
from tests.training.runs import jsonl, source, write
from training.cli import app, dry_run_report
from training.config import Model
from training.dry_run.reference_checks import Form, Opening, attacks, check_references, opening_of
from training.dry_run.reward_checks import check_attacks
from training.models.model_loading import load_tokenizer
from training.models.model_places import locate
from training.run.run_inputs import reward_of
from verifiers import ExactMatch, MultipleChoice, Rouge, TagFormat

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]

MATHS = [{"prompt": "2+2?", "answer": "4"}, {"prompt": "half?", "answer": r"\frac12"},
         {"prompt": "clips?", "answer": "She sold 48 and 24.\n#### 72"},
         {"prompt": "얼마?", "answer": "3만 5천 원"}, {"prompt": "set?", "answer": r"\{1, 2\}"}]  # fmt: skip
TESTS = {"calls": [{"function": "add", "args": [1, 2], "expected": 3}]}


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A certificate of a few calls, but where it is looked at; however long they take on a busy machine."""
    monkeypatch.setattr(dry_run_report, "CERTIFIED_SECONDS", HANG)
    if "hole" not in request.node.name:
        monkeypatch.setattr(dry_run_report, "CERTIFIED_CALLS", 200)


def run(*arguments: str) -> Any:
    """`verify-train` in this process."""
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "400"})


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"tags": ["think", "answer"]}, "<think>So it is.</think><answer>7</answer>"),
        ({"tags": ["think", "answer"], "prefilled": "think"}, "So it is.</think><answer>7</answer>"),
        ({"tags": ["think"]}, r"<think>So it is.</think> \boxed{7}"),
        ({"tags": ["think"], "prefilled": "think"}, r"So it is.</think> \boxed{7}"),
        ({"tags": ["a"], "min_after": 1}, r"<a>So it is.</a> \boxed{7}"),
        ({"tags": ["think"], "prefilled": "think", "opening": "either"}, r"<think>So it is.</think> \boxed{7}"),
    ],
)  # fmt: skip
def test_honest_completions_have_the_form_that_the_reward_reads(
    options: dict[str, Any], expected: str
) -> None:
    """As the model will write it: without what its template has written."""
    reward = Pay(TagFormat(**options))
    assert Form.of(reward).around("7") == expected
    assert reward([expected]) == [1.0]


@pytest.mark.parametrize(
    "recipe", ["gsm8k_tags", "r1_zero", "r1_think", "r1_think_answer", "multi_objective", "dapo_math"]
)
def test_usable_references_pass_themselves(recipe: str) -> None:
    """In whatever form the reward reads answers."""
    found = check_references(MATHS, load_recipe(recipe))
    assert [each.problem for each in found] == [""] * len(MATHS)
    assert all(each.tried for each in found)


@pytest.mark.parametrize(
    ("reward", "rows"),
    [
        (Pay(ExactMatch()), [{"prompt": "?", "answer": "Seoul"}, {"prompt": "?", "answer": ["서울", "Seoul"]}]),
        (Pay(MultipleChoice()), [{"prompt": "?", "answer": "C"}, {"prompt": "?", "answer": "③"}]),
        (Pay(Rouge("rouge1")), [{"prompt": "?", "answer": "the cat sat on the mat"}]),
        (load_recipe("mcq"), [{"prompt": "?", "answer": "다"}]),
        (reward_of({"KoreanAnswerTemplate": {}}), [{"prompt": "?", "answer": '"책이 있다."가 옳다. 이유는 이러하다.'}]),
        (load_recipe("code_pass_rate"),
         [{"prompt": "?", "answer": TESTS, "code": "```python\ndef add(a, b):\n    return a + b\n```"}]),
    ],
)  # fmt: skip
def test_other_kinds_of_references_pass_themselves(reward: Any, rows: list[dict[str, Any]]) -> None:
    """Texts, choices, templates, programs."""
    found = check_references(rows, reward)
    assert [(each.problem, each.tried) for each in found] == [("", True)] * len(rows)


def test_unusable_references_are_named_with_their_rows() -> None:
    """Those that cannot be read, and those that no answer would match."""
    rows = [*MATHS, {"prompt": "?", "answer": ""}, {"prompt": "?", "answer": None}]
    found = check_references(rows, load_recipe("gsm8k_tags"))
    assert [each.row for each in found if each.problem] == [5, 6]
    assert "bad_reference" in found[5].problem
    wrong = {"prompt": "?", "answer": TESTS, "code": "```python\ndef add(a, b):\n    return a - b\n```"}
    [reference] = check_references([wrong], load_recipe("code_pass_rate"))
    assert "earns 0.00" in reference.problem
    untried = {"prompt": "?", "answer": TESTS}
    [reference] = check_references([untried], load_recipe("code_pass_rate"))
    assert (reference.problem, reference.tried) == ("", False)


@pytest.mark.parametrize(
    "recipe", ["gsm8k_tags", "r1_zero", "r1_think", "r1_think_answer", "multi_objective", "dapo_math"]
)
def test_no_attack_is_taken_for_right_by_the_presets(recipe: str) -> None:
    """And what they are paid besides is less than honest work."""
    for each in check_attacks(MATHS[:2], load_recipe(recipe)):
        assert not each.passed, each
        assert each.paid < each.honest, each


def test_a_careless_reward_is_found_out() -> None:
    """One that looks for the answer anywhere is paid for thinking, lists and retractions."""
    careless = reward_of({"Regex": {"pattern": "4"}})
    found = {each.id for each in check_attacks([{"prompt": "2+2?", "answer": "4"}], careless) if each.passed}
    assert {"list", "either", "retracted", "unclosed_thinking"} & found
    form = Form.of(Pay(TagFormat(("THINK", "SOLUTION"))))
    assert form.around("7") == "<THINK>So it is.</THINK><SOLUTION>7</SOLUTION>"
    texts = {each.id: each.on(form, "2+2?", "4") for each in attacks()}
    assert texts["either"] == "<THINK>So it is.</THINK><SOLUTION>4 or 5</SOLUTION>"
    assert texts["boxes"] == r"\boxed{4} and, on second thought, \boxed{5}"
    assert texts["tower"].endswith("<SOLUTION>9^{9^{9^{9}}}</SOLUTION>")
    assert not any("{answer}" in text or "{form" in text for text in texts.values())


def test_a_reward_that_can_judge_no_answer_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is not available masks every right answer, and only those."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    row = {
        "prompt": "?",
        "answer": '"책이 있다."가 옳다. 앞말에 받침이 없으므로 조사는 이가 아니라 가를 쓴다.',
    }
    reward = reward_of({"BertScore": {"model": "no/such-model", "layer": 1}})
    [reference] = check_references([row], reward)
    assert "model_missing" in reference.problem


def test_wrong_answers_of_attacks_are_wrong() -> None:
    """A reference such as "no" is not given as the wrong one; other rows' answers are."""
    rows = [{"prompt": "?", "answer": "no"}, {"prompt": "?", "answer": "yes"}, {"prompt": "?", "answer": "x"}]
    assert not [each.id for each in check_attacks(rows, Pay(ExactMatch())) if each.passed]
    [wrong] = [each for each in attacks() if each.id == "wrong"]
    assert wrong.on(Form(), "?", "no", ["no"]) is None
    assert wrong.on(Form(), "?", "no", ["no", "yes"]) == r"\boxed{yes}"


def test_the_command_says_what_would_be_paid(tmp_path: Path) -> None:
    """References, attacks, completions of a file and of the model, sizes, memory; and exits 0."""
    some = jsonl(tmp_path / "some.jsonl", [
        {"completion": "<SOLUTION>4</SOLUTION>", "answer": "4"},
        {"completion": "so it is <SOLUTION>5</SOLUTION>", "answer": ""},
    ])  # fmt: skip
    file = write(tmp_path / "run.yaml", reward={"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}},
                 evaluation={"holdout": 4, "at": []})  # fmt: skip
    done = run("grpo", "-c", str(file), "--dry-run", "--sample", "3", "--completions", some)
    assert done.exit_code == 0, done.output
    for said in ("References (training): 60 of 60 usable", "References (held-out): 4 of 4 usable", "Attacks: ",
                 "0 accepted as right", "Certificate after ", "2 completions: mean 1.000, 1 unscored", "completions of the model",
                 "8 = 8 per device x 1 accumulated x 1 process", "longest prompt", "memory that is held throughout", "together"):  # fmt: skip
        assert said in done.output
    assert not (tmp_path / "out" / "metrics.json").exists()


def test_a_hole_of_the_reward_is_shown(tmp_path: Path) -> None:
    """The worst findings of a short certificate, each with a completion; they stop nothing."""
    (tmp_path / "holes.py").write_text(
        "def mentioned(response, reference):\n    return float(reference in response)\n"
    )
    file = write(tmp_path / "run.yaml", reward=f"{tmp_path / 'holes.py'}:mentioned")
    done = run("grpo", "-c", str(file), "--dry-run")
    assert "floor F" in done.output, done.output
    assert "alarm alternatives_paid" in done.output


def test_the_command_exits_1_on_an_unusable_reference(tmp_path: Path) -> None:
    """And names it."""
    rows = [{"question": "2+2?", "answer": "4"}, {"question": "?", "answer": "  "}]
    file = write(tmp_path / "run.yaml", reward="MathEquivalence", data=source(tmp_path, rows))
    done = run("grpo", "-c", str(file), "--dry-run")
    assert done.exit_code == 1
    assert "1 of 2 usable" in done.output
    assert "row 1:" in done.output
    assert "bad_reference" in done.output


def test_a_dry_run_of_a_stage_needs_no_stage_before_it(tmp_path: Path) -> None:
    """Its model may not be trained yet."""
    done = run("grpo", "-c", "demo_arithmetic", "--dry-run", "--rows", "20", f"output_dir={tmp_path}")
    assert done.exit_code == 0, done.output
    assert "20 of 20 usable" in done.output


def test_all_presets_have_a_form() -> None:
    """A reward whose form is not found would be attacked with boxes alone."""
    for name in preset_names():
        assert Form.of(load_recipe(name)).around("1")


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


@pytest.mark.parametrize(
    ("recipe", "name", "status", "says"), first_of_each(CASES, lambda each: str(each[1:3]))
)
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
    done = run("grpo", "-c", str(file), "--dry-run")
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
    done = run("grpo", "-c", str(file), *words)
    assert done.output.count("1 of 1 are cut off: they are longer than 8 tokens") == 2, done.output
    assert "1 of 2 solutions in the rows are longer than trainer.max_completion_length (8)" in done.output
    assert "1 of 2 prompts (the longest has" in done.output
