"""Names and specs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifiers
from tests.support import ROOT, from_table
from verifiers import (
    Boxed,
    Component,
    ConfigError,
    ExactMatch,
    Extractor,
    FirstOf,
    Inside,
    JsonSchema,
    Keywords,
    Length,
    MathEquivalence,
    Regex,
    Repetition,
    Sample,
    Tag,
    TagFormat,
    Verdict,
    Verifier,
    WholeText,
    from_spec,
    verifier_names,
)
from verifiers.core import EXTRACTORS, VERIFIERS, Range

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True)
EXTRACTOR = st.recursive(
    st.sampled_from([Boxed(), WholeText()]) | st.builds(Tag, NAMES | st.lists(NAMES, min_size=1).map(tuple)),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda found: FirstOf(*found))
        | st.builds(Inside, inner, inner)
    ),
    max_leaves=4,
)
COMPONENTS = (
    EXTRACTOR
    | st.builds(ExactMatch, extract=EXTRACTOR, ignore_case=st.booleans())
    | st.builds(MathEquivalence, extract=EXTRACTOR, undecided=st.sampled_from(["wrong", "unscored"]))
    | st.builds(
        TagFormat, st.lists(NAMES, min_size=1, max_size=3, unique_by=str.casefold).map(tuple), st.booleans()
    )
    | st.builds(Keywords, st.lists(NAMES).map(tuple))
    | st.builds(Length, st.integers(0, 5), st.none() | st.integers(5, 9))
    | st.builds(Regex, st.sampled_from(["a", "b+"]), st.booleans())
    | st.sampled_from([JsonSchema({"type": "object"}), JsonSchema()])
)


@given(COMPONENTS)
def test_specs_round_trip(component: Component) -> None:
    """to_spec and from_spec are inverses, and so are repr and its evaluation."""
    assert from_spec(component.to_spec()) == component
    assert eval(repr(component), vars(verifiers)) == component


def test_every_name_loads_and_is_documented() -> None:
    """With one sentence of judgement, and reasons for each verifier."""
    for registry in (VERIFIERS, EXTRACTORS):
        for name in registry.homes():
            kind = registry.get(name)
            assert kind.__name__ == name
            assert getattr(verifiers, name) is kind
            assert (kind.__doc__ or "").partition("\n")[0].endswith(".")
    for name in VERIFIERS.homes():
        assert VERIFIERS.get(name).reasons, name


def test_no_module_is_imported_to_know_a_name() -> None:
    """And a name is registered in one place only."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "verifiers").rglob("*.py")]
    for name in VERIFIERS.homes():
        assert (
            sum(f".register\n@dataclass(frozen=True, repr=False)\nclass {name}(" in each for each in sources)
            == 1
        )
    code = "from verifiers import verifier_names; import sys; verifier_names()\n"
    code += "assert not [each for each in sys.modules if each.startswith('reward_verifiers.verifiers.text')]"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@dataclass(frozen=True, repr=False)
class Politeness(Verifier):
    """The completion says please."""

    mode: Literal["any", "all"] = "any"
    share: Annotated[float, Range(0, 1)] = 1.0
    words: tuple[str, ...] = ("please",)
    least: Annotated[int, Range(above=0)] | None = None
    extract: Extractor = field(default=WholeText())

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        return self.scored(1.0, "said")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mode": "alll"}, "Politeness: mode must be 'any' or 'all', got 'alll'; did you mean 'all'?"),
        ({"mode": 1}, "Politeness: mode must be 'any' or 'all', got 1"),
        ({"share": 1.5}, "Politeness: share must be a number from 0 to 1, got 1.5"),
        ({"share": True}, "Politeness: share must be a number from 0 to 1, got True"),
        ({"share": float("nan")}, "Politeness: share must be a number from 0 to 1, got nan; it must be finite"),
        ({"words": ("a", 1)}, "Politeness: words must be strings, got ('a', 1)"),
        ({"least": 0}, "Politeness: least must be a whole number above 0 or None, got 0"),
        ({"least": 1.0}, "Politeness: least must be a whole number above 0 or None, got 1.0"),
        ({"extract": "Boxed"}, "Politeness: extract must be an Extractor, got 'Boxed'"),
        ({"extract": Keywords()}, "Politeness: extract must be an Extractor, got Keywords()"),
        ({"extract": None}, "Politeness: extract must be an Extractor, got None"),
        ({"extract": [Boxed()]}, "Politeness: extract must be an Extractor, got [Boxed()]"),
        ({"isolate": "yes"}, "Politeness: isolate must be True or False, got 'yes'"),
    ],
)  # fmt: skip
def test_fields_of_anybodys_component_are_checked(fields: dict[str, object], message: str) -> None:
    """By its annotations alone: the message has the choices, the value, and the nearest one."""
    with pytest.raises(ConfigError) as error:
        Politeness(**fields)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_what_is_meant_is_taken() -> None:
    """A list or a single string for a tuple, a whole number for a number."""
    made = Politeness(words=["a", "b"], share=1)  # type: ignore[arg-type]
    assert (made.words, made.share) == (("a", "b"), 1)
    assert Politeness(words="thanks").words == ("thanks",)  # type: ignore[arg-type]
    assert hash(made) == hash(Politeness(words=("a", "b"), share=1))


def test_a_class_of_this_process_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts and notebooks need no entry point."""
    monkeypatch.setattr(VERIFIERS, "_classes", {})
    VERIFIERS.register(Politeness)
    assert from_spec({"Politeness": {"mode": "all"}}) == Politeness(mode="all")
    assert "Politeness" in verifier_names()


def test_registries_refuse_what_is_not_theirs() -> None:
    """A class of another kind, and a name of the library."""
    with pytest.raises(ConfigError, match="VERIFIERS registers classes of Verifier, got <class"):
        VERIFIERS.register(Boxed)  # type: ignore[arg-type]
    stranger = type("ExactMatch", (Politeness,), {"__module__": "somewhere"})
    with pytest.raises(
        ConfigError, match="this library has a verifier 'ExactMatch'; give yours another name"
    ):
        VERIFIERS.register(stranger)


@from_table()
def test_what_cannot_work_says_why(spec: object, message: str) -> None:
    """What is wrong, the value, and the nearest name."""
    with pytest.raises(ConfigError) as error:
        from_spec(spec)
    assert message in str(error.value)


def test_other_distributions_can_register(monkeypatch: pytest.MonkeyPatch) -> None:
    """By an entry point, loaded when it is named."""
    from importlib.metadata import EntryPoint

    from verifiers.core import registry

    group = "reward_verifiers.verifiers"
    plugins = {
        "Even": EntryPoint("Even", "verifiers.text.exact_match:ExactMatch", group),
        "Broken": EntryPoint("Broken", "no_such_module:X", group),
        "Alien": EntryPoint("Alien", "json:loads", group),
    }
    monkeypatch.setattr(registry, "_plugins", lambda asked: plugins if asked == group else {})
    assert "Even" in verifier_names()
    assert from_spec("Even") == ExactMatch()
    with pytest.raises(ConfigError, match=r"the plug-in 'Broken' \(no_such_module:X\) cannot be loaded"):
        from_spec("Broken")
    with pytest.raises(ConfigError, match="not a class of Verifier"):
        from_spec("Alien")


@pytest.mark.parametrize(
    ("component", "spec", "described"),
    [
        (ExactMatch(), "ExactMatch", "ExactMatch"),
        (Tag("a"), {"Tag": "a"}, 'Tag("a")'),
        (Tag("a", ignore_case=False), {"Tag": {"name": "a", "ignore_case": False}}, 'Tag({"name":"a","ignore_case":false})'),
        (Keywords(("a", "b")), {"Keywords": ["a", "b"]}, 'Keywords(["a","b"])'),
        (Keywords(isolate=True), {"Keywords": {"isolate": True}}, 'Keywords({"isolate":true})'),
        (Length(2), {"Length": 2}, "Length(2)"),
        (ExactMatch(Tag("정답")), {"ExactMatch": {"Tag": "정답"}}, None),
    ],
)  # fmt: skip
def test_a_component_is_its_spec(component: Any, spec: Any, described: str | None) -> None:
    """In the shortest form that builds an equal one."""
    if described is not None:
        assert component.to_spec() == spec
        assert component.describe() == described
    assert from_spec(component.to_spec()) == component if isinstance(component, Verifier) else True


@pytest.mark.parametrize(
    "make",
    [
        lambda: Length(True),
        lambda: Length(1.5),
        lambda: Length(3, 2),
        lambda: Length(-1),
        lambda: Length(counter="len"),
        lambda: Keywords((1,)),
        lambda: Keywords(("",)),
        lambda: Keywords((" ",)),
        lambda: Repetition(0),
        lambda: Repetition(51),
        lambda: Repetition(unit="tokens", of="response"),
        lambda: ExactMatch(isolate=1),
        lambda: ExactMatch(ignore_case="yes"),
    ],
)
def test_a_field_that_makes_no_sense_is_refused_at_once(make: Any) -> None:
    """When the verifier is made, and not row by row."""
    with pytest.raises(ConfigError):
        make()
    assert Repetition(50).n == 50
    assert Repetition(1).n == 1
    assert Length(0, 0).maximum == 0
