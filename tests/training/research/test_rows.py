"""Between the methods and the world: what a model is asked, what a judge sees, what a file holds."""

from __future__ import annotations

import dataclasses
import functools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rewards import LengthTarget, Pay, Rank, Reward
from tests.training.runs import lines
from training.data import Row
from training.generation import Generated, GenerationError, Prompt, Sampling
from training.research import Attempt, Plan, Start
from training.research.model_generator import Writer, first_step, rendering, revision_prompt
from training.research.reward_judge import RewardJudge, blind, check_sighted, score_range
from training.research.search_methods import Method
from training.research.search_rows import Task, search_rows, summary
from verifiers import ConfigError, EquationChain, ExactMatch, Keywords, MathEquivalence, TagFormat
from verifiers.process.steps import Steps


class Letters:
    """A backend that writes words by the seed, and remembers what it was asked."""

    def __init__(self, tokens: int | None = None) -> None:
        self.asked: list[tuple[Prompt, int]] = []
        self.tokens = tokens

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """One completion each, whatever `k` says."""
        rng = random.Random(sampling.seed)
        for prompt in prompts:
            self.asked.append((prompt, sampling.max_tokens))
            words = [rng.choice(["1", "2", "so.", "\n"]) for _ in range(rng.randint(1, sampling.max_tokens))]
            count = len(words) if self.tokens is None else self.tokens
            yield [Generated(" ".join(words), count, rng.random() < 0.5)]


def writer(backend: Any) -> Writer:
    """A writer that renders messages as their last content, and counts words."""
    return Writer(
        backend,
        Sampling(),
        Steps(),
        lambda prompt: prompt if isinstance(prompt, str) else f"<{prompt[-1]['content']}>",
        lambda text: len(text.split()),
        "Again.",
    )


def task(method: Method, reward: Reward | None = None, backend: Any = None, **changes: Any) -> Task:
    """Small searches, scored without a reference, paid with it."""
    made = Task(plan=Plan(method, n=3, width=2, branch=2, depth=3, iterations=4, step_tokens=5),
                writer=writer(backend or Letters()), most=12, seed=5,
                judge=functools.partial(RewardJudge, Pay(Keywords(("1",)))),
                seen=functools.partial(blind, columns=(), oracle=False), voter=None,
                reward=reward or Pay(ExactMatch()), name="a search")  # fmt: skip
    return dataclasses.replace(made, **changes)


ROWS: list[Row] = [{"prompt": f"{at}+1=?", "answer": str(at + 1), "gold": at + 1} for at in range(6)]
METHODS: list[Method] = ["best_of_n", "weighted_vote", "majority", "revise", "beam", "mcts"]


@pytest.mark.parametrize("method", METHODS)
def test_a_killed_search_continues_with_the_same_bytes(method: Method, tmp_path: Path) -> None:
    """Wherever it was torn: rows that are whole are kept, the others are searched again."""
    path = tmp_path / "found.jsonl"
    search_rows(task(method), ROWS, path)
    whole = path.read_bytes()
    assert {line["search"]["row"] for line in lines(path)} == set(range(6))
    for share in (0, 1, 40, 57, 80, 99):
        path.write_bytes(whole[: len(whole) * share // 100])
        backend = Letters()
        search_rows(task(method, backend=backend), ROWS, path)
        assert path.read_bytes() == whole
        assert any(prompt != "0+1=?" for prompt, _ in backend.asked)
    backend = Letters()
    search_rows(task(method, backend=backend), ROWS, path)
    assert (path.read_bytes(), backend.asked) == (whole, [])


@pytest.mark.parametrize("method", METHODS)
def test_what_is_searched_does_not_depend_on_the_reference(method: Method, tmp_path: Path) -> None:
    """Other references, other payments; the same candidates, scores and choice."""
    found = []
    for answer in ("1", "nothing"):
        path = tmp_path / answer
        search_rows(task(method), [{**row, "answer": answer, "gold": answer} for row in ROWS], path)
        keys = ("completion", "search", "chosen", "finished", "completion_tokens")
        found.append([{key: line[key] for key in keys} for line in lines(path)])
    assert found[0] == found[1]


def test_another_search_or_other_prompts_are_refused(tmp_path: Path) -> None:
    """Rather than mixed into one file."""
    path = tmp_path / "found.jsonl"
    search_rows(task("best_of_n"), ROWS, path)
    with pytest.raises(ConfigError, match="was begun by"):
        search_rows(task("best_of_n", name="another"), ROWS, path)
    with pytest.raises(ConfigError, match="holds other prompts"):
        search_rows(task("best_of_n"), ROWS[1:], path)
    path.write_text('{"prompt": "0+1=?"}\n')
    with pytest.raises(ConfigError, match="was begun by"):
        search_rows(task("best_of_n"), ROWS, path)


def test_a_summary_counts_what_was_chosen(tmp_path: Path) -> None:
    """By the reward that pays, which saw the reference; tokens are those of all candidates."""
    path = tmp_path / "found.jsonl"
    search_rows(task("best_of_n", Pay(Keywords(("1",)))), ROWS, path)
    found = summary(path, "Keywords")
    # What scored and what pays are one here, so the choice is as good as the best.
    assert found["accuracy"] == found["best_candidate"]
    assert (found["rows"], found["chosen"]) == (6, 6)
    assert found["tokens"] == sum(line["completion_tokens"] for line in lines(path)) / 6


def test_a_server_that_ignores_its_limit_ends_the_search(tmp_path: Path) -> None:
    """With a sentence, and nothing written."""
    path = tmp_path / "found.jsonl"
    with pytest.raises(GenerationError, match="does the server heed max_tokens"):
        search_rows(task("best_of_n", backend=Letters(tokens=99)), ROWS, path)
    assert path.read_bytes() == b""


def test_a_row_shows_its_prompt_alone() -> None:
    """By what is let through, not by what is held back: a reference hides under any name."""
    row = {"prompt": "2+2?", "task": "sum", "answer": "4", "gold": 4, "tests": ["f() == 4"], "level": 1}
    assert blind(row, [], oracle=False) == {"prompt": "2+2?", "task": "sum"}
    assert blind(row, ["level"], oracle=False) == {"prompt": "2+2?", "task": "sum", "level": 1}
    assert blind(row, [], oracle=True) == row


@pytest.mark.parametrize(
    ("reward", "columns", "says"),
    [
        (Pay(MathEquivalence()), [], "MathEquivalence needs the reference.*--by.*--oracle"),
        (Pay(TagFormat()) + 0.5 * Pay(ExactMatch()), [], "ExactMatch needs the reference"),
        (Pay(TagFormat()), ["answer"], "'answer' holds the reference"),
        (Pay(TagFormat()), ["solution"], "'solution' holds the reference"),
        (Pay(TagFormat()), ["gold"], "'gold' holds the reference"),
        (Pay(TagFormat()) + Rank(Pay(TagFormat())), [], "compares completions"),
        (LengthTarget(0, 10) + Pay(TagFormat()), [], "clip: {low: 0, high: 1}"),
    ],
)
def test_a_judge_that_needs_a_reference_is_refused_at_the_start(
    reward: Reward, columns: list[str], says: str
) -> None:
    """With the cure."""
    with pytest.raises(ConfigError, match=says):
        check_sighted(reward, columns, ROWS, oracle=False)


def test_an_oracle_and_a_blind_judge_are_taken() -> None:
    """The one by its word, the other because it needs nothing."""
    check_sighted(Pay(MathEquivalence()), ["gold"], ROWS, oracle=True)
    check_sighted(Pay(EquationChain()), ["prompt"], ROWS, oracle=False)


def test_a_score_is_the_share_of_what_can_be_paid() -> None:
    """Penalties and gates, too; a fault or an unscored row is no score."""
    tags, words = Pay(TagFormat(("a",))), Pay(Keywords(("1",)))
    assert score_range(tags + 0.5 * words) == (0.0, 1.5)
    assert score_range(tags - 0.5 * words) == (-0.5, 1.0)
    assert score_range(tags.when(words, otherwise=-1.0)) == (-1.0, 1.0)
    assert score_range(1 - words.named("w")) == (0.0, 1.0)
    assert score_range(LengthTarget(0, 10).clip(low=-1, high=0)) == (-1.0, 0.0)
    assert score_range((3 * tags).clip(high=2)) == (0.0, 2.0)
    judge = RewardJudge(tags + 0.5 * words, {"prompt": "2+2?"})
    scores = [each.score for each in judge.judge([Attempt(text, 1, True) for text in ("<a>1</a>", "1", "x")])]
    assert scores == [1.0, pytest.approx(1 / 3), 0.0]
    blind_judge = RewardJudge(Pay(MathEquivalence()), {"prompt": "2+2?", "answer": ""})
    [judged] = blind_judge.judge([Attempt("4", 1, True)])
    assert judged.score is None


def test_a_model_is_told_what_was_wrong_and_never_what_was_expected() -> None:
    """The first wrong step, not the answer."""
    chain = RewardJudge(Pay(EquationChain(pays="no_errors")), {"prompt": "8, 7?"})
    [judged] = chain.judge([Attempt("8+7=16.", 1, True)])
    assert (judged.score, judged.said) == (0.0, "EquationChain: false_step in '8+7=16'")
    oracle = RewardJudge(Pay(ExactMatch()), {"prompt": "?", "answer": "815"})
    [judged] = oracle.judge([Attempt("16", 1, True)])
    assert "815" not in judged.said


def test_prompts_of_beginnings_are_text_and_whole_ones_as_they_were() -> None:
    """A revision is a further turn."""
    chat = [{"role": "user", "content": "2+2?"}]
    backend = Letters()
    generator = writer(backend).of(chat)
    generator.extend([Start()], most=5, step=False, seed=0)
    generator.extend([Start("So ", 1)], most=5, step=False, seed=0)
    generator.extend([Start()], most=5, step=True, seed=0)
    generator.extend([Start(before=("5", "no"))], most=5, step=False, seed=0)
    assert [prompt for prompt, _ in backend.asked[:3]] == [chat, "<2+2?>So ", "<2+2?>"]
    assert (
        backend.asked[3][0]
        == revision_prompt(chat, "5", "no", "Again.")
        == [
            *chat,
            {"role": "assistant", "content": "5"},
            {"role": "user", "content": "no\nAgain."},
        ]
    )


@pytest.mark.parametrize("by", ["marks", "sentences", "lines", "paragraphs"])
def test_steps_put_together_are_the_text(by: Any) -> None:
    """Cut one by one, they lose nothing but spaces between them, and never stand still."""
    text = "Step 1: 8+7=15. Fine.\nStep 2: 40+20=60.\n\n1단계: 15+60=75\n  끝. Done. So 75"
    prefix = ""
    rest = text
    while rest:
        step = first_step(Steps(by), prefix, rest)
        assert step.strip()
        prefix, rest = prefix + step, rest[len(step) :]
    assert prefix == text


def test_tokens_of_what_is_cut_off_are_spent() -> None:
    """A step is as long as its text, and costs what was generated for it; what a server does not count is."""

    class One:
        def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
            yield [Generated("8+7=15. So it is", self.tokens, True)]

        tokens = 6

    backend = One()
    [step] = writer(backend).of("?").extend([Start()], most=9, step=True, seed=0)
    assert (step.text, step.tokens, step.length, step.ended) == ("8+7=15.", 6, 1, False)
    backend.tokens = 0
    [whole] = writer(backend).of("?").extend([Start()], most=9, step=False, seed=0)
    assert (whole.tokens, whole.length, whole.ended) == (4, 4, True)


def test_a_template_does_not_put_the_first_mark_twice() -> None:
    """Encoding puts one before plain text; where it does not, the template's stays."""

    class Tokenizer:
        bos_token, bos_token_id = "<s>", 1

        def __init__(self, adds: bool) -> None:
            self.adds = adds

        def apply_chat_template(self, messages: Any, **options: Any) -> str:
            return "<s>" + json.dumps(messages) + ("+" if options["add_generation_prompt"] else "")

        def __call__(self, text: str) -> dict[str, list[int]]:
            return {"input_ids": [1, 7] if self.adds else [7]}

    chat = [{"role": "user", "content": "a"}]
    assert rendering(Tokenizer(True), {})(chat) == json.dumps(chat) + "+"
    assert rendering(Tokenizer(False), {})(chat) == "<s>" + json.dumps(chat) + "+"
    assert rendering(Tokenizer(True), {})("a") == "a"
