"""Step rewards on the tokens of their steps."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rewards import Batch
from rewards.advantages import process
from tests.training.runs import config, logged_by, same_weights
from tests.training.test_mistakes import STEPS
from training.chains import model
from training.run.run_inputs import reward_of
from training.stages import train_policy
from training.stages.step_rewards import NO_STEP, placed, steps_of_tokens, token_ends

TEXTS = (
    "17+5=22\n22-8=14\n14*2=28\n",
    "Step 1: 8+7=15.\n\nStep 2: 15*2=30. So 30.",
    "48을 2로 나누면 24이다.\n24에 3을 더하면 27이다. 🙂 그래서 27",
    "", " ", "\n\n", "é e\u0301 🏳️‍🌈 ",
)  # fmt: skip


def byte_level() -> Any:
    """A tokenizer of bytes, some of them merged across characters and steps."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    inner.train_from_iterator(
        TEXTS[:3],
        trainers.BpeTrainer(
            vocab_size=300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
            special_tokens=["<eos>", "<pad>"],
        ),
    )  # fmt: skip
    return PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<eos>", pad_token="<pad>")


def metaspace() -> Any:
    """A tokenizer whose first word loses its space when decoded."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    signs = dict.fromkeys("".join(TEXTS).replace(" ", "▁") + "▁")
    words = ["<eos>", "<unk>", "▁So", "▁Step", "=2", ".\n", *signs]
    inner = Tokenizer(
        models.BPE(
            {word: at for at, word in enumerate(dict.fromkeys(words))}, [], unk_token="<unk>", fuse_unk=False
        )
    )
    inner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    inner.decoder = decoders.Metaspace(prepend_scheme="first")
    return PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<eos>", unk_token="<unk>")


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Tokenizers of three kinds."""
    from transformers import AutoTokenizer

    folder = tmp_path_factory.mktemp("chains")
    model(folder, hidden=16, layers=1)
    return {
        "words": AutoTokenizer.from_pretrained(folder),
        "bytes": byte_level(),
        "metaspace": metaspace(),
    }


@pytest.mark.parametrize("kind", ["words", "bytes", "metaspace"])
def test_places_of_tokens_are_places_of_the_text(kind: str, tokenizers: dict[str, Any]) -> None:
    """Law: whatever tokens a model writes, what they have written until each is the text until its place.

    Tokens as the tokenizer would choose them, tokens drawn at random (halves of characters, special tokens
    within), and mixtures.
    """
    tokenizer, rng = tokenizers[kind], random.Random(3)

    def decode(ids: Any) -> str:
        return str(tokenizer.decode(list(ids), skip_special_tokens=True))

    placed_at_all = 0
    for number in range(150):
        ids = list(tokenizer(TEXTS[number % len(TEXTS)], add_special_tokens=False)["input_ids"])
        if number % 3 == 1:
            ids = [rng.randrange(len(tokenizer)) for _ in range(rng.randrange(12))]
        if number % 3 == 2:
            at = rng.randrange(len(ids) + 1)
            ids = ids[:at] + [rng.randrange(len(tokenizer)) for _ in range(3)] + ids[at:]
        ids += [tokenizer.eos_token_id] * (number % 2)
        text = decode(ids)
        ends = token_ends(tokenizer, ids, text, decode)
        if ends is None:
            continue
        placed_at_all += 1
        assert len(ends) == len(ids)
        assert ends == sorted(ends)
        assert (ends or [0])[-1] == len(text)
        for at, end in enumerate(ends):
            assert decode(ids[: at + 1]).startswith(text[:end]), (ids, at)
        cuts = sorted(rng.sample(range(len(text) + 1), min(4, len(text) + 1)))
        spans = [(one, other) for one, other in pairwise(cuts) if one < other]
        steps = steps_of_tokens(ends, spans)
        # One step at most for each token, in order; with a step's last token its end is written, not before.
        told = [each for each in steps if each != NO_STEP]
        assert told == sorted(told)
        assert steps == told + [NO_STEP] * (len(steps) - len(told))
        for step in set(told):
            last = max(at for at, each in enumerate(steps) if each == step)
            assert ends[last] >= spans[step][1]
            assert not last or ends[last - 1] < spans[step][1]
    assert placed_at_all > 120


def test_by_hand(tokenizers: dict[str, Any]) -> None:
    """Three completions of a question: their steps, tokens and advantages, worked out with pen and paper."""
    tokenizer = tokenizers["words"]
    question = "17 pens. 5 come, 8 go, 2 times. How many?\n"
    right = "<THINK>17+5=22\n22-8=14\n14*2=28\n</THINK><SOLUTION>28</SOLUTION>"
    wrong = "<THINK>17+5=22\n22-8=24\n24*2=48\n</THINK><SOLUTION>48</SOLUTION>"
    silent = "<THINK></THINK><SOLUTION>28</SOLUTION>"
    reward = reward_of("EquationChain")
    batch = Batch([right, wrong, silent], {"prompts": [question] * 3}, group_size=3)

    def decode(ids: Any) -> str:
        return str(tokenizer.decode(list(ids), skip_special_tokens=True))

    found = []
    for payment, text in zip(batch.pay(reward), (right, wrong, silent), strict=True):
        ids = [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]
        found.append(placed(tokenizer, decode, payment, text, ids))
    first, second, third = found
    assert third is None
    assert first is not None
    assert first[0] == [1.0, 1.0, 1.0, None]
    # <THINK>17+5=22, a newline and 22-8=14, the same again; the answer is a step, <eos> is none.
    assert first[1] == [0] * 8 + [1] * 8 + [2] * 8 + [3] * 6 + [NO_STEP]
    assert second is not None
    assert second[0] == [1.0, 0.0, None, None]
    # Five rewards of which one is 0: mean 0.8, standard deviation 0.4; normalised 0.5 and -2.
    exact: dict[str, Any] = {"ddof": 0, "epsilon": 0.0}
    everything = process([first[0], second[0], []], 3, **exact)
    assert everything[0] == pytest.approx([1.5, 1.0, 0.5, 0.0])
    assert everything[1] == pytest.approx([-1.5, -2.0, 0.0, 0.0])
    errors = process([first[0], second[0], []], 3, cap=0.0, **exact)
    assert errors[0] == pytest.approx([0.0] * 4)
    assert errors[1] == pytest.approx([-2.0, -2.0, 0.0, 0.0])


def test_with_the_cap_more_right_steps_earn_nothing() -> None:
    """Law: right steps that are added to a completion raise no token's advantage; without a cap they do."""
    rng = random.Random(5)
    raised = 0
    for _ in range(200):
        group: list[list[float | None]] = [
            [float(rng.random() < 0.6) for _ in range(rng.randrange(1, 5))] for _ in range(4)
        ]
        longer = [[*group[0], *[1.0] * rng.randrange(1, 9)], *group[1:]]
        for cap in (0.0, None):
            before, after = process(group, 4, cap=cap)[0], process(longer, 4, cap=cap)[0]
            gains = [new - old for old, new in zip(before, after, strict=False)]
            if cap is None:
                raised += max(gains) > 0.1
            else:
                assert max(gains) < 0.02
                assert max(after) <= 0.0
    assert raised > 50


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model after plain GRPO."""
    folder = tmp_path_factory.mktemp("plain")
    train_policy("grpo", config(folder))
    return folder / "model"


@pytest.mark.parametrize(
    ("steps", "unjudged"),
    [
        ({**STEPS, "weight": 0.0}, 0.0),
        # What nothing judges is left with the outcome's advantage, and counted.
        ({"by": {"FunctionVerifier": "tests.training.step_marks:none"}, "weight": 3.0}, 1.0),
    ],
)
def test_without_weight_or_steps_it_is_plain_grpo(
    without: Path, tmp_path: Path, steps: dict[str, Any], unjudged: float
) -> None:
    """Equal to the bit."""
    train_policy("grpo", config(tmp_path, steps=steps))
    assert same_weights(without, tmp_path / "model")
    history = logged_by(tmp_path)
    assert sum(row["steps/unjudged"] for row in history) / len(history) == pytest.approx(unjudged, abs=0.3)


def test_with_a_weight_the_steps_count(without: Path, tmp_path: Path) -> None:
    """Other weights come of it, also with dynamic sampling in the same trainer."""
    dynamic = {"outcome": "digits", "rounds": 1}
    train_policy("grpo", config(tmp_path, steps=STEPS, dynamic_sampling=dynamic))
    assert not same_weights(without, tmp_path / "model")
    history = logged_by(tmp_path)
    assert all(row["steps/count"] > 0 for row in history)
    assert all("dynamic/informative" in row for row in history)
