"""What others on the machine can read of a run, and what of the caller's environment reaches where answers run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import FIXTURES, ROOT, first_of_each
from tests.timing import examples
from verifiers import ConfigError, Judge
from verifiers.runtime.worker_process import PASSED, is_secret, kept_file

SECRETS = {
    name: f"s3cret-{place}"
    for place, name in enumerate(
        "OPENAI_API_KEY ANTHROPIC_API_KEY HF_TOKEN HUGGING_FACE_HUB_TOKEN WANDB_API_KEY AWS_ACCESS_KEY_ID "
        "AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN GITHUB_PAT DB_PASSWORD MYSQL_PWD SENTRY_DSN "
        "SSH_AUTH_SOCK GOOGLE_APPLICATION_CREDENTIALS REWARD_SERVER_TOKEN KEY my_token".split()
    )
} | {"DATABASE_URL": "postgres://user:s3cret-url@host/db", "https_proxy": "http://user:s3cret-proxy@host:1"}
PLAIN = {
    "LANGUAGE": "ko",
    "TOKENIZERS_PARALLELISM": "false",
    "OWN_SETTING": "7",
    "MODEL_URL": "http://host/v1",
}

SCRIPT = (FIXTURES / "scripts" / "secrets_seen.py").read_text(encoding="utf-8")


def _said(variables: dict[str, str]) -> dict[str, str]:
    environment = {
        "PYTHONPATH": str(ROOT),
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/tmp"),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, str] = json.loads(done.stdout)
    return said


def test_no_secret_reaches_a_program_or_an_isolated_function() -> None:
    """Twenty kinds; programs get an environment of their own, functions all but the secrets."""
    said = _said(SECRETS | PLAIN)
    names = set(said.pop("isolated").split("'")[1].split())
    assert set(PLAIN) <= names
    assert not set(SECRETS) & names
    assert said, "no tier works here"
    for where, detail in said.items():
        assert "True" not in detail, where
        assert "False" in detail, (where, detail)


def test_a_function_gets_the_secrets_that_are_named_for_it() -> None:
    """By name, with commas or spaces between them; programs get none even so."""
    said = _said(SECRETS | {PASSED: "HF_TOKEN, my_token DATABASE_URL"})
    names = set(said.pop("isolated").split("'")[1].split())
    assert names & set(SECRETS) == {"HF_TOKEN", "my_token", "DATABASE_URL"}
    assert not any("True" in detail for detail in said.values())


WORDS = [
    "key", "keys", "token", "secret", "password", "passwd", "credentials", "auth", "pat", "dsn", "cookie",
]  # fmt: skip


@settings(max_examples=examples(200))
@given(
    before=st.lists(st.sampled_from(["my", "x", "hf", "team2"]), min_size=1),
    word=st.sampled_from(WORDS),
    after=st.lists(st.sampled_from(["id", "file", "2"])),
    upper=st.booleans(),
)
def test_a_secret_is_known_by_a_word_of_its_name(
    before: list[str], word: str, after: list[str], upper: bool
) -> None:
    """Whatever stands around it, in any case."""
    name = "_".join([*before, word, *after])
    assert is_secret(name.upper() if upper else name)


@pytest.mark.parametrize(
    "name", ["PATH", "HOME", "PWD", "OLDPWD", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR", "XAUTHORITY",
             "TOKENIZERS_PARALLELISM", "OMP_NUM_THREADS", "HF_HOME", "CUDA_VISIBLE_DEVICES", "PATTERN", "KEYMAP"],
)  # fmt: skip
def test_what_programs_need_is_no_secret(name: str) -> None:
    """A worker could not start without some of it."""
    assert not is_secret(name, "/some/where:/else")


def test_a_judge_in_a_worker_that_would_have_no_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is made, with the cure; where there is no key, none is missing."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    Judge(url="http://127.0.0.1:1/v1", model="m", isolate=True)
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    Judge(url="http://127.0.0.1:1/v1", model="m")
    with pytest.raises(ConfigError, match=f"does not get OPENAI_API_KEY; .* or set {PASSED}=OPENAI_API_KEY"):
        Judge(url="http://127.0.0.1:1/v1", model="m", isolate=True)
    monkeypatch.setenv(PASSED, "OPENAI_API_KEY")
    Judge(url="http://127.0.0.1:1/v1", model="m", isolate=True)


MODES = (FIXTURES / "scripts" / "modes_of_folders.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "umask", first_of_each(["000", "177", "022", "077"], lambda umask: str(umask > "022"))
)
def test_temporary_folders_are_their_owners_alone(tmp_path: Path, umask: str) -> None:
    """Whatever the umask is; what lies in them is out of reach with them, and nothing is left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", MODES, umask, str(folder)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen, left = (eval(line) for line in done.stdout.splitlines())
    assert left == []
    top = {name: mode for name, mode in seen.items() if "/" not in name}
    assert len(top) >= 2, seen
    for name, mode in top.items():
        # One that is seen before it is opened to its owner lacks more.
        assert mode[4:] == "------", (name, mode)


def test_a_file_is_kept_where_nobody_else_can_write_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made once; what others may have written is never read, nor is what they could write later."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made: list[str] = []

    def make() -> bytes:
        made.append("once")
        return b"1"

    kept = kept_file("a/b.js", make)
    assert kept == tmp_path / "reward-verifiers" / "a" / "b.js"
    assert kept.read_bytes() == b"1"
    assert [each.name for each in kept.parent.iterdir()] == ["b.js"]
    assert kept_file("a/b.js", make) == kept
    assert made == ["once"]
    kept.chmod(0o666)
    assert kept_file("a/b.js", make) is None
    kept.unlink()
    assert kept_file("a/b.js", lambda: None) is None
    assert list(kept.parent.iterdir()) == []
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path(__file__)))
    assert kept_file("a/b.js", make) is None
