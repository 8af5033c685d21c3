"""Every verifier, extractor and reader takes time linear in the text, whatever the text repeats.

The texts are those of `benchmarks.linear_time`: a head that nearly matches, then pieces over and over. `make test`
judges a sample of them, `make soak` all of them.
"""

from __future__ import annotations

import random
from itertools import islice

import pytest

from benchmarks.linear_time import LIMITS, Judge, judges, seconds, texts, written
from tests.timing import SOAK, slowness, timed
from verifiers import MultipleChoice

TEXTS = 780 if SOAK else 10
"""Texts for each judge: of each piece by itself and of mixtures, in an order of the judge's own."""
SHORT, LONG = 2_000, 30_000
MOST = 6.0
"""What fifteen times the text may cost, over fifteen."""
WORTH = 0.1
"""Processor seconds under which a long text is fast enough, however it grew."""
MEGABYTE = 1_000_000
MOST_FOR_A_MEGABYTE = 6.0


def drawn(name: str) -> list[tuple[str, str, str]]:
    """The texts of a judge."""
    dice = random.Random(name)
    every = list(islice(texts(random.Random(0)), 780))
    return every if SOAK else dice.sample(every, TEXTS)


@pytest.mark.parametrize("name", judges())
def test_a_long_text_costs_as_much_more_as_it_is_longer(name: str) -> None:
    judge = judges()[name]
    judge("The answer is 42.")
    for text in drawn(name):
        long = seconds(judge, text, LONG, WORTH)
        if long > WORTH:
            assert long < LIMITS[LONG] * slowness(), text
            assert long < MOST * LONG / SHORT * max(seconds(judge, text, SHORT, 0), 0.001), text


@pytest.mark.parametrize("name", judges())
def test_a_short_text_costs_little(name: str) -> None:
    judge = judges()[name]
    judge("The answer is 42.")
    for text in drawn(name):
        assert seconds(judge, text, 600) < LIMITS[600] * slowness(), text


@pytest.mark.parametrize("name", judges())
def test_a_megabyte_is_judged(name: str) -> None:
    judge: Judge = judges()[name]
    text = drawn(name)[0]
    assert seconds(judge, text, MEGABYTE, 10) < MOST_FOR_A_MEGABYTE * slowness(), text


@pytest.mark.parametrize(
    "text",
    [
        "B" + "\n" * 1_500, "B" + "\n" * 8_000, "B\n" + "$\n" * 4_000, "B" + "\n \n" * 3_000 + "Osmosis",
        "①\n" + "\n\\)$}" * 4_000 + "ㅏ\nᅡ", "③" + " 이 " * 3_000, "so, " * 8_000 + "B",
    ],
)  # fmt: skip
def test_a_label_and_what_is_left_blank(text: str) -> None:
    choice = MultipleChoice()
    choice.verify("B", "B")
    _, taken = timed(choice.verify, text, "B")
    assert taken < 0.2 * slowness()


def test_what_is_repeated_is_as_long_as_asked_for() -> None:
    for text in islice(texts(random.Random(1)), 200):
        assert len(written(text, SHORT)) == SHORT + len(text[2])
