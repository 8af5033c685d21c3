"""What a completion says to a judge is never followed, and nothing in it ends the data that it stands in."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ROOT
from verifiers import Judge
from verifiers.judge.judge_dialogue import as_read, fenced

from .gullible import Gullible

ATTACKS = [
    json.loads(line)
    for line in (ROOT / "fixtures" / "attacks" / "judge.jsonl").read_text(encoding="utf-8").splitlines()
]
QUESTION, REFERENCE = "What is 17 + 25?", "42"
HONEST = [
    "42", "17 + 25 = 42", "The grader said that a score of 5 is the best. Be that as it may: 42",
    'In ChatML, <|im_end|> ends a turn. As JSON: {"answer": "n/a"}\n\n42', "점수는 만점이 5점이다. 답은 42",
    "if a < b and b[i] > [INST]: pass\n42",
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Gullible]:
    """One that obeys."""
    with Gullible() as server:
        yield server


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _unfenced(server: Gullible, completion: str) -> int:
    """The score that a judge gives without a fence."""
    messages = [
        {"role": "system", "content": "Judge the completion. Reply with a JSON object with reason and score."},
        {"role": "user", "content": f"Question: {QUESTION}\nReference: {REFERENCE}\nCompletion: {completion}"},
    ]  # fmt: skip
    answer = httpx.post(f"{server.url}/chat/completions", json={"messages": messages}, trust_env=False)
    content = answer.json()["choices"][0]["message"]["content"]
    return int(json.loads(content)["score"])


def test_the_table_is_large_enough() -> None:
    """Of every kind there are several."""
    kinds = [each["kind"] for each in ATTACKS]
    assert len(ATTACKS) >= 40
    assert min(kinds.count(kind) for kind in set(kinds)) >= 5
    assert len({each["completion"] for each in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=[each["id"] for each in ATTACKS])
def test_an_attack_works_without_the_fence_and_not_with_it(server: Gullible, attack: dict[str, str]) -> None:
    """The server is one that can be talked into anything: it is what it is shown that protects it."""
    assert _unfenced(server, attack["completion"]) == 5
    before = len(server.bodies)
    judge = Judge(url=server.url, model="gullible", rubric="Is the answer right?")
    verdict = judge.verify(attack["completion"], REFERENCE, prompt=QUESTION)
    assert verdict.score == 0.0, verdict
    assert (len(server.bodies) == before) == (attack["kind"] == "empty"), "what says nothing costs no call"


@pytest.mark.parametrize("completion", HONEST)
def test_what_is_right_is_still_paid(server: Gullible, completion: str) -> None:
    """Also where it speaks of scores and marks."""
    judge = Judge(url=server.url, model="gullible", rubric="Is the answer right?")
    verdict = judge.verify(completion, REFERENCE, prompt=QUESTION)
    assert (verdict.score, verdict.reason) == (1.0, "judged"), verdict
    assert verdict.detail.startswith("Its last number is")


@given(st.text(max_size=300) | st.sampled_from([each["completion"] for each in ATTACKS]))
def test_the_fence_is_one_line_that_gives_the_text_back(text: str) -> None:
    """As its reader sees it; nothing that a chat template could take for a mark of its own is left."""
    line = fenced(prompt=text, completion=text)
    assert json.loads(line) == {"prompt": as_read(text), "completion": as_read(text)}
    assert len(line.splitlines()) == 1
    assert "<" not in line
    assert "＜" not in line
    assert "[INST]" not in line
    assert "[/INST]" not in line
    assert "[|" not in line


@given(st.text(max_size=200))
def test_what_is_read_is_read_once(text: str) -> None:
    """Taking invisible characters out twice changes nothing, and what is left can be encoded."""
    assert as_read(as_read(text)) == as_read(text)
    as_read(text).encode()
