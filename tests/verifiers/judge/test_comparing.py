"""Pairs in both orders and ranks of lists: a place is never what is preferred."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewards.select import preferences
from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import write
from verifiers import ConfigError, Judge
from verifiers.judge.pairwise_judge import compare, rank
from verifiers.runtime import server_link

from .gullible import Answer, Gullible, said


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_link, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _data(body: dict[str, Any]) -> dict[str, str]:
    [line] = [each for each in body["messages"][-1]["content"].splitlines() if each.startswith('{"')]
    found: dict[str, str] = json.loads(line)
    return found


def _worth(text: str) -> int:
    return text.count("good")


def _fair(body: dict[str, Any]) -> Answer:
    """Prefers what says "good" more often."""
    data = _data(body)
    if "first" in data:
        gap = _worth(data["first"]) - _worth(data["second"])
        better = "tie" if gap == 0 else "first" if gap > 0 else "second"
        return 200, said(json.dumps({"reason": "By its worth.", "better": better}))
    names = sorted((each for each in data if len(each) == 1), key=lambda name: -_worth(data[name]))
    return 200, said(json.dumps({"reason": "By their worth.", "ranking": names}))


def _by_place(body: dict[str, Any]) -> Answer:
    """Prefers whatever comes first."""
    data = _data(body)
    if "first" in data:
        return 200, said('{"reason": "It comes first.", "better": "first"}')
    names = [each for each in data if len(each) == 1]
    return 200, said(json.dumps({"reason": "In order.", "ranking": names}))


def _judge(server: Gullible, **options: Any) -> Judge:
    return Judge(url=server.url, model="m", **{"retries": 0, **options})


TEXTS = ["good", "good good good", "bad", "good good", "bad too"]


def test_a_pair_is_asked_in_both_orders() -> None:
    """And what is better is so wherever it stands."""
    with Gullible(_fair) as server:
        found = compare(_judge(server), [("good", "bad"), ("bad", "good"), ("bad", "worse")], ["Which?"] * 3)
    assert [(each.better, each.margin) for each in found] == [("first", 1.0), ("second", 1.0), ("tie", 0.0)]
    assert found[0].reason == "By its worth."
    shown = [(each["first"], each["second"]) for each in map(_data, server.bodies)]
    assert sorted(shown) == [("bad", "good"), ("bad", "worse"), ("good", "bad"), ("worse", "bad")]
    assert all(each["prompt"] == "Which?" for each in map(_data, server.bodies))


def test_a_place_is_no_preference() -> None:
    """A judge that looks at nothing else prefers nothing."""
    with Gullible(_by_place) as server:
        judge = _judge(server)
        assert [each.better for each in compare(judge, [("good", "bad")])] == ["tie"]
        assert rank(judge, TEXTS) == []
        assert preferences(judge, TEXTS) == []


def test_samples_give_a_margin() -> None:
    """The share for the better one, of both orders, less that for the other."""

    def answer(body: dict[str, Any]) -> Answer:
        data, wrong = _data(body), body["seed"] == 2
        first = (data["first"] == "good") != wrong
        return 200, said(json.dumps({"reason": "r", "better": "first" if first else "second"}))

    with Gullible(answer) as server:
        [found] = compare(_judge(server, samples=3), [("good", "bad")])
    assert (found.better, found.margin) == ("first", pytest.approx(1 / 3))


def test_what_says_nothing_loses_without_a_call() -> None:
    """And cannot win a list either."""
    with Gullible(_fair) as server:
        judge = _judge(server)
        found = compare(judge, [("bad", ":"), ("Thought process:", "bad"), ("", "<think>hm")])
        assert [each.better for each in found] == ["first", "second", "tie"]
        assert server.bodies == []
        ranked = rank(judge, ["bad", "good", "풀이:"])
    assert [each[:2] for each in ranked] == [(1, 2), (1, 0), (0, 2)]


@pytest.mark.parametrize(
    "answer",
    [
        (500, {}),
        (200, said('{"reason": "x", "better": "third"}')),
        (200, said('{"better": "first"}')),
        (200, said('{"reason": "x", "ranking": ["A", "A", "B", "C", "D"]}')),
        (200, said("first", finish="length")),
    ],
)
def test_a_judge_without_an_answer_prefers_nothing(answer: Answer) -> None:
    """Whatever the cause."""
    with Gullible(lambda body: answer) as server:
        judge = _judge(server)
        assert compare(judge, [("good", "bad")])[0].better is None
        assert rank(judge, TEXTS) == []


def test_a_list_is_ranked_as_it_stands_and_in_reverse() -> None:
    """The farthest apart first; equals, which the orders rank differently, are no pair."""
    with Gullible(_fair) as server:
        found = rank(_judge(server), TEXTS)
    assert found[0][0] == 1
    assert {found[0][1], found[1][1]} == {2, 4}
    assert not any({one, other} == {2, 4} for one, other, _ in found)
    assert len(found) == 9
    assert all(0 < margin <= 1 for *_, margin in found)
    assert len(server.bodies) == 2


@pytest.mark.parametrize("how", ["pairs", "list"])
def test_preferences_share_no_completion(how: Any) -> None:
    """The surest first."""
    with Gullible(_fair) as server:
        found = preferences(_judge(server), TEXTS, "Which?", how=how, per_prompt=9)
    places = [place for each in found for place in (each.chosen, each.rejected)]
    assert len(set(places)) == len(places) == 4
    assert all(_worth(TEXTS[each.chosen]) > _worth(TEXTS[each.rejected]) for each in found)


def test_what_cannot_compare_is_refused() -> None:
    """A function, columns of other lengths, lists of one."""
    with pytest.raises(ConfigError, match="served judge"):
        compare(Judge("tests.verifiers.judges:long_enough"), [("a", "b")])
    judge = Judge(url="http://127.0.0.1:1/v1", model="m")
    with pytest.raises(ConfigError, match="prompts has 1 rows, but there are 2"):
        compare(judge, [("a", "b")] * 2, ["p"])
    with pytest.raises(ConfigError, match="2 to 26"):
        rank(judge, ["a"])
    with pytest.raises(ConfigError, match="per_prompt"):
        preferences(judge, ["a", "b"], per_prompt=0)


@pytest.mark.parametrize(("answers", "expected"), [(_fair, 2), (_by_place, 0)])
def test_the_command_writes_pairs(
    tmp_path: Path, answers: Callable[[dict[str, Any]], Answer], expected: int
) -> None:
    """For each prompt, in the columns that trainers read."""
    rows = [{"prompt": prompt, "completion": f"{prompt}: {text}"} for prompt in ("p", "q") for text in TEXTS]
    write(tmp_path / "in.jsonl", rows)
    with Gullible(answers) as server:
        recipe = {"reward": {"Judge": {"url": server.url, "model": "m"}}}
        (tmp_path / "judge.yaml").write_text(json.dumps(recipe))
        done = cli("prefer", "in.jsonl", "-j", "judge.yaml", "-o", "out.jsonl", "--asked", 10, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{expected} pairs from 2 prompts" in done.stdout
    pairs = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(pair["prompt"], pair["chosen"], pair["margin"]) for pair in pairs] == [
        ("p", "p: good good good", 1.0),
        ("q", "q: good good good", 1.0),
    ][:expected]
    assert ("no preferences" in done.stderr) == (expected == 0)
