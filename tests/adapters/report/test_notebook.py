"""What notebooks show, and data frames: hostile text stays text, columns are kept."""

from __future__ import annotations

import html
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.report import load_scored, to_pandas
from rewards import Pay
from rewards.tree.payment import Payment
from tests.adapters.report.made_rows import HOSTILE, hostile_rows, made_rows, write
from verifiers import (
    ConfigError,
    ExactMatch,
    MathEquivalence,
    MissingDependencyError,
    Status,
    TagFormat,
    Verdict,
)  # fmt: skip
from verifiers.core.verdicts import MOST, table_html, text_html

ALLOWED = {"table", "thead", "tbody", "tr", "th", "td", "small", "pre", "p"}


class Tags(HTMLParser):
    """The tags of a text, and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def harmless(text: str) -> bool:
    """Whether nothing in it is markup of somebody else's, or hidden."""
    found = Tags(text)
    hidden = re.search("[\u202a-\u202e\u2066-\u2069\u200b\x00-\x08\x1b\ud800-\udfff]", text)
    return found.tags <= ALLOWED and found.attributes <= {"style"} and hidden is None


def hostile_verdict(text: str, depth: int = 0) -> Verdict:
    """A verdict with a text in every field that takes one."""
    parts = (hostile_verdict(text, depth + 1),) if depth < 2 else ()
    return Verdict(verifier=text or "x", status=Status.SCORED, score=0.0, reason="not_equal", detail=text,
                   extracted=text, expected=text, parts=parts, span=(0, len(text)))  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_stay_texts(text: str) -> None:
    verdict = hostile_verdict(text)
    shown = verdict._repr_html_()
    assert harmless(shown)
    assert html.escape(text[:4]) in shown or "[U+" in shown
    payment = Payment(text, 0.0, (Payment("leaf", 0.0, verdict=verdict, note=text, logged=True),), note=text)
    assert harmless(payment._repr_html_())


@given(st.text(max_size=200) | st.text(st.characters(exclude_categories=[]), max_size=50))
def test_any_text_is_shown_whole_and_harmless(text: str) -> None:
    shown = text_html(text)
    assert harmless(table_html([text], [[text]]))
    back = html.unescape(
        re.sub(r"<small>\[U\+([0-9A-F]+)\]</small>", lambda each: chr(int(each[1], 16)), shown)
    )
    assert back == html.unescape(html.escape(text))


def test_long_texts_are_cut() -> None:
    assert len(text_html("<" * 10**6)) < 5 * MOST
    assert text_html("<" * 10**6).endswith("(1,000,000 characters)")


def test_verdicts_and_payments_of_a_batch_as_data_frames() -> None:
    """A row for each; what is not there is None, and not the end."""
    answers = ["42", "41", "the answer is x"]
    frame = to_pandas(MathEquivalence().verify_batch(answers, ["42"] * 3))
    assert list(frame["score"]) == [1.0, 0.0, 0.0]
    assert {"verifier", "status", "reason", "extracted", "expected", "span", "seconds"} <= set(frame.columns)
    reward = Pay(ExactMatch()).named("accuracy") + 0.5 * Pay(TagFormat(("a",))).named("format")
    paid = [reward.explain(answer, answer="42") for answer in answers]
    frame = to_pandas(paid)
    assert list(frame["reward"]) == [each.value for each in paid]
    assert list(frame["part.accuracy"]) == [1.0, 0.0, 0.0]
    assert frame["reason.format"][0]
    assert len(to_pandas([])) == 0


def test_a_scored_file(tmp_path: Path) -> None:
    """Its rows, its data frame, and a table in which hostile rows are text."""
    rows = list(made_rows(40))
    rows[0]["part.accuracy"] = "mine"
    scored = load_scored(str(write(tmp_path / "scored.jsonl", rows)))
    assert list(scored) == json.loads(json.dumps(rows))
    frame = scored.to_pandas()
    assert (len(frame), frame["input.part.accuracy"][0]) == (40, "mine")
    assert list(frame["part.format"]) == [row["reward_parts"]["format"] for row in rows]
    assert list(frame["reason.accuracy"]) == [row["verdicts"][0]["reason"] for row in rows]
    assert "40 rows" in scored._repr_html_()
    hostile = load_scored(write(tmp_path / "<script>.jsonl", hostile_rows()))
    assert harmless(hostile._repr_html_())
    assert len(hostile.to_pandas()) == len(HOSTILE)


def test_what_is_no_scored_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"completion": "x"}\n')
    with pytest.raises(ConfigError, match=r"rows.jsonl:1: is not a scored row"):
        load_scored(path).to_pandas()
    with pytest.raises(ConfigError, match="no such file"):
        load_scored(tmp_path / "none.jsonl")
    with pytest.raises(ConfigError, match="which files"):
        load_scored()


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match="pandas is not installed"):
        to_pandas([])
