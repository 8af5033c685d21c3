"""Where rows come from, and how they become prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import config, jsonl
from training.config import Data, Model
from training.data import completion_of, hold_out, load_rows
from training.models.model_loading import load_tokenizer
from training.models.model_places import locate
from training.run.run_inputs import prepare
from training.run.sampled_rows import json_line
from training.stages.policy_stage import policy_arguments
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]

ROWS = [{"question": f"{number}+1?", "answer": number + 1, "id": number} for number in range(5)]


def test_jsonl_and_parquet_give_the_same_rows(tmp_path: Path) -> None:
    """A file, a folder, a pattern."""
    import pyarrow
    import pyarrow.parquet

    jsonl(tmp_path / "rows.jsonl", ROWS)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    found = [
        load_rows(Data(source=str(tmp_path / f"rows.{suffix}")), chat=False)
        for suffix in ("jsonl", "parquet")
    ]
    assert found[0] == found[1] == [{**row, "prompt": row["question"]} for row in ROWS]
    assert len(load_rows(Data(source=str(tmp_path)), chat=False)) == 10
    assert len(load_rows(Data(source=f"{tmp_path}/*.jsonl", limit=3), chat=False)) == 3
    assert len(load_rows([Data(source=str(tmp_path / "rows.jsonl"), limit=2)] * 2, chat=False)) == 4


def test_rows_keep_what_differs_between_them(tmp_path: Path) -> None:
    """Numbers next to texts, and mappings with other keys: an Arrow table would refuse or fill them."""
    rows = [
        {"question": "?", "answer": 1},
        {"question": "?", "answer": {"stdio": []}},
        {"question": "?", "answer": "x"},
    ]
    found = load_rows(Data(source=jsonl(tmp_path / "mixed.jsonl", rows)), chat=False)
    assert [row["answer"] for row in found] == [1, {"stdio": []}, "x"]


def test_reasoning_gym_rows_are_right_by_its_own_measure() -> None:
    """Questions with answers and entries; the run's seed counts."""
    from verifiers import ReasoningGym

    rows = load_rows(Data(source="reasoning_gym:gcd", options={"size": 4}), chat=False, seed=5)
    assert len(rows) == 4
    assert rows != load_rows(Data(source="reasoning_gym:gcd", options={"size": 4}), chat=False, seed=6)
    for row in rows:
        assert ReasoningGym().verify(f"<answer>{row['answer']}</answer>", row["entry"]).score == 1.0
    with pytest.raises(ConfigError, match="reasoning_gym has no task 'gcdd'; did you mean 'gcd'"):
        load_rows(Data(source="reasoning_gym:gcdd"), chat=False)
    with pytest.raises(ConfigError, match=r"data.options: reasoning_gym:gcd: .*sizes"):
        load_rows(Data(source="reasoning_gym:gcd", options={"sizes": 4}), chat=False)


def test_prompts_are_made_of_columns() -> None:
    """System prompt, examples, templates, renamed columns; as messages or as text."""
    rows: dict[str, Any] = {
        "source": "tests.training.test_data:given",
        "columns": {"answer": "gold"},
        "tag": "sums",
    }
    chat = Data(
        **rows, system="Be brief.", examples=[{"user": "1+1?", "assistant": "2"}], template="Q: {question}"
    )  # type: ignore[list-item]
    [row] = load_rows(chat, chat=True)
    assert row["prompt"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "1+1?"},
        {"role": "assistant", "content": "2"},
        {"role": "user", "content": "Q: 2+2?"},
    ]
    assert (row["answer"], row["gold"], row["task"]) == ("4", "4", "sums")
    [row] = load_rows(chat.model_copy(update={"format": "text"}), chat=True)
    assert row["prompt"] == "Be brief.\n\n1+1?2\n\nQ: 2+2?"
    [row] = load_rows(Data(source="tests.training.test_data:given"), chat=False)
    assert row["prompt"] == "2+2?"


def given() -> list[dict[str, Any]]:
    """A source of one row."""
    return [{"question": "2+2?", "gold": "4", "why": "{} it is"}]


def test_rows_with_long_prompts_are_left_out(tmp_path: Path) -> None:
    """As the notes' max_prompt_length asks, with a count, and none is cut off; all of them is a mistake."""
    rows = [{"question": "word " * number + "?", "answer": "1"} for number in (1, 2, 40, 50)]
    own = {"data": {"source": jsonl(tmp_path / "rows.jsonl", rows), "format": "text"}}
    short = config(tmp_path, **own, trainer={"max_prompt_length": 20})
    found = prepare(short, needs_reward=True)
    assert [row["question"] for row in found.train] == [row["question"] for row in rows[:2]]
    assert found.told() == (
        "2 rows to train on, 0 held out; 2 more have prompts beyond trainer.max_prompt_length"
    )
    assert policy_arguments("grpo", short).output_dir == f"{short.output_dir}/trainer"
    for most, said in ((1, "all 4 prompts are longer, the shortest has"), (0, "from 1 on, got 0")):
        with pytest.raises(ConfigError, match=said):
            prepare(config(tmp_path, **own, trainer={"max_prompt_length": most}), needs_reward=True)


def test_completions_are_a_column_or_a_template() -> None:
    """Braces in the data stay as they are."""
    row = given()[0]
    data = Data(source="x", completion="<think>{why}</think>{{{gold}}}")
    assert completion_of(row, data) == "<think>{} it is</think>{4}"
    with pytest.raises(ConfigError, match=r"no column 'completion'.*data.completion"):
        completion_of(row, Data(source="x"))


def test_held_out_prompts_are_not_trained_on() -> None:
    """Equal prompts are on one side; the seed decides which."""
    rows = [{"prompt": f"{number % 20}", "id": number} for number in range(60)]
    kept, held = hold_out(rows, 5, seed=1)
    assert len(held) == 5
    assert len(kept) == 45
    assert not {row["prompt"] for row in kept} & {row["prompt"] for row in held}
    assert hold_out(rows, 5, seed=1)[1] == held
    assert hold_out(rows, 5, seed=2)[1] != held
    with pytest.raises(ConfigError, match="20 prompts cannot be held out of 20"):
        hold_out(rows, 20, seed=1)


def test_models_are_located(tmp_path: Path) -> None:
    """Functions, folders, names on the hub."""
    model = Model(name="training.arithmetic:model", options={"hidden": 16, "layers": 1})
    place = locate(model, tmp_path)
    assert place == str(tmp_path / "initial-model")
    assert locate(Model(name=place), tmp_path) == place
    assert locate(Model(name="Qwen/Qwen2.5-0.5B"), tmp_path) == "Qwen/Qwen2.5-0.5B"


def test_channels_are_read_where_special_tokens_are(tmp_path: Path) -> None:
    """gpt-oss: the analysis is thinking, also where it is cut off, and the final channel the answer."""
    from tokenizers import AddedToken

    from training.models.model_loading import reader
    from verifiers import MathEquivalence

    place = locate(Model(name="training.arithmetic:model", options={"hidden": 16, "layers": 1}), tmp_path)
    tokenizer = load_tokenizer(Model(name=place), place)
    marks = ("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>")
    tokenizer.add_tokens(
        [AddedToken(mark, special=True, normalized=False) for mark in marks], special_tokens=True
    )
    tokenizer.add_tokens(["analysis", "final", "assistant"])
    whole = (
        "<|channel|>analysis<|message|>1+2=3<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>"
    )
    cut_off = "<|channel|>analysis<|message|>so it is 4"
    judge = MathEquivalence()
    read = reader(Model(name=place, special_tokens=True), tokenizer)
    assert read is not None
    for text, right in ((whole, 1.0), (cut_off, 0.0)):
        ids = tokenizer(text)["input_ids"]
        assert judge.verify(read([*ids, tokenizer.eos_token_id]), "4").score == right
    # Without them the number of a thought would be the answer.
    assert (
        judge.verify(tokenizer.decode(tokenizer(cut_off)["input_ids"], skip_special_tokens=True), "4").score
        == 1.0
    )
    assert reader(Model(name=place), tokenizer) is None


def test_a_column_can_be_named_of_rows_that_are_taken_as_they_are(tmp_path: Path) -> None:
    """Their prompt too; a name that no row has is said, in rows that are rated as well."""
    from training.research.rated_rows import pair_rows

    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"messages": "1+1=?", "good": "2", "bad": "3"}) + "\n")
    data = Data(source=str(file), format="as_is", columns={"prompt": "messages"})
    assert [row["prompt"] for row in load_rows(data, chat=False)] == ["1+1=?"]
    with pytest.raises(
        ConfigError, match=r"as_is needs a column 'prompt'.*columns, such as \{prompt: messages\}"
    ):
        load_rows(Data(source=str(file), format="as_is"), chat=False)
    names = {"prompt": "messages", "chosen": "good", "rejected": "bad"}
    assert [pair.chosen for pair in pair_rows(Data(source=str(file), columns=names), "response", 0)] == ["2"]
    with pytest.raises(ConfigError, match=r"data.columns: .* no column 'goood'; did you mean 'good'"):
        pair_rows(Data(source=str(file), columns={**names, "chosen": "goood"}), "response", 0)


@pytest.mark.parametrize(
    "form", [{"system": "Add."}, {"examples": [{"user": "1+1=?\n", "assistant": "2"}], "system": "Add."}]
)
def test_what_stands_before_a_text_prompt_makes_it_no_other_question(
    tmp_path: Path, form: dict[str, Any]
) -> None:
    """A stage that shows examples has the pipeline's held-out questions, too: they would be learned."""
    plain = {"source": "training.arithmetic:problems", "options": {"train": 64, "held": 8}, "format": "text"}
    for train, held in (
        ({**plain, **form}, plain),
        (plain, {**plain, **form}),
        ({**plain, **form}, {**plain, "system": "!"}),
    ):
        run = config(tmp_path, data=train, evaluation={"data": {**held, "limit": 24}, "at": []})
        assert len(prepare(run.model_copy(update={"data": Data(**train)}), needs_reward=True).train) == 40
    shown = prepare(config(tmp_path, data={**plain, **form}), needs_reward=True).train
    kept = tmp_path / "selected.jsonl"
    kept.write_text("".join(json_line(row) for row in shown))
    again = {"data": Data(source=str(kept), format="as_is")}
    run = config(tmp_path, evaluation={"data": {**plain, "limit": 24}, "at": []}).model_copy(update=again)
    assert len(prepare(run, needs_reward=True).train) == 40
