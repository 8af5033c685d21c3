"""From names to verifiers and extractors, and between instances and plain data (specs)."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import typing
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import ConfigError, located, nearest
from .checks import field_types
from .component import Component, Spec, first_field

ENTRY_POINTS = "reward_verifiers.verifiers"
"""The entry-point group under which other distributions register verifiers and extractors."""

BUILT_IN = {
    "BertScore": "verifiers.metrics.bert_score",
    "Bleu": "verifiers.metrics.bleu_and_chrf",
    "Bleurt": "verifiers.metrics.bleurt",
    "Chrf": "verifiers.metrics.bleu_and_chrf",
    "CodePassRate": "verifiers.code.pass_rate",
    "ExactMatch": "verifiers.text.exact_match",
    "FunctionVerifier": "verifiers.core.functions",
    "JsonSchema": "verifiers.text.json_schema",
    "Judge": "verifiers.judge.function_judge",
    "Keywords": "verifiers.text.constraints",
    "KoreanAnswerTemplate": "verifiers.korean.answer_template",
    "LanguageConsistency": "verifiers.text.language_consistency",
    "Length": "verifiers.text.constraints",
    "MathEquivalence": "verifiers.maths.equivalence",
    "MultipleChoice": "verifiers.text.multiple_choice",
    "ReasoningGym": "verifiers.judge.reasoning_gym",
    "Regex": "verifiers.text.constraints",
    "Repetition": "verifiers.text.repetition",
    "Rouge": "verifiers.metrics.rouge",
    "SemanticSimilarity": "verifiers.metrics.semantic_similarity",
    "TagFormat": "verifiers.text.tag_format",
    "TokenF1": "verifiers.text.token_f1",
}
"""Verifiers, by the module that defines them; loaded when they are asked for."""

EXTRACTORS = {
    "AnswerPhrase": "verifiers.extract.phrases",
    "BareAnswer": "verifiers.extract.chain",
    "Boxed": "verifiers.extract.boxed",
    "CodeBlock": "verifiers.extract.code_block",
    "FirstOf": "verifiers.extract.chain",
    "HashMarks": "verifiers.extract.hash_marks",
    "Inside": "verifiers.extract.chain",
    "LastLabel": "verifiers.text.multiple_choice",
    "LastNumber": "verifiers.extract.numbers",
    "OnlyNumber": "verifiers.extract.numbers",
    "Tag": "verifiers.extract.tags",
    "WholeText": "verifiers.extract.chain",
}


@functools.cache
def _plugins() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def verifier_names() -> list[str]:
    """Every verifier that can be named, those of other distributions included; none is imported."""
    return sorted({*BUILT_IN, *_plugins()})


def get_class(name: str) -> type[Component]:
    """The verifier or extractor of that name.

    Raises:
        ConfigError: There is none, or another distribution's entry point cannot be loaded.
    """
    module = BUILT_IN.get(name) or EXTRACTORS.get(name)
    if module is not None:
        found = getattr(importlib.import_module(module), name)
    elif name in _plugins():
        found = load_plugin(_plugins()[name])
    else:
        known = [*verifier_names(), *EXTRACTORS]
        raise ConfigError(f"there is no verifier or extractor {name!r}{nearest(name, known)}")
    if not (isinstance(found, type) and issubclass(found, Component)):
        raise ConfigError(f"{name!r} is registered but is {found!r}, not a class of verifiers")
    return found


def load_plugin(entry: EntryPoint) -> Any:
    """What another distribution registered.

    Raises:
        ConfigError: It cannot be loaded.
    """
    try:
        return entry.load()
    except Exception as error:
        raise ConfigError(f"the plug-in {entry.name!r} ({entry.value}) cannot be loaded: {error}") from error


def from_spec(spec: Spec) -> Any:
    """Build a verifier or extractor from plain data; `Component.to_spec` writes it.

    Args:
        spec: ``"ExactMatch"``, ``{"Tag": "SOLUTION"}`` (the first field), or
            ``{"Regex": {"pattern": "x", "full": True}}`` (fields by name).

    Raises:
        ConfigError: An unknown name or field (the nearest one is offered), or an unusable value.

    >>> from_spec({"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}})
    MathEquivalence(extract=Tag(name='SOLUTION'))
    >>> from_spec("ExactMtach")
    Traceback (most recent call last):
    ...
    verifiers.errors.ConfigError: there is no verifier or extractor 'ExactMtach'; did you mean 'ExactMatch'?
    """
    if isinstance(spec, Component):
        return spec
    if isinstance(spec, str):
        return construct(get_class(spec), {})
    if isinstance(spec, dict) and len(spec) == 1:
        [(name, arguments)] = spec.items()
        with located(str(name)):
            return construct(get_class(str(name)), arguments)
    raise ConfigError(
        f"a verifier is written as its name or as {{name: arguments}} with one name, got {spec!r:.120}"
    )


def construct(kind: type[Component], arguments: Any, build: Callable[[Any, Any], Any] | None = None) -> Any:
    """Build a component from plain arguments.

    Args:
        kind: The component.
        arguments: A mapping of fields, or what the first field holds.
        build: Makes a field's value from plain data and the field's type.

    Raises:
        ConfigError: An unknown field (the nearest one is offered), or an unusable value.
    """
    hints = field_types(kind)  # type: ignore[arg-type]  # a class is hashable
    build = build or _value
    values = {}
    if isinstance(arguments, dict):
        names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        for name, value in arguments.items():
            with located(str(name)):
                if name not in names:
                    raise ConfigError(f"{kind.__name__} has no field {name!r}{nearest(str(name), names)}")
                values[name] = build(value, hints.get(name))
    else:
        first = first_field(kind)
        if first is None:
            raise ConfigError(f"{kind.__name__} takes no argument, got {arguments!r:.80}")
        values[first] = build(arguments, hints.get(first))
    try:
        return kind(**values)
    except TypeError as error:
        raise ConfigError(f"{kind.__name__}: {error}") from error


def _value(value: Any, hint: Any) -> Any:
    """Plain data as a field wants it: components are built, lists become tuples."""
    if _wants_component(hint):
        if isinstance(value, list):
            return tuple(_item(position, item) for position, item in enumerate(value))
        return from_spec(value) if value is not None else None
    return tuple(_value(item, None) for item in value) if isinstance(value, list) else value


def _item(position: int, spec: Spec) -> Any:
    with located(position):
        return from_spec(spec)


def _wants_component(hint: Any) -> bool:
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        return issubclass(hint, Component)
    return any(_wants_component(part) for part in typing.get_args(hint))
