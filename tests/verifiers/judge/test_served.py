"""A served judge's verdicts: what is the completion's doing is 0.0, what is the service's leaves the row open."""

from __future__ import annotations

import asyncio
import json
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.timing import HANG
from verifiers import ConfigError, Judge, Status, from_spec
from verifiers.judge import opinions as judging
from verifiers.runtime import server_link

from .gullible import Answer, Gullible, said

GOOD = json.dumps({"reason": "Right.", "score": 4})


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_link, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(judging, "_memory", judging._Memory())
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def _completion(body: dict[str, Any]) -> str:
    [line] = [each for each in body["messages"][-1]["content"].splitlines() if each.startswith("{")]
    return str(json.loads(line)["completion"])


def _about(text: str, answer: Answer, other: str = GOOD) -> Callable[[dict[str, Any]], Answer]:
    """A server that answers so where the completion holds a text, and else with a verdict."""
    return lambda body: answer if text in _completion(body) else (200, said(other))


def _judge(server: Gullible, **options: Any) -> Judge:
    return Judge(url=server.url, model="m", **{"retries": 1, "timeout": 5.0, **options})


class TestVerdicts:
    """What the model says."""

    @pytest.mark.parametrize(
        ("text", "score", "detail"),
        [
            (GOOD, 0.75, "Right."),
            ('{"reason": "Bad.", "score": 1}', 0.0, "Bad."),
            ('{"reason": "Best.", "score": 5.0}', 1.0, "Best."),
            ('```json\n{"reason": "Fenced.", "score": 3}\n```', 0.5, "Fenced."),
            ('<think>{"score": 5}</think>{"reason": "After thinking.", "score": 2}', 0.25, "After thinking."),
            ('First {"reason": "no", "score": 5}, then {"reason": "Last.", "score": 2}', 0.25, "Last."),
            ('{"reason": "It says {\\"score\\": 5}.", "score": 2}', 0.25, 'It says {"score": 5}.'),
        ],
    )  # fmt: skip
    def test_the_last_whole_verdict_counts(self, text: str, score: float, detail: str) -> None:
        """With its reason kept, and the number itself in `raw`."""
        with Gullible(lambda body: (200, said(text))) as server:
            verdict = _judge(server).verify("An essay.")
        assert (verdict.score, verdict.reason, verdict.detail) == (score, "judged", detail)
        assert verdict.raw == 1 + 4 * score

    @pytest.mark.parametrize(
        "text",
        [
            "", "5", "Score: 5", '{"score": 5}', '{"reason": "", "score": 5}', '{"reason": "x", "score": 6}',
            '{"reason": "x", "score": 0}', '{"reason": "x", "score": 4.5}', '{"reason": "x", "score": "5"}',
            '{"reason": "x", "score": true}', '{"reason": "x", "score": NaN}', '{"reason": "x", "score": 1e999}',
            '{"reason": "x", "score": 1, "score": 5}', '{"reason": "x", "score": 5} or {"reason": "y", "score": 50}',
            '<think>{"reason": "x", "score": 5}', '{"reason": "x", "score": ' + "[" * 10_000, "{" * 30_000,
        ],
    )  # fmt: skip
    def test_another_form_is_no_verdict(self, text: str) -> None:
        """Neither 0 nor a guess: the service says so of a plain completion, too."""
        with Gullible(lambda body: (200, said(text))) as server:
            verdict = _judge(server).verify("An essay.")
        assert (verdict.status, verdict.reason) == (Status.UNSCORED, "no_form")

    def test_what_is_asked(self) -> None:
        """The form by a schema, reason first; a temperature of 0; question and reference as data."""
        with Gullible() as server:
            _judge(server, scale=(0, 10), rubric="Be {kind}.").verify("6*7=42", "42", prompt="6*7?")
        [body] = server.bodies
        schema = body["response_format"]["json_schema"]["schema"]
        assert list(schema["properties"]) == ["reason", "score"] == schema["required"]
        assert schema["properties"]["score"]["enum"] == list(range(11))
        assert (body["temperature"], body["model"], body["max_tokens"]) == (0.0, "m", 512)
        assert "Be {kind}." in body["messages"][0]["content"]
        assert (
            '{"prompt": "6*7?", "reference": "42", "completion": "6*7=42"}' in body["messages"][1]["content"]
        )

    def test_thinking_is_judged_where_it_is_asked_for(self) -> None:
        """As R1 judges helpfulness by the answer and harm by everything."""
        text = "<think>secret</think>An answer."
        with Gullible(lambda body: (200, said(GOOD))) as server:
            _judge(server).verify(text)
            _judge(server, of="completion").verify(text)
        assert [_completion(each) for each in server.bodies] == [
            "An answer.",
            "<think>secret</think>An answer.",
        ]

    def test_the_identity_is_what_is_judged_by(self, tmp_path: Path) -> None:
        """A rubric's file counts by what it holds; the key is nowhere."""
        file = tmp_path / "constitution.yaml"
        file.write_text("principles:\n- Be kind.\n- {name: honesty, text: Do not lie.}\n", encoding="utf-8")
        judge = Judge(url="http://127.0.0.1:1/v1", model="m", rubric=str(file))
        assert judge.rubric_text() == "1. Be kind.\n2. Do not lie."
        same = Judge(url="http://127.0.0.1:1/v1", model="m", rubric=str(file))
        assert judge == same
        assert judge.identity() == same.identity()
        file.write_text("- Be brief.\n", encoding="utf-8")
        other = Judge(url="http://127.0.0.1:1/v1", model="m", rubric=str(file))
        assert judge.identity() != other.identity()
        assert judge.identity() == same.identity(), "it was taken when the rubric was read"
        travelled = pickle.loads(pickle.dumps(judge))
        assert travelled.rubric_text() == judge.rubric_text()
        assert from_spec(other.to_spec()) == other

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"url": "127.0.0.1"}, "url must be the base"),
            ({"url": "http://user:word@host/v1"}, "no user and no password"),
            ({"model": ""}, "model must be a name"),
            ({"scale": (5, 1)}, "scale must be"),
            ({"rubric": "no_such_file.yaml"}, "cannot be read"),
            ({"rubric": "  "}, "is empty"),
            ({"function": "tests.verifiers.judges:long_enough"}, "two judges"),
            ({"samples": 0}, "samples"),
        ],
    )
    def test_what_cannot_be_asked_is_refused_at_once(self, options: dict[str, Any], says: str) -> None:
        """Before a row is judged."""
        with pytest.raises(ConfigError, match=says):
            Judge(**{"url": "http://127.0.0.1:1/v1", "model": "m", **options})


class TestBlame:
    """Why there is no verdict."""

    @pytest.mark.parametrize(
        "answer",
        [
            (500, {"error": "broken"}),
            (429, {"error": {"message": "slow down"}}),
            (200, {"choices": []}),
            (200, {"choices": [{"message": {"content": 3}}]}),
            (200, said(GOOD, finish="abort")),
        ],
    )
    def test_a_service_that_fails_says_nothing_of_the_answer(self, answer: Answer) -> None:
        """Also where it fails for this completion alone: what passes is not its doing."""
        with Gullible(_about("essay", answer)) as server:
            bad, good = _judge(server).verify_batch(["An essay.", "A poem."])
        assert (bad.status, bad.reason, good.score) == (Status.UNSCORED, "service_failed", 0.75)

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_a_service_that_refuses_the_judge(self, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """The key is sent and never told, not even where the service repeats it."""
        monkeypatch.setenv("OWN_KEY", "sk-secret")
        with Gullible(lambda body: (status, {"error": "no access for sk-secret"})) as server:
            judge = _judge(server, key_variable="OWN_KEY")
            verdict = judge.verify("An essay.")
        assert (verdict.status, verdict.reason) == (Status.UNSCORED, "service_refused")
        assert server.headers[0]["Authorization"] == "Bearer sk-secret"
        assert "sk-secret" not in f"{verdict!r}{judge!r}{judge.identity()}{judge.to_spec()}"

    @pytest.mark.parametrize(
        "answer",
        [
            (200, said("BANANA")),
            (200, said('{"reason": "I was told to give 99.", "score": 99}')),
            (200, said('{"reason": "on and on', finish="length")),
            (200, said("", refusal="I cannot judge this.")),
            (400, {"error": {"message": "this model's maximum context length is 8 tokens"}}),
            (413, {"error": "too large"}),
        ],
        ids=["words", "range", "length", "declined", "context", "size"],
    )
    def test_a_completion_that_breaks_the_form_is_wrong(self, answer: Answer) -> None:
        """A plain one is judged, so it is this one's doing; None would be a way out for a policy."""
        with Gullible(_about("essay", answer)) as server:
            bad, good = _judge(server).verify_batch(["An essay.", "A poem."])
        assert (bad.score, bad.reason, good.score) == (0.0, "broke_form", 0.75)
        with Gullible(lambda body: answer) as server:
            verdict = _judge(server).verify("An essay.")
        assert (verdict.status, verdict.reason) == (Status.UNSCORED, "no_form"), "the service always does so"

    def test_a_form_that_fails_now_and_then_is_nobodys_doing(self) -> None:
        """As many replies about the plain completion have to have the form as failed here."""
        count = iter(range(100))
        with Gullible(lambda body: (200, said("hm" if next(count) in (0, 1, 3) else GOOD))) as server:
            verdict = _judge(server).verify("An essay.")
        assert (verdict.status, verdict.reason, len(server.bodies)) == (Status.UNSCORED, "no_form", 4)

    def test_a_second_try_has_another_seed(self) -> None:
        """The first would be repeated."""
        count = iter(range(100))
        with Gullible(lambda body: (200, said("hm" if next(count) == 0 else GOOD))) as server:
            assert _judge(server).verify("An essay.").score == 0.75
        assert len({each["seed"] for each in server.bodies}) == 2

    def test_what_is_too_long_or_says_nothing_costs_no_call(self) -> None:
        """And is the completion's doing."""
        with Gullible() as server:
            judge = _judge(server, max_chars=100)
            long, nothing, open_, opener = judge.verify_batch(["x" * 101, " \u200b", "<think>hm", "풀이:"])
            right = judge.verify(".", ".", prompt="What ends a sentence?")
        found = [(each.score, each.reason) for each in (long, nothing, open_, opener)]
        assert found == [(0.0, "too_long"), (0.0, "no_answer"), (0.0, "no_answer"), (0.0, "only_opens")]
        assert right.reason == "judged", "what equals the reference is an answer"
        assert len(server.bodies) == 1

    def test_a_server_that_is_down_costs_one_row_of_patience(self) -> None:
        """The others are tried once each."""
        with Gullible(lambda body: (503, {})) as server:
            verdicts = _judge(server, retries=3, concurrency=1).verify_batch([f"Text {n}." for n in range(6)])
        assert {each.reason for each in verdicts} == {"service_failed"}
        assert len(server.bodies) == 4 + 5

    def test_a_row_has_a_deadline(self) -> None:
        """Whatever the service orders."""
        hold = threading.Event()
        with Gullible(lambda body: (hold.wait(HANG), (200, said(GOOD)))[1]) as server:
            verdict = _judge(server, deadline=0.2).verify("An essay.")
            hold.set()
        assert verdict.reason == "service_failed"
        assert "deadline" in verdict.detail

    @pytest.mark.parametrize("word", ["response_format", "seed", "System role not supported"])
    def test_what_a_server_does_not_know_is_left_out(self, word: str) -> None:
        """And the form is checked all the same."""

        def answer(body: dict[str, Any]) -> Answer:
            known = (
                "system" not in {each["role"] for each in body["messages"]}
                if "ystem" in word
                else word not in body
            )
            return (200, said(GOOD)) if known else (400, {"error": {"message": f"{word}: unknown"}})

        with Gullible(answer) as server:
            verdicts = _judge(server, concurrency=1).verify_batch(["An essay.", "A poem."])
        assert [each.score for each in verdicts] == [0.75, 0.75]
        assert len(server.bodies) == 3


class TestSamples:
    """Several replies about one completion."""

    @pytest.mark.parametrize(
        ("vote", "scores", "least", "expected"),
        [
            ("median", [5, 4, 1], 0.5, 4), ("median", [1, 5, 1], 0.5, 1), ("median", [1, 5], 0.5, None),
            ("median", [5, 4, 1], 0.9, None), ("median", [3, 0, 0], 0.5, None), ("median", [3, 4, 0], 0.5, 3.5),
            ("majority", [5, 4, 5], 0.5, 5), ("majority", [5, 4, 3], 0.5, None), ("majority", [5, 5, 1, 1], 0.5, None),
            ("majority", [2, 2, 2], 1.0, 2),
        ],
    )  # fmt: skip
    def test_enough_have_to_agree(
        self, vote: Any, scores: list[int], least: float, expected: float | None
    ) -> None:
        """A sample without the form (0 here) agrees with nobody."""
        by_seed = iter(range(100))

        def answer(body: dict[str, Any]) -> Answer:
            score = scores[body["seed"] % 1_000_003]
            return 200, said(json.dumps({"reason": f"r{next(by_seed)}", "score": score}))

        with Gullible(answer) as server:
            judge = _judge(server, samples=len(scores), vote=vote, agreement=least)
            verdict = judge.verify("An essay.")
        assert all(each["temperature"] == 0.7 for each in server.bodies)
        if expected is None:
            assert (verdict.status, verdict.reason) == (Status.UNSCORED, "no_agreement")
            assert f"of {len(scores)} agree" in verdict.detail
        else:
            assert (verdict.raw, verdict.score) == (expected, (expected - 1) / 4)


class TestBatches:
    """Many rows."""

    def test_order_is_kept_and_equal_rows_are_asked_once(self) -> None:
        """And what was judged is remembered, by all that a verdict depends on."""
        texts = [f"Text {n}: {'good' if n % 3 else 'bad'}" for n in range(12)]
        with Gullible(_about("bad", (200, said('{"reason": "no", "score": 1}')))) as server:
            judge = _judge(server)
            verdicts = judge.verify_batch([*texts, *texts])
            assert [each.score for each in verdicts] == [0.75 if n % 3 else 0.0 for n in range(12)] * 2
            assert len(server.bodies) == 12
            assert judge.verify_batch(texts) == verdicts[:12]
            assert len(server.bodies) == 12
            _judge(server, rubric="Another one.").verify(texts[0])
            judge.verify(texts[0], prompt="With a question")
        assert len(server.bodies) == 14

    def test_failures_are_not_remembered(self) -> None:
        """An outage ends."""
        fails = [True]
        with Gullible(lambda body: (500, {}) if fails[0] else (200, said(GOOD))) as server:
            judge = _judge(server)
            assert judge.verify("An essay.").status is Status.UNSCORED
            fails[0] = False
            assert judge.verify("An essay.").score == 0.75

    def test_so_many_at_a_time(self) -> None:
        """As the judge is told, and no more."""
        lock, now, most = threading.Lock(), [0], [0]
        both = threading.Barrier(3, timeout=HANG)

        def answer(body: dict[str, Any]) -> Answer:
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            both.wait()
            with lock:
                now[0] -= 1
            return 200, said(GOOD)

        with Gullible(answer) as server:
            _judge(server, concurrency=3).verify_batch([f"Text {n}." for n in range(9)])
        assert most == [3]

    def test_from_threads_and_event_loops(self) -> None:
        """Each call has a loop of its own."""
        with Gullible(lambda body: (200, said(GOOD))) as server:
            judge = _judge(server)

            async def inside() -> float | None:
                return judge.verify("In a loop.").score

            assert asyncio.run(inside()) == 0.75
            with ThreadPoolExecutor(4) as threads:
                found = list(threads.map(lambda n: judge.verify(f"Thread {n}.").score, range(8)))
        assert found == [0.75] * 8
