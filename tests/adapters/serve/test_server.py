"""The server as a user starts it: every format, every refusal, workers that are killed, and the end."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from adapters.serve.client import Judged, RewardClient, ServerError
from rewards import Batch, load_recipe
from tests.adapters.serve.serving import START, Running, running, told
from tests.support import ROOT
from tests.timing import until

RIGHT, WRONG = "<THINK>48+27</THINK><SOLUTION>75</SOLUTION>", "<THINK>a</THINK><SOLUTION>7</SOLUTION>"
ROWS: list[dict[str, Any]] = [
    {"completion": RIGHT, "answer": "75"},
    {"completion": WRONG, "answer": "75"},
    {"completion": RIGHT, "answer": None},
    {"completion": "", "answer": "75"},
    {"completion": [{"role": "assistant", "content": RIGHT}], "answer": "75"},
    {"completion": "<SOLUTION>9^{9^{9^{9}}}</SOLUTION>", "answer": "75"},
    {"completion": "\ud800 <SOLUTION>½</SOLUTION> 반", "answer": "1/2"},
]
OWN = {"TrlFunction": "tests.adapters.serve.own_rewards:trying"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all tests of this file, with three recipes and small limits."""
    folder = tmp_path_factory.mktemp("recipes")
    groups, own = folder / "groups.json", folder / "own.json"
    groups.write_text(json.dumps({"reward": {"sum": ["ExactMatch", "DuplicatePenalty"]}}))
    own.write_text(json.dumps({"reward": OWN}))
    recipes = ["-r", "gsm8k_tags", "-r", str(groups), "-r", f"mine={own}"]
    limits = ["--workers", "2", "--max-body-mb", "1", "--max-rows", "400", "--max-queue", "600"]
    with running(*recipes, *limits) as started:
        yield started


def test_score_pays_what_the_batch_pays(server: Running) -> None:
    """In order, with the parts and verdicts that `verify-cli score` writes."""
    reward = load_recipe("gsm8k_tags")
    columns = {"answer": [row["answer"] for row in ROWS]}
    expected = Batch([row["completion"] for row in ROWS], columns).pay(reward)
    reply = server.score(ROWS)
    assert reply["rewards"] == [each.value for each in expected]
    assert [row["reward"] for row in reply["rows"]] == reply["rewards"]
    assert [row["reward_parts"] for row in reply["rows"]] == [each.values() for each in expected]
    assert [row["status"] for row in reply["rows"]] == [each.status.value for each in expected]
    assert reply["rewards"][2] is None
    assert "no_reference" in reply["rows"][2]["why"]
    assert (reply["recipe"], reply["signature"]) == ("gsm8k_tags", reward.signature())
    assert server.score([]) == {**reply, "rewards": [], "rows": []}


def test_each_format_is_answered_as_its_client_reads_it(server: Running) -> None:
    """Numbers for one row, lists for several, the same floats for each row, a mask where there is one."""
    query = {"query": [f"q{RIGHT}</s>"], "prompts": ["q"], "labels": ["75"]}
    reply = server.post("/openrlhf", query).json()
    assert (reply["rewards"], reply["scores"]) == (1.5, 1.5)
    assert all(type(value) is float for value in reply["extra_logs"].values())
    unscored = server.post("/openrlhf", {**query, "labels": [None]}).json()
    assert (unscored["rewards"], unscored["extra_logs"]["unscored"]) == (0.0, 1.0)
    assert list(unscored["extra_logs"]) == list(reply["extra_logs"])
    # With several servers OpenRLHF sends empty lists to all but the first.
    empty = server.post("/openrlhf", {"query": [], "prompts": [], "labels": []}).json()
    assert empty == {"rewards": [], "scores": [], "extra_logs": {}}
    several = server.post("/openrlhf/gsm8k_tags", {name: value * 3 for name, value in query.items()}).json()
    assert (several["rewards"], several["extra_logs"]["accuracy"]) == ([1.5] * 3, [1.0] * 3)

    sample = {"prompt": [{"role": "user", "content": "q"}], "response": f"{RIGHT}<|im_end|>", "label": "75"}
    assert server.post("/slime", sample).json() == 1.5
    assert server.post("/slime?parts=true", sample).json()["reward"] == 1.5
    assert server.post("/slime", {**sample, "label": None}).json() == 0.0

    score = {"data_source": "x", "solution_str": WRONG, "ground_truth": "75", "extra_info": {"index": 1}}
    reply = server.post("/verl", score).json()
    assert (reply["score"], reply["accuracy"], reply["unscored"]) == (0.5, 0.0, 0.0)

    output = [{"type": "message", "content": [{"type": "output_text", "text": RIGHT}]}]
    verify = {
        "responses_create_params": {"input": "q"}, "response": {"output": output}, "expected_answer": "75",
    }  # fmt: skip
    reply = server.post("/verify", verify).json()
    assert {name: reply[name] for name in verify} == verify
    assert (reply["reward"], reply["mask_sample"]) == (1.5, False)
    masked = server.post("/verify", {**verify, "expected_answer": None}).json()
    assert (masked["reward"], masked["mask_sample"]) == (0.0, True)
    assert server.post("/seed_session", {}).json() == {}


def test_the_function_for_verl_in_the_docs(server: Running) -> None:
    text = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    [source] = [block for block in text.split("```python\n") if "def compute_score" in block]
    namespace: dict[str, Any] = {}
    exec(source.partition("```")[0], namespace)
    score = namespace["compute_score"]("gsm8k", RIGHT, "75", {"index": 3}, url=server.with_token("/verl"))
    assert (score["score"], score["unscored"]) == (1.5, 0.0)
    with pytest.raises(RuntimeError, match="unknown_recipe"):
        namespace["compute_score"]("gsm8k", RIGHT, "75", url=server.with_token("/verl/none"))


def test_groups_are_those_of_one_request(server: Running) -> None:
    """Equal texts of other requests are no duplicates; formats that send rows one by one are refused."""
    group = [{"completion": "4", "answer": "4", "prompt": "2+2"}] * 3
    with ThreadPoolExecutor(4) as threads:
        replies = list(threads.map(lambda _: server.score(group, recipe="groups")["rewards"], range(4)))
    assert replies == [[0.0] * 3] * 4
    alone = [{**group[0], "prompt": str(number)} for number in range(3)]
    assert server.score(alone, recipe="groups")["rewards"] == [1.0] * 3
    assert "/score" in told(server.post("/slime/groups", {"response": "4", "label": "4"}), 422)


def test_what_cannot_be_answered_is_refused_in_one_shape(server: Running) -> None:
    """With a status, a sentence and, where it helps, the cure."""
    assert "gsm8k_tags, groups, mine" in told(server.post("/score", {"rows": [], "recipe": "x"}), 404)
    assert "gsm8k_tags" in told(server.post("/openrlhf/x", {"query": [], "prompts": [], "labels": []}), 404)
    assert "rows[1] has no 'answer'" in told(
        server.post("/score", {"rows": [ROWS[0], {"completion": ""}]}), 422
    )
    assert "rows" in told(server.post("/score", {"row": []}), 422)
    assert "400" in told(server.post("/score", {"rows": ROWS[:1] * 401}), 413)
    assert "/docs" in told(server.http.get("/nothing"), 404)
    told(server.http.get("/score"), 405)
    for body in (b'{"rows": [', b"", b"\xff\xfe", b"[" * 100_000, b"null", b'"rows"'):
        told(server.http.post("/score", content=body), 422)
    origin = {"origin": "https://elsewhere.example"}
    assert "other sites" in told(server.post("/score", {"rows": ROWS}, headers=origin), 403)
    # Clients whose default is a form are understood.
    asked = json.dumps({"rows": ROWS[:1]}).encode()
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert server.http.post("/score", content=asked, headers=form).json()["rewards"] == [1.5]


def test_a_body_of_100_mb_is_told_so(server: Running) -> None:
    """Announced, or in chunks whose sum nobody knows; and the server goes on."""
    chunk = b"x" * (1 << 20)

    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield chunk

    assert "1,048,576 bytes" in told(server.http.post("/score", content=chunk * 100), 413)
    assert "1,048,576 bytes" in told(server.http.post("/score", content=chunks()), 413)
    assert server.score(ROWS[:1])["rewards"] == [1.5]


def test_a_worker_that_is_killed_loses_no_row(server: Running, tmp_path: Path) -> None:
    """Killed from outside or by a row: rows beside it get their rewards, one that always kills is a fault."""
    folder = str(tmp_path)
    rows = [{"completion": text, "folder": folder} for text in ("a", "always y", "raise z", "ccc")]
    reply = server.score(rows, recipe="mine")
    assert reply["rewards"] == [1.0, None, None, 3.0]
    assert [row["status"] for row in reply["rows"]] == ["scored", "fault", "fault", "scored"]
    waiting = [{"completion": f"wait {number}", "folder": folder} for number in range(2)]
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(server.score, [row], recipe="mine") for row in waiting]
        until(lambda: len(list(tmp_path.glob("*.started"))) >= 2)
        killed = server.workers()
        assert len(killed) >= 2
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        for number in range(2):
            (tmp_path / str(number)).touch()
        assert [each.result(START)["rewards"] for each in asked] == [[6.0], [6.0]]
    assert server.score(ROWS[:1])["rewards"] == [1.5]


def test_a_full_queue_is_429_and_what_was_accepted_is_answered(server: Running, tmp_path: Path) -> None:
    """Clients that ask again are served."""
    folder = str(tmp_path)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(
            server.score, [{"completion": "wait 0", "folder": folder}] * 300, recipe="mine"
        )
        until(lambda: list(tmp_path.glob("*.started")))
        full = server.post("/score", {"rows": ROWS[:1] * 301})
        assert "rows wait, of at most 600" in told(full, 429)
        assert full.headers["retry-after"] == "1"
        deadline = {"x-deadline-seconds": "0.2"}
        late = {"rows": [{"completion": "wait 0", "folder": folder}], "recipe": "mine"}
        assert "in time" in told(server.post("/score", late, headers=deadline), 504)
        (tmp_path / "0").touch()
        assert first.result(START)["rewards"] == [6.0] * 300


def test_the_server_tells_of_itself(server: Running) -> None:
    """Health, counts for Prometheus, and how to ask, with examples that work."""
    assert server.http.get("/health").json()["recipes"] == ["gsm8k_tags", "groups", "mine"]
    server.score(ROWS)
    metrics = server.http.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'rows_total{recipe="gsm8k_tags",status="unscored"}' in metrics.text
    described = server.http.get("/openapi.json").json()
    asked = 0
    for path, methods in described["paths"].items():
        schema = methods.get("post", {}).get("requestBody")
        if schema is None or "{" in path:
            continue
        name = schema["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for example in described["components"]["schemas"][name]["examples"]:
            answer = server.post(path, example)
            assert answer.status_code == 200, (path, answer.text)
            asked += 1
    assert asked == 5


def test_the_client(server: Running) -> None:
    """Rewards in order; what is refused for good is told at once, with the server's words."""
    with RewardClient(server.url) as client:
        completions = [row["completion"] for row in ROWS[:4]]
        answers = [row["answer"] for row in ROWS[:4]]
        assert client.rewards(completions, answer=answers) == [1.5, 0.5, None, 0.0]
        [judged] = client.score([ROWS[2]])
        assert isinstance(judged, Judged)
        assert (judged.status, judged.reward) == ("unscored", None)
        with pytest.raises(ServerError, match="has no 'answer'") as caught:
            client.score([{"completion": ""}])
        assert caught.value.status == 422
    with RewardClient(server.url, recipe="x") as client, pytest.raises(ServerError, match="404"):
        client.score([])
