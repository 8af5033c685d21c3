"""Who may ask, by which name and with what body; and what every refusal looks like."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.serve import token_files
from adapters.serve.addresses import Address, check_host, named
from adapters.serve.client import RewardClient, ServerError
from adapters.serve.counters import Metrics, OncePerKind
from adapters.serve.guards import GONE, Guards, check_kind
from adapters.serve.load_limits import Limits, ServeError
from adapters.serve.server_runs import runs_code
from rewards import Pay, load_recipe
from tests.adapters.row_breakers import BreaksByClass, nested
from tests.adapters.serve.serving import START, Running, running, told
from tests.timing import until
from verifiers import CodePassRate, ConfigError, Judge, MathEquivalence

ROW = {"completion": "75", "answer": "75"}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(
        "-r", "ExactMatch", "--workers", "1", "--max-queue", "2000", "--max-body-mb", "4"
    ) as started:
        yield started


def raw(server: Running, sent: bytes) -> bytes:
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=START) as connection:
        connection.sendall(sent)
        return connection.recv(1 << 16)


NAMES = ("127.0.0.1", "localhost", "LOCALHOST", "[::1]", "localhost.")
FOREIGN = (
    "rebound.example", "127.0.0.1.example", "localhost.example", "192.0.2.1", "[::2]", "", "a b",
    "127.0.0.1@x",
)  # fmt: skip


@pytest.mark.parametrize("port", ["", ":8000", ":1"])
def test_names_by_which_a_server_may_be_asked(port: str) -> None:
    """On this machine its own, whatever the port is on the way there; a request without one is no browser's."""
    hosts = Address().hosts
    check_host([], hosts)
    for name in NAMES:
        check_host([(b"host", f"{name}{port}".encode())], hosts)
    for name in FOREIGN:
        with pytest.raises(ServeError, match="--allow-host") as caught:
            check_host([(b"host", f"{name}{port}".encode())], hosts)
        assert caught.value.status == 421
        if named(name):
            check_host([(b"host", f"{name}{port}".encode())], Address(names=(named(name),)).hosts)
    assert Address("0.0.0.0", token="0123456789abcdef").hosts is None
    check_host([(b"host", b"anything")], None)


@given(st.text(max_size=30))
def test_no_other_name_is_taken_for_one_of_its_own(name: str) -> None:
    if named(name) not in ("127.0.0.1", "localhost", "[::1]"):
        with pytest.raises(ServeError):
            check_host([(b"host", name.encode("utf-8", "replace"))], Address().hosts)


def test_a_rebound_name_is_refused(server: Running) -> None:
    for path in ("/score", "/health", "/docs", "/nothing"):
        for method in ("GET", "POST"):
            answer = server.http.request(method, path, headers={"host": "rebound.example"})
            assert "not 'rebound.example'" in told(answer, 421)
    answer = server.post("/score", {"rows": [ROW]}, headers={"origin": "http://x", "host": "x"})
    told(answer, 421)
    assert server.score([ROW])["rewards"] == [1.0]


def test_addresses_are_what_they_look_like(server: Running) -> None:
    for path in ("/score/", "//score", "/score//"):
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 12\r\n\r\n"
        assert b"200 OK" in raw(server, head.encode() + b'{"rows": []}')
    assert b"200 OK" in raw(server, b"GET //health/ HTTP/1.1\r\nhost: localhost\r\n\r\n")


@pytest.mark.parametrize(
    "headers",
    [
        {"content-encoding": "gzip"}, {"content-encoding": "br, identity"},
        {"content-type": "application/xml"}, {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/json; charset=utf-16"}, {"content-type": "image/png"},
    ],
)  # fmt: skip
def test_what_is_not_taken_is_415(server: Running, headers: dict[str, str]) -> None:
    answer = server.post("/score", {"rows": [ROW]}, headers=headers)
    assert "send" in told(answer, 415)
    assert answer.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "kind", ["", "application/json", "application/json; charset=UTF-8", "application/x-www-form-urlencoded",
             "text/plain;charset=utf-8", "application/vnd.x+json"],
)  # fmt: skip
def test_what_clients_call_json_is_taken(kind: str) -> None:
    check_kind({"content-type": kind.encode(), "content-encoding": b"identity"})


UNREADABLE: list[tuple[bytes, str]] = [
    (b'{"rows": [{"completion": "a", "completion": "b"}]}', r"'completion' stands twice in rows\[0\]"),
    (
        b'{"rows": [{"completion": "a", "x": [1, {"k": 1, "k": 2}]}]}',
        r"'k' stands twice in rows\[0\]\.x\[1\]",
    ),
    ('{"rows": []}'.encode("utf-16"), "UTF-16"),
    (b'{"rows": ["\xed\xa0\x80"]}', "byte 11"),
    (b'{"rows": [' + b"9" * 5000 + b"]}", "an integer of 5,000 digits at column 11"),
    (b'{"rows": [\n  1,\n  ]}', "line 3, column 3"),
    (b'{"rows": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deeply"),
]


@pytest.mark.parametrize(("body", "said"), UNREADABLE)
def test_unreadable_bodies_say_where_and_why(server: Running, body: bytes, said: str) -> None:
    assert re.search(said, told(server.http.post("/score", content=body), 422))


def test_the_page_loads_nothing(server: Running) -> None:
    """From nowhere, and a browser is told so."""
    page = server.http.get("/docs")
    assert page.status_code == 200
    assert "POST /score" in page.text
    assert not re.search(r"<script|<link|<img|@import|url\(|https?://", page.text)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    told(server.http.get("/redoc"), 404)


def test_what_is_no_http_has_the_shape_too(server: Running) -> None:
    """And is told once, however often it comes."""
    for _ in range(30):
        answer = raw(server, b"\x16\x03\x01\x02\x00garbage\r\n\r\n")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["kind"] == "no_http"
    assert len([line for line in server.logged if "Invalid HTTP" in line]) <= 2


def test_deep_rows_harm_nobody(server: Running) -> None:
    """The poisoned request is judged, and so is everybody else's; nothing is logged."""
    row = {**ROW, "z": nested(900)}
    assert server.score([row, ROW])["rewards"] == [1.0, 1.0]
    assert not [line for line in server.logged if "Traceback" in line]


def test_rows_of_clients_that_left_are_not_waited_for(tmp_path: Path) -> None:
    """They leave the queue at once, and the next client finds room."""
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"reward": {"TrlFunction": "tests.adapters.serve.own_rewards:trying"}}))
    with running("-r", str(own), "--workers", "1", "--max-queue", "120") as server:
        port = int(server.url.rpartition(":")[2])
        waits = {"completion": "wait end", "folder": str(tmp_path)}
        body = json.dumps({"rows": [waits] * 100}).encode()
        path = server.with_token("/score").removeprefix(server.url)
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n\r\n".encode()
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(head + body)
                until(lambda: _queued(server) >= 100)
            until(lambda: _queued(server) == 0)
        (tmp_path / "end").touch()
        assert server.score([{"completion": "abc", "folder": str(tmp_path)}] * 110)["rewards"] == [3.0] * 110
        assert f'path="/score",status="{GONE}"}} 20' in server.http.get("/metrics").text


def _queued(server: Running) -> int:
    found: int = server.http.get("/health").json()["queued_rows"]
    return found


def test_what_runs_code_is_known() -> None:
    """Programs, and code of the user's, wherever in a reward they stand."""
    own = Pay(BreaksByClass())
    assert (runs_code(Pay(MathEquivalence())), runs_code(own)) == ([], ["BreaksByClass"])
    assert runs_code(Pay(MathEquivalence()) + Pay(CodePassRate())) == ["CodePassRate"]
    assert runs_code(Pay(Judge(url="http://127.0.0.1:1/v1", model="m"))) == []
    assert runs_code(Pay(Judge(function="tests.adapters.row_breakers:opinion"))) == ["Judge"]
    assert runs_code(load_recipe("gsm8k_tags")) == []


def test_a_token_is_made_where_programs_can_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file of the user's alone, which its client finds; gone with the server."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with running("-r", "ExactMatch", "-r", "code=code_pass_rate", "--workers", "1") as server:
        file = server.token_file
        assert file is not None
        assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)
        assert "when it started" in told(
            server.post("/score", {"rows": [ROW]}, headers={"authorization": ""}), 401
        )
        assert server.score([ROW])["rewards"] == [1.0]
        for name in ("127.0.0.1", "localhost"):
            with RewardClient(server.url.replace("127.0.0.1", name)) as client:
                assert client.rewards(["75"], answer=["75"]) == [1.0]
        file.chmod(0o666)  # anybody could have put another there
        with RewardClient(server.url) as client, pytest.raises(ServerError, match="401"):
            client.score([ROW])
        file.chmod(0o600)
    assert not file.exists()
    with running("-r", "code_pass_rate", "--workers", "1", "--no-token") as server:
        assert server.token_file is None
        assert server.http.get("/metrics").status_code == 200


def test_a_folder_that_is_not_ones_own_holds_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one that others can write to, nor a link."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = token_files.folder()
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(ConfigError, match="alone"), token_files.written(1):
        pass
    folder.chmod(0o700)
    token_files.path_of(1).symlink_to(tmp_path / "elsewhere")
    with token_files.written(1) as (path, token):
        assert not path.is_symlink()
        assert token_files.token_for("http://localhost:1/x") == token
        assert token_files.token_for("http://rewards.example:1") is None
    assert not (tmp_path / "elsewhere").exists()


def _asked(app: Any, *, leave: bool = False) -> tuple[list[Any], Metrics]:
    """What a client is sent by an application behind the guards."""
    sent: list[Any] = []
    metrics = Metrics()

    async def run() -> None:
        left = asyncio.Event()
        bodies = [{"type": "http.request", "body": b"{}", "more_body": False}]

        async def receive() -> Any:
            if bodies:
                return bodies.pop()
            if not leave:
                await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/score", "headers": [], "query_string": b""}
        await Guards(app, Limits(), metrics, frozenset({"/score"}), None)(scope, receive, send)

    asyncio.run(run())
    return sent, metrics


def test_what_breaks_is_answered_in_the_shape(caplog: pytest.LogCaptureFixture) -> None:
    """Before an answer has begun; one that is whole is left alone."""

    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        raise RecursionError("deep")

    async def answers(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"whole"})
        raise RuntimeError("afterwards")

    sent, metrics = _asked(breaks)
    assert (sent[0]["status"], json.loads(sent[1]["body"])["error"]["kind"]) == (500, "internal")
    assert metrics.requests == {("/score", 500): 1}
    sent, _ = _asked(answers)
    assert ([each.get("body") for each in sent], len(caplog.records)) == ([None, b"whole"], 2)


def test_a_client_that_leaves_ends_its_request() -> None:
    """What it waits for is cancelled, and it is counted by a status of its own."""
    ended: list[bool] = []

    async def waits(scope: Any, receive: Any, send: Any) -> None:
        try:
            await asyncio.sleep(START)
        finally:
            ended.append(True)

    sent, metrics = _asked(waits, leave=True)
    assert ((sent, ended), metrics.requests) == (([], [True]), {("/score", GONE): 1})


def test_kinds_that_are_logged_are_bounded() -> None:
    """Also where each message is another."""
    import logging

    heard = OncePerKind()
    told = [
        heard.filter(logging.LogRecord("server", logging.WARNING, "", 0, f"{number} broke", (), None))
        for number in range(5000)
    ]
    assert sum(told) < 250
