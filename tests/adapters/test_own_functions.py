"""Functions of users, however they are made: each judges by its own code; a finding names what it breaks."""

from __future__ import annotations

import dataclasses
import functools
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.trl import trl_reward_func, trl_reward_funcs
from rewards import Pay, Reward, VerdictCache, from_trl, to_recipe
from rewards.recipe.build import build_recipe
from tests.adapters import own_things
from tests.adapters.cli.commands import cli
from tests.adapters.own_things import Env, contains
from tests.support import ROOT
from tests.timing import examples
from verifiers import ConfigError, FunctionVerifier, Sample, Status, Verdict, Verifier, from_spec, verifier

WORDS = ("red", "green", "blue")


def closure(word: str) -> FunctionVerifier:
    """What everybody writes first."""

    @verifier
    def has(response: str) -> bool:
        return word in response

    return has


def redefined(word: str) -> FunctionVerifier:
    """A notebook's cell, run again under the same name."""
    namespace: dict[str, Any] = {"__name__": "__main__", "verifier": verifier}
    exec(f"WORD = {word!r}\n@verifier\ndef has(response):\n    return WORD in response\n", namespace)
    made: FunctionVerifier = namespace["has"]
    return made


def with_helper(word: str) -> FunctionVerifier:
    """A function that calls another one, which is not the same each time either."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(
        f"def inner(text):\n    return {word!r} in text\ndef has(response):\n    return inner(response)\n",
        namespace,
    )
    return verifier(namespace["has"])


def wrapped(word: str) -> FunctionVerifier:
    """A decorator of the user's copies the name of what it wraps."""

    def has(response: str) -> bool:
        return False

    @functools.wraps(has)
    def wrapper(response: str) -> bool:
        return word in response

    return verifier(wrapper)


MAKERS: dict[str, Callable[[str], FunctionVerifier]] = {
    "closure": closure,
    "lambda": lambda word: verifier(lambda response: word in response),
    "default": lambda word: verifier(lambda response, wanted=word: wanted in response),
    "partial": lambda word: verifier(functools.partial(contains, word)),
    "keyword": lambda word: verifier(functools.partial(contains, word=word)),
    "method": lambda word: verifier(Env(word).grade),
    "object": lambda word: verifier(Env(word)),
    "redefined": redefined,
    "helper": with_helper,
    "wrapped": wrapped,
}
MODULE: dict[str, FunctionVerifier] = {
    "red": own_things.red, "green": own_things.green, "blue": own_things.blue,
}  # fmt: skip
"""Functions that an import path leads to: one verifier however often it is asked for."""
KINDS = [*sorted(MAKERS), "module"]
MADE = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(WORDS), st.sampled_from([False, False, True])),
    min_size=1,
    max_size=6,
)
COMPLETIONS = ["red", "green blue", "red green", "", "<think>red</think>blue"]
SEEN = ["red", "green blue", "red green", "", "blue"]


def made_of(kind: str, word: str, isolate: bool = False) -> FunctionVerifier:
    judge = MODULE[word] if kind == "module" else MAKERS[kind](word)
    return dataclasses.replace(judge, isolate=True) if isolate else judge


def right(word: str) -> list[float]:
    return [float(word in text) for text in SEEN]


@settings(deadline=None, max_examples=examples(25))
@given(MADE)
def test_every_function_judges_by_its_own_code(made: Sequence[tuple[str, str, bool]]) -> None:
    """Through a sum, recipes, a cache, pickle, workers and TRL's functions; and no two are equal."""
    judges = [made_of(*each) for each in made]
    for one, judge in enumerate(judges):
        same = [one == other or (made[one] == made[other] and made[one][0] == "module")
                for other in range(len(judges))]  # fmt: skip
        assert [judge == other for other in judges] == same
        assert judge == judge
    reward: Reward = sum(Pay(judge).named(f"part{index}") for index, judge in enumerate(judges))
    values = [right(word) for _, word, _ in made]
    total = [sum(row) for row in zip(*values, strict=True)]
    cache = VerdictCache(worth_seconds=0)
    for _ in range(2):
        assert reward(COMPLETIONS, cache=cache) == total
    assert (reward(COMPLETIONS), reward(COMPLETIONS, cache=VerdictCache(worth_seconds=0))) == (total, total)
    travelled = pickle.loads(pickle.dumps(reward))
    assert (travelled, travelled.signature(), travelled(COMPLETIONS)) == (reward, reward.signature(), total)
    for judge, (kind, *_) in zip(judges, made, strict=True):
        if kind != "module":
            with pytest.raises(ConfigError, match="cannot stand in a recipe"):
                to_recipe(Pay(judge))
    if all(kind == "module" for kind, *_ in made):
        read, _ = build_recipe(to_recipe(reward))
        assert (read, read(COMPLETIONS)) == (reward, total)
    functions = trl_reward_funcs(reward)
    given_by_trainer = {"prompts": ["p"] * len(COMPLETIONS), "completions": COMPLETIONS}
    assert [function(**given_by_trainer) for function in functions] == [total, *values][: len(functions)]
    for judge, value in zip(judges, values, strict=True):
        assert [verdict.score for verdict in judge.verify_batch(COMPLETIONS)] == value


@given(st.lists(st.tuples(st.just("module"), st.sampled_from(WORDS), st.booleans()), min_size=1, max_size=4))
@settings(deadline=None, max_examples=examples(10))
def test_functions_that_recipes_find_judge_by_their_own_code(made: Sequence[tuple[str, str, bool]]) -> None:
    """The same law for those that all ways lead to."""
    test_every_function_judges_by_its_own_code.hypothesis.inner_test(made)  # type: ignore[attr-defined]
    assert own_things.first_blue.verify("blue").passed
    assert own_things.first_blue != own_things.blue
    with pytest.raises(ConfigError, match="cannot stand in a recipe"):
        to_recipe(Pay(own_things.first_blue))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_runs_in_a_worker(kind: str) -> None:
    """What no import path leads to goes there as what it is."""
    judges = [made_of(kind, word, isolate=True) for word in WORDS]
    for word, judge in zip(WORDS, judges, strict=True):
        assert [verdict.score for verdict in judge.verify_batch(COMPLETIONS)] == right(word)
    if kind != "module":  # a name that now stands for another function is no way to find this one
        with pytest.raises(ConfigError, match="cannot stand in a recipe"):
            to_recipe(Pay(MAKERS[kind]("red")))


def test_recipes_find_functions_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the settings that they have there; a redefinition is another function under the same path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own_paths.py").write_text(
        "from verifiers import verifier\n"
        "@verifier\ndef red(response): return 'red' in response\nfirst = red\n"
        "@verifier(low=-1, high=1)\ndef red(response): return 1 if 'green' in response else 0\n"
    )
    import own_paths  # type: ignore[import-not-found]

    found = from_spec({"FunctionVerifier": "own_paths:red"})
    assert (found, (found.low, found.high), found.verify("red").score) == (own_paths.red, (-1, 1), 0.5)
    assert found.verify("red").raw == 0
    reward, _ = build_recipe(to_recipe(Pay(own_paths.red)))
    assert reward(["green", "red"]) == [1.0, 0.5]
    assert own_paths.first.verify("red").passed
    with pytest.raises(ConfigError, match="own_paths:red cannot stand in a recipe"):
        own_paths.first.to_spec()
    assert pickle.loads(pickle.dumps(own_paths.first)) == own_paths.first != own_paths.red
    assert pickle.loads(pickle.dumps(own_paths.red)) == own_paths.red


def test_a_class_of_a_script_runs_in_a_worker() -> None:
    """By value, as functions do."""

    @dataclasses.dataclass(frozen=True, repr=False)
    class Has(Verifier):
        needs_reference = False
        word: str = ""

        def check(self, sample: Sample) -> Verdict:
            return self.scored(float(self.word in sample.response), "looked")

    assert Has("red", isolate=True).verify("red").score == 1.0
    assert Has("red", isolate=True).verify("blue").score == 0.0


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("h = open(__file__)\ndef f(response): return bool(h.read())", "an open file"),
        ("import socket\nh = socket.socket()\ndef f(response): return bool(h)", "socket"),
        ("import threading\nh = threading.Lock()\ndef f(response):\n    with h: return True", "lock"),
        ("h = (each for each in 'ab')\ndef f(response): return bool(next(h))", "generator"),
    ],
)
def test_what_cannot_travel_is_refused_when_it_is_made(source: str, said: str) -> None:
    """And not on every row; without isolation it works."""
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": __file__}
    exec(source, namespace)
    try:
        assert verifier(version="1")(namespace["f"]).verify("x").status is not Status.FAULT
        with pytest.raises(ConfigError) as refused:
            verifier(isolate=True, version="1")(namespace["f"])
        assert "f cannot go to another process" in str(refused.value)
        assert said in str(refused.value)
        assert "at its first call" in str(refused.value)
    finally:
        if hasattr(namespace["h"], "close"):
            namespace["h"].close()


SCRIPT = """
from adapters.trl import trl_reward_func
from rewards import Pay
from verifiers import verifier

@verifier(isolate=True)
def ok(response):
    return response == "a"

def factory(word):
    return verifier(isolate=True)(lambda response: word in response)

if __name__ == "__main__":
    print(ok.verify("a"), "|", ok.verify("b"))
    function = trl_reward_func(Pay(ok) + Pay(factory("b")).named("b"))
    print([function(prompts=["p"] * 2, completions=["a", "bb"]) for _ in range(2)])
"""


def test_functions_of_a_script_run_in_workers(tmp_path: Path) -> None:
    """No import path leads to what stands in ``__main__``."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["ok 1.00 passed | ok 0.00 failed", "[[1.0, 1.0], [1.0, 1.0]]"]


def test_a_kept_verdict_is_that_of_the_present_code(tmp_path: Path) -> None:
    """A helper in another file counts, also in a process of its own."""
    (tmp_path / "judging.py").write_text(
        "from verifiers import verifier\nfrom helping import grade\n\n"
        "@verifier\ndef mine(response):\n    return grade(response)\n"
    )
    (tmp_path / "run.py").write_text(
        "import judging\nfrom rewards import Pay, VerdictCache\ncache = VerdictCache('kept', worth_seconds=0)\n"
        "print(Pay(judging.mine)(['a'], cache=cache), cache.hits)\n"
    )
    seen = []
    for value in ("0.25", "0.25", "0.75"):
        (tmp_path / "helping.py").write_text(f"def grade(text): return {value}\n")
        done = subprocess.run(
            [sys.executable, "-B", "run.py"], cwd=tmp_path, capture_output=True, text=True, check=True,
            env={"PYTHONPATH": str(ROOT), "PATH": ""},
        )  # fmt: skip
        seen.append(done.stdout.strip())
    assert seen == ["[0.25] 0", "[0.25] 1", "[0.75] 0"]


def test_code_that_changes_under_a_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that starts later imports other code: its verdicts must not be mixed with those before."""
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "own_changing.py"
    file.write_text(
        "from verifiers import verifier\n@verifier(isolate=True)\ndef ok(response): return True\n"
    )
    import own_changing  # type: ignore[import-not-found]

    file.write_text(
        "from verifiers import verifier\n@verifier(isolate=True)\ndef ok(response): return False\n"
    )
    from verifiers.runtime.pool import shared_pool

    shared_pool().close()
    verdict = own_changing.ok.verify("x")
    assert verdict.status is Status.FAULT
    assert "own_changing:ok has changed since this run started" in verdict.detail


def broken(completions: list[str], **columns: object) -> list[float]:
    raise KeyError("missing")


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        (Pay(verifier(lambda response: 2.0)), r"returned 2.0, which is not in \[0, 1\]"),
        (
            Pay(verifier(lambda response: {}["missing"])),
            r"KeyError: 'missing', at .*test_own_functions.py:\d+",
        ),
        (from_trl(broken), r"KeyError: 'missing', at .*test_own_functions.py:\d+ in broken"),
    ],
)
def test_a_set_up_that_never_works_ends_a_training_run(reward: Reward, said: str) -> None:
    """At the first batch, with the cause; masking has to be asked for."""
    batch = {"prompts": ["p"] * 2, "completions": ["a", "b"]}
    for function in (trl_reward_func(reward), trl_reward_funcs(reward)[0]):
        with pytest.raises(
            ConfigError, match=rf"breaks on every row of the first batch: .*{said}"
        ) as stopped:
            function(**batch)
        assert "completions[0]" in str(stopped.value)
    assert trl_reward_func(reward, on_fault="mask")(**batch) == [None, None]
    with pytest.raises(ConfigError, match="on_fault is 'stop' or 'mask', got 'no'"):
        trl_reward_func(reward, on_fault="no")  # type: ignore[arg-type]


def test_later_faults_mask_and_end_nothing() -> None:
    """Once a row was judged, a batch that breaks is masked: a run costs money."""
    reward = Pay(verifier(lambda response: len(response) / (0 if "x" in response else 10)))
    function = trl_reward_func(reward)
    assert function(prompts=["p"] * 2, completions=["a", "x"]) == [0.1, None]
    assert function(prompts=["p"] * 2, completions=["x", "xx"]) == [None, None]


CHANGING = "from verifiers import verifier\n\n\n@verifier\ndef chg(response):\n    return {value}\n"


def _rows(tmp_path: Path, count: int = 5) -> None:
    rows = [json.dumps({"completion": str(row)}) for row in range(count)]
    (tmp_path / "in.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "recipe.yaml").write_text('reward: {FunctionVerifier: "own_module:chg"}\n')


def test_a_file_is_never_scored_half_by_one_code_and_half_by_another(tmp_path: Path) -> None:
    """Functions of the current folder are found; --resume compares what they are."""
    _rows(tmp_path)
    module = tmp_path / "own_module.py"
    score = ["score", "in.jsonl", "-r", "recipe.yaml", "-o", "out.jsonl"]
    module.write_text(CHANGING.format(value=False))
    cli(*score, cwd=tmp_path, status=0)
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    module.write_text("# a comment\n" + CHANGING.format(value=False))
    assert (cli(*score, "--resume", cwd=tmp_path).returncode, out.read_bytes()) == (0, whole)
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    module.write_text(CHANGING.format(value=True))
    refused = cli(*score, "--resume", cwd=tmp_path, status=2)
    assert "was scored by" in refused.stderr
    assert "another output file" in refused.stderr
    assert len(out.read_bytes().splitlines()) == 2
    old = b"".join(
        line.replace(b"|#" + line.partition(b"|#")[2].partition(b'"')[0], b"")
        for line in whole.splitlines(keepends=True)[:2]
    )
    assert b"#" not in old
    out.write_bytes(old)
    module.write_text(CHANGING.format(value=False))
    assert cli(*score, "--resume", cwd=tmp_path).returncode == 2


def test_a_reward_that_breaks_on_every_row_ends_a_scoring(tmp_path: Path) -> None:
    """With a status of its own, the cause, its file and line, and the row; with --max-faults it may."""
    _rows(tmp_path)
    (tmp_path / "own_module.py").write_text(CHANGING.format(value='{}["missing"]'))
    score = ["score", "in.jsonl", "-r", "recipe.yaml", "-o"]
    for more in ([], ["--workers", "2"]):
        stopped = cli(*score, "out.jsonl", "--force", *more, cwd=tmp_path, status=3)
        assert "KeyError: 'missing', at " in stopped.stderr
        assert "own_module.py:6 in chg; in.jsonl:1" in stopped.stderr
        assert (tmp_path / "out.jsonl").read_bytes() == b""
    allowed = cli(*score, "all.jsonl", "--max-faults", "5", cwd=tmp_path, status=3)
    assert "broke on 5 of 5 rows" in allowed.stderr
    assert [json.loads(line)["reward"] for line in (tmp_path / "all.jsonl").read_text().splitlines()] == [
        None
    ] * 5
    few = cli(*score, "few.jsonl", "--max-faults", "4", cwd=tmp_path, status=3)
    assert "--max-faults allows 4" in few.stderr
    shown = cli("explain", "in.jsonl", "--row", "3", "-r", "recipe.yaml", cwd=tmp_path)
    assert "Traceback (most recent call last)" in shown.stdout
    assert "in.jsonl:3" in shown.stdout


def test_some_faults_are_counted_and_told(tmp_path: Path) -> None:
    _rows(tmp_path)
    (tmp_path / "own_module.py").write_text(CHANGING.format(value="1 / int(response) and True"))
    done = cli("score", "in.jsonl", "-r", "recipe.yaml", "-o", "out.jsonl", cwd=tmp_path, status=0)
    assert "fault: chg broke on 1 of 5 rows, first: ZeroDivisionError" in done.stderr
    assert "in.jsonl:1" in done.stderr
