"""Names and specs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifiers
from verifiers import (
    Boxed,
    Component,
    ConfigError,
    ExactMatch,
    FirstOf,
    Inside,
    JsonSchema,
    Keywords,
    Length,
    MathEquivalence,
    Regex,
    Tag,
    TagFormat,
    WholeText,
    from_spec,
    verifier_names,
)
from verifiers.core.registry import BUILT_IN, EXTRACTORS, get_class

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
    for name in [*BUILT_IN, *EXTRACTORS]:
        kind = get_class(name)
        assert kind.__name__ == name
        assert getattr(verifiers, name) is kind
        assert (kind.__doc__ or "").partition("\n")[0].endswith(".")
    for name in BUILT_IN:
        assert get_class(name).reasons, name  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("TagFromat", "there is no verifier or extractor 'TagFromat'; did you mean 'TagFormat'"),
        ({"Regex": {"patern": "x"}}, "Regex has no field 'patern'; did you mean 'pattern'"),
        ({"Regex": {"pattern": "("}}, "the pattern '(' does not compile"),
        ({"Regex": "x", "Length": 1}, "with one name"),
        (17, "a verifier is written as its name"),
        ({"Tag": "<a>"}, "Tag: a name is"),
        ({"TagFormat": {"min_chars": 0}}, "min_chars is a number from 1"),
        ({"TagFormat": {"prefilled": "answer"}}, "prefilled must be the first tag, 'think', got 'answer'"),
        ({"ExactMatch": {"normalize": "x"}}, "normalize must be one of"),
        ({"TokenF1": {"tokens": "x"}}, "tokens must be"),
        ({"MathEquivalence": {"undecided": "x"}}, "undecided must be"),
        ({"Length": {"minimum": 3, "maximum": 2}}, "the band 3 to 2 is empty"),
        ({"Length": {"unit": "x"}}, "unit must be"),
        ({"Length": {"of": "x"}}, "of must be"),
        ({"Length": {"counter": "builtins:len"}}, "a counter counts tokens"),
        ({"Keywords": {"mode": "x"}}, "mode must be"),
        ({"Keywords": [""]}, "words must be non-empty"),
        ({"JsonSchema": "{"}, "the schema is not JSON"),
        ({"JsonSchema": {"schema": {"type": "nothing"}}}, "not a valid schema"),
        ({"FunctionVerifier": "nowhere"}, "an import path is written 'package.module:name'"),
        ({"FunctionVerifier": "json:nothing"}, "cannot be imported"),
        ({"FunctionVerifier": "json:loads"}, "is not decorated with @verifier"),
        ("FunctionVerifier", "missing 1 required positional argument"),
    ],
)
def test_what_cannot_work_says_why(spec: object, message: str) -> None:
    """What is wrong, the value, and the nearest name."""
    with pytest.raises(ConfigError) as error:
        from_spec(spec)
    assert message in str(error.value)


def test_other_distributions_can_register(monkeypatch: pytest.MonkeyPatch) -> None:
    """By an entry point, loaded when it is named."""
    from importlib.metadata import EntryPoint

    from verifiers.core import registry

    plugins = {
        "Even": EntryPoint("Even", "verifiers.text.exact_match:ExactMatch", registry.ENTRY_POINTS),
        "Broken": EntryPoint("Broken", "no_such_module:X", registry.ENTRY_POINTS),
        "Alien": EntryPoint("Alien", "json:loads", registry.ENTRY_POINTS),
    }
    monkeypatch.setattr(registry, "_plugins", lambda: plugins)
    assert "Even" in verifier_names()
    assert from_spec("Even") == ExactMatch()
    with pytest.raises(ConfigError, match=r"the plug-in 'Broken' \(no_such_module:X\) cannot be loaded"):
        from_spec("Broken")
    with pytest.raises(ConfigError, match="not a class of verifiers"):
        from_spec("Alien")
