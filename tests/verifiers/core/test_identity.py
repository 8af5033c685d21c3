"""What a verdict depends on, and nothing else: the identity of functions, classes and configurations."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pickle
import sys
import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests import forks
from tests.support import from_table
from verifiers import (
    BertScore,
    ConfigError,
    ExactMatch,
    FunctionVerifier,
    Judge,
    Length,
    MathEquivalence,
    Sample,
    Verdict,
    Verifier,
    verifier,
)

OPEN = sys.__stdout__
HELPER = "def grade(text):\n    return {value}\n"


def defined(source: str, **held: Any) -> Callable[..., Any]:
    """The function `f` of a notebook's cell."""
    namespace: dict[str, Any] = {"__name__": "__main__", **held}
    exec(source, namespace)
    found: Callable[..., Any] = namespace["f"]
    return found


def same(*sources: str, **held: Any) -> bool:
    """Whether these cells, each run afresh, define functions of one identity."""
    return len({verifier(defined(each, **held)).identity() for each in sources}) == 1


@from_table()
def test_whatever_a_function_reaches_counts(one: str, other: str) -> None:
    """Its code, defaults, globals, and theirs; and a cell that is run again unchanged is the same."""
    assert same(one, one)
    assert not same(one, other)


@pytest.mark.parametrize(
    "other",
    [
        "\n\n\ndef f(response): return k > 1\nk = 1",
        "# words\nk = 1\ndef f(response):  # more\n    return k > 1",
    ],
)
def test_what_does_not_matter_does_not_count(other: str) -> None:
    """Lines, comments, order, and globals that are not reached."""
    assert same("k = 1\nj = 7\ndef f(response): return k > 1", other)


def test_functions_are_equal_only_to_themselves() -> None:
    """Of one code or not; what went to another process and came back is the same function."""

    def contains(word: str) -> FunctionVerifier:
        return verifier(lambda response: word in response)

    a, b, again = contains("a"), contains("b"), contains("a")
    assert a != b
    assert a != again
    assert a.identity() == again.identity() != b.identity()
    assert a == pickle.loads(pickle.dumps(a)) == pickle.loads(pickle.dumps(a))
    assert pickle.loads(pickle.dumps(a)) != again
    assert len({a, b, again, a, pickle.loads(pickle.dumps(a))}) == 3
    assert dataclasses.replace(a, isolate=True).verify("a").passed
    assert a == dataclasses.replace(a)


TWICE = (
    "from rewards import from_callable, from_trl\nfrom verifiers import verifier\n\nk = {k}\n"
    "@verifier\ndef judge(response): return len(response) > k\n"
    "def paid(response): return len(response) * k\n"
    "def batch(completions): return [len(each) * k for each in completions]\n"
    "def inner(): return verifier(lambda response: len(response) > k)\n"
    "made = [judge, from_callable(paid), from_trl(batch), 2 * from_trl(batch) + judge, judge + judge]\n"
)


@pytest.mark.parametrize("again", ["1", "2"])
def test_a_module_that_is_loaded_twice_holds_the_same_functions(own: Path, again: str) -> None:
    """They are what their code is, not the module object; unless the file was changed in between."""
    from rewards import to_recipe
    from rewards.recipe.build import build_recipe

    file = own / "loaded_twice.py"
    file.write_text(TWICE.format(k="1"))
    first = importlib.import_module("loaded_twice")
    del sys.modules["loaded_twice"]
    file.write_text(TWICE.format(k=again) + "#" * int(again))
    importlib.invalidate_caches()
    second = importlib.import_module("loaded_twice")
    assert second is not first
    for one, other in zip(first.made, second.made, strict=True):
        assert (one == other) == (again == "1")
        assert (one.identity() == other.identity()) == (again == "1")
        assert pickle.loads(pickle.dumps(other)) == other
    assert first.inner() != second.inner()
    for one in first.made[1:]:
        if again == "1":
            assert build_recipe(to_recipe(one))[0] == one
        else:
            with pytest.raises(ConfigError, match="that path does not lead to this function"):
                to_recipe(one)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_part_that_is_used_twice_is_as_two_equal_ones(depth: int) -> None:
    """One object in two places, or two objects; and which function stands where counts."""
    from rewards import Pay

    def made(*leaves: FunctionVerifier) -> Any:
        trees = [0.5 * Pay(each).named(name) + 1 for each, name in zip(leaves, "xy", strict=True)]
        for _ in range(depth):
            trees = [2 * trees[0] + trees[1], trees[1] - trees[0]]
        return trees[0]

    def contains(word: str) -> FunctionVerifier:
        return verifier(lambda response: word in response)

    a, b = contains("a"), contains("a")
    assert a != b
    assert made(a, a) == made(a, dataclasses.replace(a)) == pickle.loads(pickle.dumps(made(a, a)))
    assert made(a, b) == made(dataclasses.replace(a), b) == pickle.loads(pickle.dumps(made(a, b)))
    assert made(a, a) != made(a, b) != made(b, a)
    assert made(a, a) != made(b, b)


def test_classes_of_one_name_are_told_apart() -> None:
    """A class of a factory, or of a cell that was run again."""

    def made(score: float) -> Verifier:
        @dataclasses.dataclass(frozen=True, repr=False)
        class Fixed(Verifier):
            needs_reference = False

            def check(self, sample: Sample) -> Verdict:
                return self.scored(score, "fixed")

        return Fixed()

    one, other = made(1.0), made(0.0)
    assert one != other
    assert one.identity() != other.identity() == made(0.0).identity()
    assert pickle.loads(pickle.dumps(one)) == one
    assert pickle.loads(pickle.dumps(one)).verify("x").score == 1.0


def test_a_configuration_is_the_same_however_it_is_written() -> None:
    """Equal numbers, lists and tuples; True is not 1."""
    assert Length(1, 2) == Length(1, 2)
    assert ExactMatch() == ExactMatch() != ExactMatch(ignore_case=True)
    assert hash(ExactMatch()) == hash(ExactMatch())
    assert ExactMatch() != MathEquivalence()
    assert "sympy:" in MathEquivalence().identity()
    assert MathEquivalence().identity() == MathEquivalence().identity()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's own modules."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [
        name for name, module in sys.modules.items() if str(tmp_path) in str(getattr(module, "__file__", ""))
    ]:
        del sys.modules[name]


def identity_of(folder: Path, code: str) -> str:
    """In a process of its own."""
    script = folder / "asked.py"
    # Modules that were changed within a second are read anew, so none may be kept compiled.
    script.write_text(f"import sys\nsys.dont_write_bytecode = True\nfrom verifiers import *\n{code}")
    done = forks.run(script, cwd=folder, env={"PATH": ""})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "files",
    [
        {"judging.py": "from verifiers import verifier\nfrom helping import grade\n\n@verifier\ndef f(response):\n    return grade(response)\n"},
        {"judging.py": "from verifiers import verifier\nimport helping\n\n@verifier\ndef f(response):\n    return helping.grade(response)\n"},
        {"judging.py": "from verifiers import verifier\n\n@verifier\ndef f(response):\n    from helping import grade\n    return grade(response)\n"},
        {"judging.py": "from verifiers import verifier\nimport between\n\n@verifier\ndef f(response):\n    return between.grade(response)\n",
         "between.py": "from helping import *\n"},
        {"judging.py": "from verifiers import verifier\n\n@verifier\ndef f(response):\n    return late(response)\n\nfrom helping import grade as late\n"},
        {"judging.py": "from dataclasses import dataclass\nfrom verifiers import Verifier\nimport helping\n\n@dataclass(frozen=True, repr=False)\n"
                       "class F(Verifier):\n    def check(self, sample):\n        return self.scored(helping.grade(''), 'r')\nf = F()\n"},
        {"judging.py": "from verifiers import Judge\nf = Judge('asking:ask')\n",
         "asking.py": "import helping\ndef ask(response): return helping.grade(response)\n"},
    ],
)  # fmt: skip
def test_a_helper_in_another_module_counts(tmp_path: Path, files: Mapping[str, str]) -> None:
    """However it is reached; and nothing changes while it stays the same."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    seen = []
    for value in ("0.25", "0.25", "0.75"):
        (tmp_path / "helping.py").write_text(HELPER.format(value=value))
        seen.append(identity_of(tmp_path, "import judging\nprint(judging.f.identity())"))
    assert seen[0] == seen[1] != seen[2]


def test_files_that_a_component_names_count_by_their_content(tmp_path: Path) -> None:
    """Those of a field whose type says so, whatever it is called."""

    @dataclasses.dataclass(frozen=True, repr=False)
    class Listed(Verifier):
        words: Path = Path()

    file = tmp_path / "words.txt"
    file.write_text("a")
    first = Listed(file)
    file.write_text("b")
    assert Listed(file).identity() != first.identity()
    file.write_text("a")
    assert Listed(file).identity() == first.identity()
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "weights").write_bytes(b"1")
    before = BertScore(str(tmp_path / "model")).identity()
    (tmp_path / "model" / "weights").write_bytes(b"2")
    assert BertScore(str(tmp_path / "model")).identity() != before


def test_a_models_revision_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit that the hub's local cache holds of it."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    refs = tmp_path / "models--some--model" / "refs"
    refs.mkdir(parents=True)
    seen = []
    for letter in "ab":
        (refs / "main").write_text(letter * 40)
        seen.append(BertScore("some/model").identity())
    assert len(set(seen)) == 2


def test_versions_of_what_is_installed_count() -> None:
    """A package that a function reaches, by the distribution that brought it."""
    held = verifier(defined("import numpy, yaml\ndef f(response): return numpy.sum([1]) and yaml.dump(1)"))
    assert "numpy:" in held.identity()
    assert "PyYAML:" in held.identity()


@from_table()
def test_what_cannot_be_known_asks_for_a_version(source: str, said: str) -> None:
    """At once, and the message says why and how."""
    function = defined(source)
    with pytest.raises(ConfigError) as refused:
        verifier(function)
    assert said in str(refused.value)
    assert '@verifier(version="1")' in str(refused.value)
    one, two = verifier(version="1")(function), verifier(version="2")(function)
    assert one.identity() != two.identity()


def test_locks_loggers_and_caches_are_no_reason_to_ask() -> None:
    """No verdict depends on them."""
    source = (
        "import logging, threading, functools, weakref\nlock, log, local = threading.Lock(), logging.getLogger('x'), "
        "threading.local()\n@functools.cache\ndef g(): return 1\n"
        "def f(response):\n    with lock:\n        log.info('x'); local.x = 1\n        return g()\n"
    )
    assert verifier(defined(source)).verify("x").passed


def test_what_is_too_large_or_too_deep_asks_for_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading is bounded."""
    from verifiers.core import object_reader

    monkeypatch.setattr(object_reader, "MOST_OBJECTS", 100)
    with pytest.raises(ConfigError, match="holds more than can be read"):
        verifier(defined("k = [(n,) for n in range(200)]\ndef f(response): return k[0]"))
    deep = "k = []\nfor _ in range(100_000): k = [k]\ndef f(response): return k"
    monkeypatch.setattr(object_reader, "MOST_OBJECTS", 10**9)
    with pytest.raises(ConfigError, match="nested too deeply"):
        verifier(defined(deep))


def test_circles_end() -> None:
    """Functions that call each other, and objects that hold themselves."""
    source = "def g(n): return f(n)\nk = []\nk.append(k)\ndef f(response, n=0): return g(1) if k and n else {value}"
    assert same(source.format(value=1), source.format(value=1))
    assert not same(source.format(value=1), source.format(value=0))


def test_identity_is_taken_at_construction() -> None:
    """What the function holds may change later on."""
    words = ["a"]
    before = verifier(lambda response: response in words)
    identity = before.identity()
    words.append("b")
    assert before.identity() == identity
    assert verifier(lambda response: response in words).identity() != identity


def test_a_version_is_a_field_of_every_verifier() -> None:
    """A class may say it once for all."""

    @dataclasses.dataclass(frozen=True, repr=False)
    class Held(Verifier):
        lock: Any = dataclasses.field(default_factory=threading.Lock)
        stream: Any = None
        reasons: ClassVar[Mapping[str, str]] = {}

    assert Held().identity() == Held().identity()
    with pytest.raises(
        ConfigError, match=r"Held: its dependencies cannot be known: the field `stream` .* is open"
    ):
        Held(stream=OPEN)
    assert Held(stream=OPEN, version="1") != Held(stream=OPEN, version="2")
    assert ExactMatch(version="2") != ExactMatch()
    assert ExactMatch(version="2").to_spec() == {"ExactMatch": {"version": "2"}}
    assert Judge(version="2") != Judge()


def test_fractions_and_partials_are_read() -> None:
    """Values of every kind, in a partial's arguments as well."""

    def over(least: Any, response: str) -> bool:
        return len(response) > least

    seen = [
        verifier(functools.partial(over, least)).identity()
        for least in (1, Fraction(1, 2), Fraction(1, 3), 1.5, 1j)
    ]
    assert len(set(seen)) == 5


@from_table()
def test_verifiers_that_reach_themselves_are_read(source: str) -> None:
    """By a name that is bound when they are used."""

    def made(value: int) -> Verifier:
        namespace: dict[str, Any] = {"__name__": "__main__", "verifier": verifier, "Verifier": Verifier}
        exec(source.format(value=value), namespace)
        found: Verifier = namespace["f"]
        return found

    one, other = made(1), made(0)
    assert one.identity() == one.identity() == made(1).identity() != other.identity()
    assert pickle.loads(pickle.dumps(one)) == one != made(1)
    assert hash(one) == hash(one)


@pytest.mark.parametrize(
    "source",
    [
        "from random import choice\ndef f(response): return choice([1])",
        "from random import random\ndef f(response): return random()",
        "from os import environ\ndef f(response): return 'x' in environ",
        "from numpy.random import rand\ndef f(response): return rand()",
        "from pathlib import Path\nh = Path(__file__).parent\ndef f(response): return bool(h / __file__)",
        "def f(response): return never_bound if response == 'z' else 1",
    ],
)
def test_what_has_a_state_of_its_own_is_known_by_its_name(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A generator of random numbers, the environment: the same in every process."""
    import random

    import numpy

    seen = []
    for value in "ab":
        monkeypatch.setenv("SOMETHING", value)
        random.random()
        numpy.random.rand()
        made = verifier(defined(source, __file__=f"/tmp/{'same'}/x.py"))
        seen.append(made.identity())
        for _ in range(6):
            hash(made)
    assert len(set(seen)) == 1


def test_a_folder_is_read_only_where_a_field_names_it(tmp_path: Path) -> None:
    """A global may be the root of everything."""
    (tmp_path / "a").write_text("1")
    function = defined("def f(response): return bool(h)", h=tmp_path)
    before = verifier(function).identity()
    (tmp_path / "a").write_text("2")
    assert verifier(defined("def f(response): return bool(h)", h=tmp_path)).identity() == before
    file = defined("def f(response): return bool(h)", h=tmp_path / "a")
    before = verifier(file).identity()
    (tmp_path / "a").write_text("3")
    assert verifier(file).identity() != before
