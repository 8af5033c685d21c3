"""From a reward to plain data."""

from __future__ import annotations

from typing import Any

from verifiers import ConfigError

from ..shape.schedules import Schedule
from ..shape.transforms import Affine, Clip, Penalty, Scheduled
from ..tree.gates import Optional, When
from ..tree.registry import reward_names
from ..tree.reward import Reward
from ..tree.routes import Route
from ..tree.splits import Split
from ..tree.sums import Named, Pay, Scale, Sum
from .models import STEPS


def to_node(reward: Reward) -> Any:
    """The shortest node from which `build` makes an equal reward.

    Raises:
        ConfigError: A reward of a class that recipes cannot name.
    """
    step = _step(reward)
    if step is not None:
        inner, added = step
        return _beside(to_node(inner), added)
    if isinstance(reward, Pay):
        spec = reward.verifier.to_spec()
        beside = {} if reward.reference == "answer" else {"reference": reward.reference}
        if reward.part is not None:
            beside["part"] = reward.part
        return {"pay": spec, **beside} if beside else spec
    if isinstance(reward, Sum):
        return {"sum": [to_node(term) for term in reward.terms]}
    if isinstance(reward, Route):
        route: dict[str, Any] = {"by": reward.by, "routes": {key: to_node(to) for key, to in reward.routes}}
        if reward.otherwise is not None:
            route["otherwise"] = to_node(reward.otherwise)
        return {"route": route}
    if isinstance(reward, Split):
        into = {name: to_node(to) for name, to in reward.into}
        split = {"by": reward.by.to_spec(), "into": into}
        if reward.reference != "answer":
            split["reference"] = reward.reference
        if reward.otherwise is not None:
            split["otherwise"] = reward.otherwise
        return {"split": split}
    name = type(reward).__name__
    if name not in reward_names():
        raise ConfigError(f"{name} is no reward that a recipe can name; register it as an entry point")
    return {name: {key: _plain(value) for key, value in reward._changed().items()}}


def _step(reward: Reward) -> tuple[Reward, dict[str, Any]] | None:
    """What a step is taken on, and the keys that take it."""
    if isinstance(reward, Scheduled):
        return reward.reward, {"scheduled": {name: each.to_spec() for name, each in reward.parameters}}
    if isinstance(reward, Named):
        return reward.reward, {"name": reward.label}
    if isinstance(reward, Affine):
        return reward.reward, {"affine": {"scale": reward.scale, "shift": reward.shift}}
    if isinstance(reward, Penalty):
        return reward.reward, {"penalty": reward.size}
    if isinstance(reward, Clip):
        limits = {"low": reward.low, "high": reward.high}
        return reward.reward, {"clip": {key: value for key, value in limits.items() if value is not None}}
    if isinstance(reward, When):
        gate: dict[str, Any] = {"when": to_node(reward.gate)}
        if reward.otherwise:
            gate["otherwise"] = reward.otherwise
        return reward.reward, gate if reward.at == 1.0 else {**gate, "at": reward.at}
    if isinstance(reward, Optional):
        return reward.reward, {"optional": True}
    if isinstance(reward, Scale):
        return reward.reward, {"weight": _plain(reward.weight)}
    return None


def _beside(node: Any, added: dict[str, Any]) -> dict[str, Any]:
    """The node with a further step: beside its own keys if it comes after them, else around it."""
    if isinstance(node, str):
        return {"pay": node, **added}
    taken = [STEPS.index(key) for key in node if key in STEPS]
    if taken and min(STEPS.index(key) for key in added) <= max(taken):
        return {"of": node, **added}
    return {**node, **added}


def _plain(value: Any) -> Any:
    if isinstance(value, Reward):
        return to_node(value)
    if isinstance(value, Schedule):
        return value.to_spec()
    return list(map(_plain, value)) if isinstance(value, tuple) else value
