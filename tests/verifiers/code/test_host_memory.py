"""Programs in several languages that take all they can get: the host hardly notices, and they earn nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.cli.sandbox import watched
from tests.support import FIXTURES, first_of_each
from verifiers import CodePassRate
from verifiers.code.engine.local_engine import MAX_TIMEOUTS
from verifiers.code.engine.program_languages import LANGUAGES
from verifiers.code.engine.protocol import Job, Limits

PROGRAMS = FIXTURES / "attacks" / "native"
MEMORY, MOST_LOST, ATTEMPTS = 64, 160, 4
TESTS = {"stdio": [{"output": "what nobody prints"}]}
LIMITED = ["far_maps.c", "tables_of_descriptors.c", "pipes_of_threads.c", "family.sh", "family_of_forks.sh"]
UNLIMITED = ["shared_maps.c", "read_only_maps.c", "stack_maps.c"]
COMPILED = ["include_zero.c", "include_urandom.c", "include_full.c", "assembler_bomb.c", "large_program.c"]


def _lost(judge: CodePassRate, name: str) -> tuple[int, str]:
    """MiB that the host loses, and the reason.

    The least of some attempts in which the host is refused nothing: others take memory and threads, too.
    """
    source = (PROGRAMS / name).read_text()
    least = 1 << 20
    refused: dict[str, str] = {}
    for attempt in range(ATTEMPTS):
        # What a compiler made of a program is kept, so each attempt has another one.
        source += f"\n{'#' if judge.language == 'bash' else '//'} {attempt}"
        with watched() as seen:
            verdict = judge.verify(f"```{judge.language}\n{source}\n```", TESTS)
        assert verdict.score == 0.0, verdict.detail
        refused = seen.refused
        least = least if refused else min(least, seen.lost)
        if least < MOST_LOST:
            break
    assert least < 1 << 20, refused
    return least, verdict.reason


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
@pytest.mark.parametrize("name", LIMITED)
def test_what_a_program_takes_is_bounded(name: str, tier: str) -> None:
    language = {".c": "c", ".sh": "bash"}[name[name.index(".") :]]
    lost, _ = _lost(CodePassRate(language, isolation=tier, memory=MEMORY, timeout=1.0), name)
    assert lost < MOST_LOST


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
@pytest.mark.parametrize("name", UNLIMITED)
def test_where_address_space_is_not_limited_the_rest_is(
    name: str, tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Java's, JavaScript's and Go's is not, whose programs could do the same."""
    java = LANGUAGES["java"]
    row = replace(LANGUAGES["c"], runtime=java.runtime, resident=java.resident, profile=java.profile)
    monkeypatch.setitem(LANGUAGES, "c", row)
    lost, reason = _lost(CodePassRate("c", isolation=tier, memory=MEMORY, timeout=1.0), name)
    assert lost < MOST_LOST
    assert reason == ("wrong_output" if name == "shared_maps.c" else "memory"), "maps are refused, or metered"


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
@pytest.mark.parametrize("name", COMPILED)
def test_what_a_compiler_takes_is_bounded(name: str, tier: str) -> None:
    lost, reason = _lost(CodePassRate("c", isolation=tier, memory=MEMORY, timeout=1.0), name)
    assert lost < MOST_LOST
    assert reason == "compile_error"


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
def test_a_program_past_its_memory_is_ended_at_once(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the meter, where no limit of the kernel holds it: while it sleeps, not when it is done."""
    java = LANGUAGES["java"]
    row = replace(LANGUAGES["c"], runtime=java.runtime, resident=0, profile=java.profile)
    monkeypatch.setitem(LANGUAGES, "c", row)
    program = (
        "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
        "int main(void) { char *large = malloc(200 << 20); memset(large, 1, 200 << 20); sleep(9999); return large[9]; }"
    )
    judge = CodePassRate("c", isolation=tier, memory=MEMORY)
    verdict = judge.verify(f"```c\n{program}\n```", TESTS)
    assert verdict.reason == "memory", "and not the time for which it would sleep"


def test_jobs_say_what_is_metered() -> None:
    """A limit for every kind of thing, so that none is forgotten in one of the ways to run a program."""
    from verifiers.code.engine.program_runs import _task

    for name in LANGUAGES:
        task = _task(Job(name, "", Limits(memory=MEMORY << 20)), MAX_TIMEOUTS)
        assert MEMORY << 20 <= task["metered"] <= 2 * MEMORY << 20
        assert task["files_size"] <= MEMORY << 19
        assert task["file_size"] <= task["files_size"]
        assert task["address_space"] == (task["profile"] != "runtime"), "shared maps follow the limit"
