"""The suite's own wall around the network, and who is kept inside it."""

from __future__ import annotations

import json
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests import forks
from tests.network import NetworkError, is_local
from tests.support import ROOT, python
from tests.training.runs import settings
from training.config import RunConfig, hub_names, may_need_hub
from training.environment import OFFLINE, stay_offline

ELSEWHERE = "192.0.2.1"  # reserved for documentation
HUB = "Qwen/Qwen2.5-0.5B"


def _to(call: str, kind: int, *arguments: Any) -> None:
    with socket.socket(socket.AF_INET, kind) as own:
        getattr(own, call)(*arguments)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: socket.create_connection((ELSEWHERE, 80), timeout=1),
        lambda: socket.getaddrinfo("huggingface.co", 443),
        lambda: socket.gethostbyname("huggingface.co"),
        lambda: _to("connect_ex", socket.SOCK_STREAM, (ELSEWHERE, 80)),
        lambda: _to("sendto", socket.SOCK_DGRAM, b"x", (ELSEWHERE, 53)),
        lambda: _to("sendmsg", socket.SOCK_DGRAM, [b"x"], [], 0, (ELSEWHERE, 53)),
    ],
    ids=["connect", "getaddrinfo", "gethostbyname", "connect_ex", "sendto", "sendmsg"],
)
def test_other_machines_are_refused(ask: Any) -> None:
    """On the main thread and on another."""
    with pytest.raises(NetworkError, match="only this machine"):
        ask()
    with ThreadPoolExecutor(1) as threads, pytest.raises(NetworkError, match="only this machine"):
        threads.submit(ask).result()


def test_this_machine_is_not(tmp_path: Path) -> None:
    """Loopback by number and by name, and sockets in the file system."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, server.getsockname()[1])).close()
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as caller:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        caller.connect(str(tmp_path / "socket"))
    assert is_local("::1")
    assert not is_local("0.0.0.0")
    assert not is_local("127.0.0.1.example.org")


def test_hugging_faces_libraries_are_offline_here() -> None:
    """They have read the switches, in this process and in one that it starts."""
    code = (
        "import datasets, huggingface_hub as h, json, transformers.utils.hub as t\n"
        "from huggingface_hub.utils import _telemetry as said\n"
        "h.utils.send_telemetry('trl')\n"
        "print(json.dumps([h.constants.HF_HUB_OFFLINE, h.constants.HF_HUB_DISABLE_TELEMETRY, "
        "t.is_offline_mode(), datasets.config.HF_HUB_OFFLINE, said._TELEMETRY_THREAD is None]))"
    )
    assert {name: os.environ[name] for name in OFFLINE} == OFFLINE
    assert json.loads(python(code)) == [True] * 5
    from huggingface_hub import constants

    assert constants.is_offline_mode()


def test_what_the_user_has_set_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody whose reward loads a model may want the hub all the same."""
    for name in OFFLINE:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    stay_offline()
    assert os.environ["HF_HUB_OFFLINE"] == "0"
    assert os.environ["DO_NOT_TRACK"] == "1"


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({}, []),
        ({"model": {"name": HUB}}, [HUB]),
        ({"model": {"name": "/no/such/folder"}}, []),
        ({"model": {"name": "model.gguf"}}, []),
        ({"model": {"tokenizer": HUB}}, [HUB]),
        ({"model": {"name": "mine:model"}}, ["mine:model"]),
        ({"model": {"trust_remote_code": True}}, ["training.arithmetic:model"]),
        ({"data": {"source": "openai/gsm8k"}}, ["openai/gsm8k"]),
        ({"data": {"source": "training.data.public_tasks:mbpp"}}, ["training.data.public_tasks:mbpp"]),
        ({"data": {"source": "reasoning_gym:gcd"}}, []),
        ({"data": {"source": "no_such.jsonl"}}, []),
        ({"data": [{"source": "a.parquet"}, {"source": "openai/gsm8k"}]}, ["openai/gsm8k"]),
        ({"evaluation": {"data": {"source": "openai/gsm8k"}}}, ["openai/gsm8k"]),
        ({"trainer": {"push_to_hub": True}}, ["trainer.push_to_hub"]),
        ({"trainer": {"report_to": "trackio"}}, ["trainer.report_to"]),
        ({"trainer": {"report_to": ["tensorboard"]}}, []),
        ({"stages": [{"kind": "sft"}, {"kind": "grpo", "data": {"source": HUB}}]}, [HUB]),
        ({"stages": [{"kind": "sft"}, {"kind": "dpo", "model": {"name": HUB}}]}, [HUB]),
        ({"stages": [{"kind": "sft"}, {"kind": "rm"}, {"kind": "grpo"}], "output_dir": "."}, []),
        ({"stages": [{"kind": "sft"}, {"kind": "grpo", "trainer": {"push_to_hub": 1}}]}, ["trainer.push_to_hub"]),
    ],
)  # fmt: skip
def test_what_a_run_may_want_from_the_hub(tmp_path: Path, changes: dict[str, Any], names: list[str]) -> None:
    """Models, tokenizers, data, held-out data and reports, of the run and of its stages."""
    assert hub_names(RunConfig.model_validate(settings(tmp_path, **changes))) == names


def test_an_adapters_base_counts(tmp_path: Path) -> None:
    """A folder with a LoRA adapter builds on a model that may be elsewhere."""
    assert not may_need_hub(str(tmp_path))
    (tmp_path / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": HUB}))
    assert may_need_hub(str(tmp_path))
    (tmp_path / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "/local/base"}))
    assert not may_need_hub(str(tmp_path))


COMMANDS = [(["grpo", "-c", "demo_arithmetic"], True), (["pipeline", "-c", "demo_arithmetic"], True),
            (["demo"], True), (["eval", "-c", "demo_arithmetic", "--model", "training.arithmetic:model"],
                               True), (["eval", "-c", "demo_arithmetic", "--model", HUB], False),
            (["grpo", "-c", "gsm8k_qwen"], False), (["grpo", "-c", "demo_arithmetic", f"model.name={HUB}"],
                                                    False)]  # fmt: skip

# The verb is stopped where it first loads one of the libraries; what they will read is set by then.
PROBE = """
import importlib.abc, json, os, sys

class Stop(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in ("huggingface_hub", "transformers", "datasets", "trl", "torch"):
            print(json.dumps([name, {key: os.environ.get(key) for key in %r}]), flush=True)
            os._exit(0)

sys.meta_path.insert(0, Stop())
from training.cli import app
app(sys.argv[1:])
"""


@pytest.mark.parametrize(("arguments", "offline"), COMMANDS, ids=[" ".join(each) for each, _ in COMMANDS])
def test_a_run_without_hub_names_stays_offline(tmp_path: Path, arguments: list[str], offline: bool) -> None:
    """The switches stand before any library that reads them is imported; a run with such names has none."""
    environment = {name: value for name, value in os.environ.items() if name not in OFFLINE}
    script = tmp_path / "probe.py"
    script.write_text(PROBE % (list(OFFLINE),))
    environment["PYTHONPATH"] = str(ROOT)
    done = forks.run(script, *arguments, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [line] = done.stdout.splitlines()
    assert json.loads(line)[1] == (OFFLINE if offline else dict.fromkeys(OFFLINE))
