"""Building a reward from plain data: the typed models of a recipe, and the rewards made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, field, fields
from typing import Any, TypeVar

from reward_verifiers.verifiers.core import (
    VERIFIERS,
    Component,
    ConfigError,
    Registry,
    Verifier,
    build_named,
    construct,
    from_spec,
    frozen,
    holds,
    located,
    nearest,
    verifier_names,
)
from reward_verifiers.verifiers.runtime.records import dataclass

from ..shape.combinations import First, Max, Min, Number, Product
from ..shape.transforms import Affine, Clip, Penalty, Scheduled
from ..tree.gates import Optional, Route, When
from ..tree.pay import Pay
from ..tree.reward import REWARDS, Reward, reward_names
from ..tree.schedules import SCHEDULES, Schedule
from ..tree.splits import SPLITTERS, Split, Splitter
from ..tree.sums import STEPS, Named, Scale, Sum

Model = TypeVar("Model")


def _fault(said: str, given: object) -> ConfigError:
    return ConfigError(f"{said}, got {given!r:.80}")


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _fault("input should be a valid number", value)
    try:
        found = float(value)
    except OverflowError:
        raise _fault("input should be a valid number", value) from None
    if not math.isfinite(found):
        raise _fault("input should be a finite number", value)
    return found


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise _fault("input should be a valid string", value)
    return value


def _text(value: Any) -> str:
    if not _string(value):
        raise _fault("string should have at least 1 character", value)
    return str(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _fault("input should be a valid boolean", value)
    return value


def _items(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise _fault("input should be a valid list", value)
    if not value:
        raise _fault("list should have at least 1 item after validation, not 0", value)
    return list(value)


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _fault("input should be a valid dictionary", value)
    if not value:
        raise _fault("dictionary should have at least 1 item after validation, not 0", value)
    for key in value:
        with located(key):
            _string(key)
    return dict(value)


def _routes(value: Any) -> dict[str, Any]:
    """Read a table by a column's value, which may be a number."""
    numbered = isinstance(value, Mapping)
    return _table(
        {str(int(key)) if isinstance(key, int) else key: each for key, each in value.items()}
        if numbered
        else value
    )


def _of(model: type[Model]) -> Callable[[Any], Model]:
    def read(value: Any) -> Model:
        if not isinstance(value, dict):
            raise _fault(f"input should be a valid dictionary or instance of {model.__name__}", value)
        return validate(model, value)

    return read


def _read(how: Callable[[Any], Any], key: str = "") -> dict[str, Any]:
    """Describe a field: what reads its value, and its key where that is no name of Python's."""
    return {"how": how, "key": key}


@dataclass(frozen=True, slots=True)
class RecipeModel:
    """The file: a reward, and its purpose."""

    reward: Any
    description: str = field(default="", metadata=_read(_string))
    schema: str = field(default="", metadata=_read(_string, "$schema"))


@dataclass(frozen=True, slots=True)
class ClipModel:
    """Limits of a value."""

    low: float | None = field(default=None, metadata=_read(_finite))
    high: float | None = field(default=None, metadata=_read(_finite))


@dataclass(frozen=True, slots=True)
class AffineModel:
    """``scale * value + shift``."""

    scale: float = field(default=1.0, metadata=_read(_finite))
    shift: float = field(default=0.0, metadata=_read(_finite))


@dataclass(frozen=True, slots=True)
class RouteModel:
    """A reward for each value of a column."""

    by: str = field(metadata=_read(_text))
    routes: dict[str, Any] = field(metadata=_read(_routes))
    otherwise: Any = None


@dataclass(frozen=True, slots=True)
class SplitModel:
    """A reward for each part of an answer."""

    by: Any
    into: dict[str, Any] = field(metadata=_read(_table))
    reference: str = field(default="answer", metadata=_read(_text))
    otherwise: float | None = field(default=None, metadata=_read(_finite))


@dataclass(frozen=True, slots=True)
class HeadModel:
    """The head of a node: exactly one of these keys, or the name of a verifier or reward."""

    pay: Any = None
    reference: str = field(default="answer", metadata=_read(_text))
    part: str | None = field(default=None, metadata=_read(_text))
    sum: list[Any] | None = field(default=None, metadata=_read(_items))
    product: list[Any] | None = field(default=None, metadata=_read(_items))
    max: list[Any] | None = field(default=None, metadata=_read(_items))
    min: list[Any] | None = field(default=None, metadata=_read(_items))
    first: list[Any] | None = field(default=None, metadata=_read(_items))
    route: RouteModel | None = field(default=None, metadata=_read(_of(RouteModel)))
    split: SplitModel | None = field(default=None, metadata=_read(_of(SplitModel)))
    of: Any = None


@dataclass(frozen=True, slots=True)
class StepsModel:
    """The steps after a head, in this order."""

    scheduled: dict[str, Any] | None = field(default=None, metadata=_read(_table))
    name: str | None = field(default=None, metadata=_read(_text))
    affine: AffineModel | None = field(default=None, metadata=_read(_of(AffineModel)))
    penalty: float | None = field(default=None, metadata=_read(_finite))
    clip: ClipModel | None = field(default=None, metadata=_read(_of(ClipModel)))
    when: Any = None
    otherwise: float = field(default=0.0, metadata=_read(_finite))
    at: float = field(default=1.0, metadata=_read(_finite))
    optional: bool = field(default=False, metadata=_read(_truth))
    weight: Any = 1.0


BESIDE = ("reference", "part")
"""Keys that go with a verifier."""
COMBINED = ("product", "max", "min", "first")
"""Heads of a list of rewards, besides their sum."""
HEADS = ("pay", "sum", *COMBINED, "route", "split", "of")


def validate(model: type[Model], data: dict[str, Any]) -> Model:
    """Read data as a model.

    Raises:
        ConfigError: The data does not fit; the first problem, with its place in `path`.
    """
    keys = {each.metadata.get("key") or each.name: each for each in fields(model)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    problems: list[ConfigError] = []
    for key, each in keys.items():
        if key not in data:
            if each.default is MISSING:
                problems.append(ConfigError(f"the key {key!r} is missing"))
            continue
        value, how = data[key], each.metadata.get("how")
        try:
            with located(key):
                values[each.name] = value if how is None or (value is None is each.default) else how(value)
        except ConfigError as problem:
            problems.append(problem)
    for key in data:
        if key not in keys:
            unknown = ConfigError(f"{_UNKNOWN} {key!r}{nearest(str(key), list(keys))}")
            found = unknown if isinstance(key, str) else _fault("keys should be strings", key)
            found.path = (key,)
            problems.append(found)
    if problems:
        # A misspelled key is the cause; the key that is then missing is its effect.
        raise next((each for each in problems if str(each).startswith(_UNKNOWN)), problems[0])
    return model(**values)


_UNKNOWN = "unknown key"


def build_recipe(data: Any) -> tuple[Reward, str]:
    """Build the reward of a recipe, and return it with its description.

    Raises:
        ConfigError: The data is not a recipe; `path` says where.
    """
    if not isinstance(data, dict):
        raise ConfigError(f"a recipe is a mapping with the key 'reward', got {type(data).__name__}")
    recipe = validate(RecipeModel, data)
    with located("reward"):
        if isinstance(recipe.reward, int | float):
            raise ConfigError(
                "a reward is written as a verifier's or reward's name, or as a mapping; a number "
                f"stands beside others in a sum, product, max, min or first, got {recipe.reward!r}"
            )
        return build(recipe.reward), recipe.description


def build(node: Any) -> Reward:
    """Build the reward of a node.

    Raises:
        ConfigError: The node cannot be read; `path` says where in it.
    """
    if isinstance(node, str):
        return _component(node, {})
    if isinstance(node, int | float) and not isinstance(node, bool):
        return Number(node)
    if not isinstance(node, dict):
        raise ConfigError(
            f"a reward is written as a verifier's or reward's name, or as a mapping; got {node!r:.80}"
        )
    names = {*verifier_names(), *reward_names()}
    heads = [key for key in node if key in HEADS or key in names]
    others = [key for key in node if key not in heads and key not in STEPS and key not in BESIDE]
    if others:
        _unknown(str(others[0]), heads, names)
    if len(heads) != 1:
        with located(*heads[1:2]):
            raise ConfigError(
                f"a reward has one of {', '.join(HEADS)} or one name, got {heads or list(node)}"
            )
    head = heads[0]
    stray = [key for key in BESIDE if key in node and head in HEADS and head != "pay"]
    if stray:
        with located(stray[0]):
            raise ConfigError(f"{stray[0]!r} goes with a verifier, not with {head!r}")
    for key in BESIDE:
        if key in node and node[key] is None:
            with located(key):
                raise ConfigError(f"{key!r} is empty; give it a value, or leave it out")
    reward = _head(head, node)
    return _steps(reward, {key: value for key, value in node.items() if key in STEPS})


def _unknown(key: str, heads: list[str], names: set[str]) -> None:
    with located(key):
        if not heads:
            raise ConfigError(f"there is no verifier or reward {key!r}{nearest(key, [*names, *HEADS])}")
        raise ConfigError(f"unknown key {key!r} next to {heads[0]!r}{nearest(key, [*STEPS, *BESIDE])}")


def _head(head: str, node: dict[str, Any]) -> Reward:
    beside = {key: node[key] for key in BESIDE if key in node}
    if head not in HEADS:
        with located(head):
            reward = _component(head, {} if node[head] is None else node[head])
        if beside:
            if not isinstance(reward, Pay):
                with located(next(iter(beside))):
                    raise ConfigError(f"{next(iter(beside))!r} goes with a verifier, not with {head}")
            reward = _pay(reward.verifier, validate(HeadModel, beside))
        return reward
    model = validate(HeadModel, {head: node[head], **beside})
    if head == "pay":
        with located(head):
            verifier = from_spec(node["pay"])
        return _pay(verifier, model)
    with located(head):
        if head == "of":
            return build(node["of"])
        if model.route is not None:
            routes = {str(key): _at("routes", key, each) for key, each in model.route.routes.items()}
            last = model.route.otherwise
            return Route(
                model.route.by, tuple(routes.items()), None if last is None else _at("otherwise", last)
            )
        if model.split is not None:
            into = {name: _at("into", name, each) for name, each in model.split.into.items()}
            with located("by"):
                by = _value(model.split.by, Splitter)
            return Split(by, tuple(into.items()), model.split.reference, model.split.otherwise)
        listed = getattr(model, head)
        made = tuple(_at(position, each) for position, each in enumerate(listed))
        return _COMBINED[head](made) if head in _COMBINED else Sum(made)


def _pay(verifier: Verifier, model: HeadModel) -> Pay:
    with located(*(["part"] if model.part else [])):
        return Pay(verifier, model.reference, model.part)


def _at(*path_and_node: Any) -> Reward:
    *path, node = path_and_node
    with located(*path):
        return build(node)


def _steps(reward: Reward, given: dict[str, Any]) -> Reward:
    """Apply the keys next to the head to the reward, in the order of `StepsModel`."""
    for key, value in given.items():
        if value is None:
            with located(key):
                raise ConfigError(f"{key!r} is empty; give it a value, or leave it out")
    steps = validate(StepsModel, given)
    if steps.scheduled is not None:
        with located("scheduled"):
            pairs = [(name, _named_schedule(name, each)) for name, each in sorted(steps.scheduled.items())]
            reward = Scheduled(reward, tuple(pairs))
    if steps.name is not None:
        with located("name"):
            reward = Named(reward, steps.name)
    if steps.affine is not None:
        reward = Affine(reward, steps.affine.scale, steps.affine.shift)
    if steps.penalty is not None:
        with located("penalty"):
            reward = Penalty(reward, steps.penalty)
    if steps.clip is not None:
        with located("clip"):
            reward = Clip(reward, steps.clip.low, steps.clip.high)
    if "when" in given:
        with located("when"):
            reward = When(reward, build(steps.when), steps.otherwise, steps.at)
    elif stray := [key for key in ("otherwise", "at") if key in given]:
        with located(stray[0]):
            raise ConfigError(f"{stray[0]!r} goes with 'when', which is not there")
    if steps.optional:
        reward = Optional(reward)
    if "weight" in given:
        with located("weight"):
            reward = Scale(_weight(steps.weight), reward)
    return reward


def _weight(value: Any) -> float | Schedule:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError as error:
            raise ConfigError("weight is too large") from error
    if isinstance(value, dict):
        return _schedule(value)
    raise ConfigError(
        f"weight must be a number or a schedule such as {{Linear: {{start: 1, end: 0}}}}, got {value!r:.80}"
    )


def _named_schedule(name: str, value: Any) -> Schedule:
    with located(name):
        return _schedule(value)


def _schedule(value: Any) -> Schedule:
    made = _value(value, Schedule)
    if not isinstance(made, Schedule):
        raise ConfigError(f"a schedule is one of {', '.join(SCHEDULES.names())}, got {value!r:.80}")
    return made


def _component(name: str, arguments: Any) -> Reward:
    # The library's own verifiers first: what others install is searched for other names alone.
    if name not in VERIFIERS.homes() and name in reward_names():
        reward: Reward = construct(REWARDS.get(name), arguments, _value)
        return reward
    return Pay(construct_verifier(name, arguments))


def construct_verifier(name: str, arguments: Any) -> Any:
    """Construct a verifier by its name.

    Raises:
        ConfigError: There is none of that name, or the arguments do not fit.
    """
    if name not in VERIFIERS:
        known = [*verifier_names(), *reward_names()]
        raise ConfigError(f"there is no verifier or reward {name!r}{nearest(name, known)}")
    return construct(VERIFIERS.get(name), arguments)


def _value(value: Any, hint: Any) -> Any:
    """Convert plain data to the value of a reward's field."""
    for kind, registry in _FAMILIES:
        if holds(hint, kind) and isinstance(value, str | dict):
            return build_named(value, f"a {registry.noun}", registry)
    return build(value) if holds(hint, Reward) else frozen(value)


_COMBINED: dict[str, Callable[[tuple[Reward, ...]], Reward]] = {
    "product": Product,
    "max": Max,
    "min": Min,
    "first": First,
}
_FAMILIES: tuple[tuple[type[Component], Registry[Any]], ...] = ((Schedule, SCHEDULES), (Splitter, SPLITTERS))
