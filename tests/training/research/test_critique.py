"""A model that criticises and rewrites: the order of the talk, resuming, the judge's say, and the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.verifiers.judge.gullible import Gullible, said
from training.generation import Generated, Prompt, Sampling
from training.research import critique_rows as module
from training.research.critique_rows import (
    CritiquePlan,
    critique_rows,
    drawn,
    read_constitution,
    training_rows,
)
from verifiers import ConfigError, Judge

CHAT = [{"prompt": [{"role": "user", "content": f"Question {n}?"}]} for n in range(5)]


class Parrot:
    """Answers rudely, finds that rude when asked, and rewrites politely. It may break after so many prompts."""

    def __init__(self, breaks_after: int = 10**6) -> None:
        self.seen: list[Prompt] = []
        self.left = breaks_after

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        assert sampling.k == 1
        for prompt in prompts:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            self.seen.append(prompt)
            last = prompt if isinstance(prompt, str) else prompt[-1]["content"]
            asked = last.rpartition("Request: ")[2] if isinstance(prompt, str) else last
            text = "It is rude." if "fall short" in asked else "Please." if "Rewrite" in asked else "Go away!"
            yield [Generated(text=text, tokens=2, finished=True)]


def _plan(folder: Path, text: str = "- Be polite.\n- Be brief.\n", **options: Any) -> CritiquePlan:
    file = folder / "constitution.yaml"
    file.write_text(text, encoding="utf-8")
    settings = {"rounds": 1, "sampling": Sampling(max_tokens=8), **options}
    return CritiquePlan(read_constitution(str(file)), **settings)


def test_an_answer_is_criticised_and_rewritten(tmp_path: Path) -> None:
    """In one conversation: answer, request, critique, request, revision."""
    backend = Parrot()
    lines = critique_rows(backend, CHAT[:1], _plan(tmp_path, rounds=2), tmp_path / "c.jsonl")
    [line] = lines
    assert line["answers"] == ["Go away!", "Please.", "Please."]
    assert line["critiques"] == ["It is rude.", "It is rude."]
    last = backend.seen[-1]
    assert [each["role"] for each in last] == ["user", *["assistant", "user"] * 4]
    assert [each["content"] for each in last[1::2]] == ["Go away!", "It is rude.", "Please.", "It is rude."]
    learned, pairs = training_rows(lines)
    assistant = [{"role": "assistant", "content": "Please."}]
    assert learned == [{"prompt": CHAT[0]["prompt"], "completion": assistant}]
    assert (pairs[0]["chosen"], pairs[0]["rejected"][0]["content"]) == (assistant, "Go away!")


def test_plain_prompts_give_plain_rows(tmp_path: Path) -> None:
    """For models without a chat template."""
    lines = critique_rows(Parrot(), [{"prompt": "Q?"}], _plan(tmp_path), tmp_path / "c.jsonl")
    assert training_rows(lines) == (
        [{"prompt": "Q?", "completion": "Please."}],
        [{"prompt": "Q?", "chosen": "Please.", "rejected": "Go away!", "margin": 1.0}],
    )


def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it was, torn line or not; with another plan it refuses."""
    monkeypatch.setattr(module, "WINDOW", 2)
    plan, path = _plan(tmp_path), tmp_path / "c.jsonl"
    whole = critique_rows(Parrot(), CHAT, plan, tmp_path / "whole.jsonl")
    with pytest.raises(KeyboardInterrupt):
        critique_rows(Parrot(breaks_after=9), CHAT, plan, path)
    assert len(path.read_text().splitlines()) == 2
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"torn')
    backend = Parrot()
    assert critique_rows(backend, CHAT, plan, path) == whole
    assert len(backend.seen) == 9
    assert path.read_text() == (tmp_path / "whole.jsonl").read_text()
    with pytest.raises(ConfigError, match="other rows, principles or settings"):
        critique_rows(Parrot(), CHAT, _plan(tmp_path, rounds=2), path)


@pytest.mark.parametrize(("wanted", "kept"), [("Please.", "revision"), ("Go away!", "first"), ("", "tie")])
def test_a_judge_decides(tmp_path: Path, wanted: str, kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both orders; what it finds worse is not imitated, and a tie is no pair."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        [line] = [each for each in body["messages"][-1]["content"].splitlines() if each.startswith('{"')]
        better = "first" if not wanted or json.loads(line)["first"] == wanted else "second"
        return 200, said(json.dumps({"reason": "r", "better": better}))

    with Gullible(answer) as server:
        judge = Judge(url=server.url, model="m")
        lines = critique_rows(Parrot(), CHAT[:2], _plan(tmp_path, judge=judge), tmp_path / "c.jsonl")
    assert {line["better"] for line in lines} == {kept}
    learned, pairs = training_rows(lines)
    assert len(learned) == (2 if kept == "revision" else 0)
    assert [pair["chosen"][0]["content"] for pair in pairs] == ([] if kept == "tie" else [wanted] * 2)


def test_principles_are_drawn_without_repetition(tmp_path: Path) -> None:
    """Another one each round, the same in every run, and not the same for every row."""
    principles = _plan(tmp_path, "".join(f"- Rule {n}.\n" for n in range(6))).principles
    assert len(set(drawn(principles, 0, 0, 6))) == 6
    assert drawn(principles, 0, 3, 4) == drawn(principles, 0, 3, 4)
    assert len({drawn(principles, 0, row, 1)[0] for row in range(30)}) > 3
    assert len(drawn(principles, 0, 0, 9)) == 9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must hold a list"),
        ("principles: Be kind.", "must hold a list"),
        ("- 3\n", "principle 1 must be a text"),
        ("- {critique: Is it wrong}\n", "principle 1 must be a text"),
        ("- [\n", "cannot be read"),
    ],
)
def test_what_is_no_constitution_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """With the number of the principle."""
    with pytest.raises(ConfigError, match=says):
        _plan(tmp_path, text)


def test_the_papers_form_is_read(tmp_path: Path) -> None:
    """Principles with requests of their own."""
    [principle] = _plan(
        tmp_path, "principles:\n- {critique: 'Harmful?', revision: 'Make it harmless.'}\n"
    ).principles
    assert (principle.critique, principle.revision) == ("Harmful?", "Make it harmless.")


def test_another_model_does_not_go_on_where_one_stopped(tmp_path: Path) -> None:
    """Half of the answers would be another's."""
    path = tmp_path / "c.jsonl"
    critique_rows(Parrot(), CHAT[:2], _plan(tmp_path, model="one"), path)
    with pytest.raises(ConfigError, match="or by another model"):
        critique_rows(Parrot(), CHAT[:2], _plan(tmp_path, model="other"), path)
