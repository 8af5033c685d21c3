"""How a server begins and ends: addresses, tokens, signals, and clients that find nobody."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.cli.serve import serve
from adapters.serve.client import RewardClient, ServerError
from adapters.serve.server_runs import Address
from tests.adapters.serve.serving import START, running, told
from tests.support import ROOT
from tests.timing import until
from verifiers import ConfigError

OWN = {"TrlFunction": "tests.adapters.serve.own_rewards:trying"}


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "rewards.example"])
def test_other_machines_need_a_token(host: str) -> None:
    """Whatever the address is called; and one that nobody guesses."""
    with pytest.raises(ConfigError, match="REWARD_SERVER_TOKEN"):
        Address(host)
    with pytest.raises(ConfigError, match="16 characters"):
        Address(host, token="short")
    assert Address(host, token="0123456789abcdef").host == host


def test_a_small_reply_is_sent_at_once() -> None:
    """Not 40 ms later, when the other side has acknowledged its head."""
    with Address(port=0).bound() as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ConfigError, match="--port"):
        Address(port=taken.getsockname()[1]).bound()


def test_what_cannot_be_served_ends_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "token"
    empty.write_text("")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"recipe": ["gsm9k_tags"]}, "gsm8k_tags"),
        ({"recipe": ["gsm8k_tags"], "host": "0.0.0.0"}, "--token-file"),
        ({"recipe": ["gsm8k_tags"], "token_file": empty}, "no token in it"),
        ({"recipe": ["gsm8k_tags"], "deadline": 0.0}, "deadline must be above 0"),
        ({"recipe": ["gsm8k_tags"], "workers": 0}, "at least 1"),
    ]
    for options, message in cases:
        with pytest.raises(SystemExit) as ended:
            serve(**options)
        assert ended.value.code == 2
        assert message in capsys.readouterr().err


def test_only_the_server_loads_its_packages() -> None:
    code = (
        "import adapters.cli, adapters.trl, adapters.serve.server_runs, adapters.serve.client, sys; "
        "print([name for name in ('fastapi', 'starlette', 'uvicorn', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_client_tries_again_until_its_time_is_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    with (
        RewardClient(url, seconds=0.6) as client,
        pytest.raises(ServerError, match="does not answer") as caught,
    ):
        client.score([])
    assert caught.value.status is None


def test_a_server_with_a_token_ends_gracefully(tmp_path: Path) -> None:
    """Without the token nothing is answered but health; at SIGTERM what was accepted is, and no process is left."""
    token = "0123456789abcdef-token"
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"reward": OWN}))
    with running("-r", str(own), "--workers", "1", "--host", "0.0.0.0", token=token) as server:
        url = server.url.replace("0.0.0.0", "127.0.0.1")
        with httpx.Client(base_url=url, timeout=START, trust_env=False) as http:
            body = {"rows": [{"completion": "a", "folder": str(tmp_path)}]}
            bearer = {"authorization": f"Bearer {token}"}
            assert http.get("/health").status_code == 200
            for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": token}):
                refused = http.post("/score", json=body, headers=headers)
                assert "token" in told(refused, 401)
                assert refused.headers["www-authenticate"] == "Bearer"
            assert http.get("/metrics").status_code == http.get("/docs").status_code == 401
            assert http.post("/score", json=body, headers=bearer).json()["rewards"] == [1.0]
            assert http.post(f"/score?access_token={token}", json=body).status_code == 200
            with RewardClient(url, token=token) as client:
                assert client.rewards(["abc"], folder=[str(tmp_path)]) == [3.0]
            slow = {
                "rows": [{"completion": f"wait {number}", "folder": str(tmp_path)} for number in range(3)]
            }
            with ThreadPoolExecutor(1) as threads:
                asked = threads.submit(http.post, "/score", json=slow, headers=bearer)
                until(lambda: list(tmp_path.glob("*.started")))
                workers = server.workers()
                server.process.send_signal(signal.SIGTERM)
                time.sleep(0.3)
                for number in range(3):
                    (tmp_path / str(number)).touch()
                assert asked.result(START).json()["rewards"] == [6.0] * 3
        assert server.process.wait(START) == 0
    assert workers
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
