"""The model's reply in a text that begins with its prompt: its own words, all of them, and never the prompt's."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hosts.host import RECIPE_VARIABLE, recipe_asked, reward_of
from adapters.hosts.replies import labelled, reply_after, without_tokens
from rewards import load_recipe
from verifiers import ConfigError

TEXT = st.text(max_size=40)
PROMPT = st.text(alphabet=st.sampled_from("가각 \n\tae\u0301\u11a8?."), max_size=30)


@given(PROMPT, TEXT, st.sampled_from(["NFC", None]), st.booleans())
def test_a_decoded_prompt_may_differ_in_white_space_and_composition(
    prompt: str, reply: str, form: Any, squeezed: bool
) -> None:
    """Tokenizers normalise what they encode and tidy what they decode; the reply begins after it all the same."""
    decoded = normalize(form, prompt) if form else prompt
    if squeezed:
        decoded = " ".join(decoded.split())
    # A mark of the reply that composes with the prompt's last letter belongs to both.
    if not decoded.split() or normalize("NFC", decoded + reply) != normalize("NFC", decoded) + normalize(
        "NFC", reply
    ):
        return
    found = reply_after(decoded + reply, prompt)
    assert found is not None
    assert found.split() == without_tokens(reply).split()


@given(TEXT, TEXT)
def test_a_cut_prompt_is_no_prompt(prompt: str, reply: str) -> None:
    """Where its first letter is missing, nothing is taken for a reply that may be the prompt's own example."""
    words = prompt.split()
    if not words or len(set("".join(words))) == 1:
        return
    first = "".join(words)[0]
    cut = prompt.lstrip()[1:]
    if (cut + reply).lstrip().startswith((first, normalize("NFC", first)[0])):
        return
    found = reply_after("\x00" + cut + reply, prompt)
    assert found is None or prompt.startswith("\x00")


@pytest.mark.parametrize(
    ("query", "prompt", "reply"),
    [
        ("Hello, world? 4", "Hello , world ? ", "4"),
        ("<|begin_of_text|>Q\n4<|eot_id|>", "Q \n", "4"),
        (normalize("NFC", "더하면? 사"), normalize("NFD", "더하면? "), "사"),
        ("Q 4", "Question", None),
        ("uestion 4", "Question", None),
        ("", "Q", None),
        ("4", "", "4"),
        ("x", " ", None),
    ],
)
def test_replies(query: str, prompt: str, reply: str | None) -> None:
    """As tokenizers with a normaliser, and those that clean spaces up, write them."""
    found = reply_after(query, prompt)
    assert (None if found is None else found.strip()) == reply


def test_labels_are_columns_or_the_reference() -> None:
    """An object is columns where the reward reads several, and has them all."""
    both = {"answer": "4", "unit": "m", "completion": "mine"}
    assert labelled(["answer", "unit"], both) == {"answer": "4", "unit": "m"}
    assert labelled(["answer", "unit"], {"answer": "4"}) == {"answer": {"answer": "4"}}
    assert labelled(["answer"], both) == {"answer": both}
    assert (labelled(["gold"], "4"), labelled([], None)) == ({"answer": "4", "gold": "4"}, {"answer": None})


def test_a_recipe_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RECIPE_VARIABLE, raising=False)
    with pytest.raises(ConfigError, match=RECIPE_VARIABLE):
        recipe_asked("slime")
    monkeypatch.setenv(RECIPE_VARIABLE, " gsm8k_tags ")
    reward = reward_of(recipe_asked("slime"))
    assert reward.describe() == load_recipe("gsm8k_tags").describe()
    assert reward_of(reward) is reward
