"""What of a recipe runs programs, or code of the user's: whoever may ask such a server can have it run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import Verifier
from reward_verifiers.verifiers.core.component import Component


def runs_code(reward: Reward) -> list[str]:
    """The parts of a reward that run programs, or code that is not this library's, by their classes.

    >>> from rewards import load_recipe
    >>> runs_code(load_recipe("gsm8k_tags")), runs_code(load_recipe("CodePassRate"))
    ([], ['CodePassRate'])
    """
    found = [each for each in _components(reward, {}) if _runs(each)]
    return list(dict.fromkeys(type(each).__name__ for each in found))


def _runs(component: Component) -> bool:
    return component.runs_own_code() or (isinstance(component, Verifier) and component.runs_programs)


def _components(value: Any, seen: dict[int, Any]) -> Iterator[Component]:
    """A value's components: itself, and those in its fields, however deep."""
    if id(value) in seen:
        return
    seen[id(value)] = value  # held, or its number could become another's
    if isinstance(value, Component):
        yield value
    if isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _components(each, seen)
    elif isinstance(value, dict):
        yield from _components(list(value.values()), seen)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _components(getattr(value, each.name, None), seen)
