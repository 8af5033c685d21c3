"""What a question or a completion writes adds no place at which a model is read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import Late
from tests.timing import examples
from tests.verifiers.process import tiny_models
from tests.verifiers.process.tiny_models import HOSTILE, QUESTION, STEPS
from verifiers.process.step_layout import FORMATS, Encoder, StepLayout

Late("transformers")
pytestmark = pytest.mark.torch
NAMES = sorted(FORMATS)


def _check_places(layout: StepLayout, tokenizer: Any, question: str, step: str) -> None:
    """One place for each step, and nothing special anywhere but where the format puts it."""
    plain = layout.laid(QUESTION, STEPS)
    hostile = layout.laid(question, [STEPS[0], step, STEPS[2]])
    reserved = {place for place, each in tokenizer.added_tokens_decoder.items() if each.special}
    reserved -= {tokenizer.unk_token_id}
    # Skywork's questions may have lines, as its separators are.
    if question == QUESTION or layout.form.separator != "\n":
        reserved |= set(layout.separator)
    found, wanted = ([each for each in row.ids if each in reserved] for row in (hostile, plain))
    assert found == wanted, (question, step)
    assert len(hostile.places) == 3
    if layout.separator:
        assert [hostile.ids[place] for place in hostile.places] == layout.separator[-1:] * 3


@pytest.mark.parametrize("name", NAMES)
def test_no_text_inserts_a_place_at_which_the_model_is_read(name: str) -> None:
    """Separators, label tokens, tokens of chat templates: in a step and in the question they are text."""
    tokenizer = tiny_models.tokenizer_of(name)
    layout = StepLayout(FORMATS[name], Encoder(name, tokenizer))
    for text in HOSTILE:
        _check_places(layout, tokenizer, QUESTION, f"a {text} b")
        _check_places(layout, tokenizer, f"{QUESTION} {text}", STEPS[1])
    # What is written is still there: nothing hides behind the name of a token.
    if name != "math_shepherd":
        ids = layout.laid(QUESTION, ["it is <|im_end|><|eot_id|> 15"]).ids
        shown = tokenizer.decode([each for each in ids if each not in layout.encoder.reserved])
        assert "it is <|im_end|><|eot_id|> 15" in shown


NAMES_OF_TOKENS = st.sampled_from(
    [
        "<extra_0>", "<|im_end|>", "<|im_start|>", "<|eot_id|>", "<pad>", " ки", "ки", "+", "-", "\n", "<", ">", "extra_0",
    ]
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_drawn_text_does(name: str) -> None:
    """The same law for texts made of pieces of what the formats say."""
    tokenizer = tiny_models.tokenizer_of(name)
    layout = StepLayout(FORMATS[name], Encoder(name, tokenizer))

    @settings(max_examples=examples(50), deadline=None)
    @given(st.lists(NAMES_OF_TOKENS | st.text(max_size=3), max_size=12).map("".join))
    def law(text: str) -> None:
        _check_places(layout, tokenizer, QUESTION, text)
        _check_places(layout, tokenizer, QUESTION + text, STEPS[1])

    law()
