"""What holds for every component, the built-in ones and those of third parties."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from typing import Any

import pytest

import rewards
from rewards.tree.reward import NODES, REWARDS
from rewards.tree.schedules import SCHEDULES
from rewards.tree.splits import SPLITTERS
from tests.support import in_groups
from verifiers.core import EXTRACTORS, VERIFIERS, Component, Registry, Sample, Verdict, Verifier, load

REGISTRIES: list[Registry[Any]] = [VERIFIERS, EXTRACTORS, NODES, REWARDS, SCHEDULES, SPLITTERS]
CLASSES = [registry.get(name) for registry in REGISTRIES for name in sorted(registry.homes())]


@in_groups(CLASSES, lambda kind: kind.__name__)
def test_it_is_frozen_and_hashable_and_prints_as_its_recipe(kind: type[Component]) -> None:
    """Components are keys of caches and of a batch's payments: nothing may change one after it is made."""
    settings = vars(kind)["__dataclass_params__"]  # its own, not what it inherits
    assert settings.frozen
    assert settings.eq
    assert kind.__repr__ is Component.__repr__
    assert kind.__hash__ is not None


def test_bases_are_frozen_and_print_as_their_recipe() -> None:
    """A subclass could not be frozen otherwise, and would print every default."""
    for name in (
        "verifiers.core:Verifier",
        "rewards.shape.form_rewards:_ByLength",
        "rewards.shape.transforms:_Change",
    ):
        kind = load(name)
        assert kind.__dataclass_params__.frozen
        assert kind.__repr__ is Component.__repr__


@pytest.mark.parametrize("kind", [Sample, Verdict], ids=lambda kind: kind.__name__)
def test_what_is_judged_and_said_is_frozen(kind: Any) -> None:
    """And small: a batch holds thousands."""
    assert kind.__dataclass_params__.frozen
    assert not hasattr(kind, "__dict__") or "__dict__" not in dir(kind)


def test_a_field_is_what_it_was_set_to() -> None:
    """A component cannot be changed."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        rewards.Linear(1.0, 0.0).start = 2.0  # type: ignore[misc]


def test_a_verdict_of_a_plug_in_is_copied() -> None:
    """One constant verdict for every row keeps its own time, and the rows have theirs."""

    @dataclasses.dataclass(frozen=True, repr=False)
    class Constant(Verifier):
        needs_reference = False

        def check(self, sample: Sample) -> Verdict:
            return CONSTANT

    first, second = Constant().verify("a"), Constant().verify_batch(["b"])[0]
    assert CONSTANT.seconds == 0.0
    assert first == second == CONSTANT
    assert first is not CONSTANT
    assert first.seconds > 0.0


CONSTANT = Verifier().scored(1.0, "constant")


CHANGED = {"Payment"}
"""Made by the thousand, for which a frozen class takes twice as long."""
BY_IDENTITY = {"Batch"}
"""Compared as the object that it is."""


def _dataclasses(*packages: str) -> list[type[Any]]:
    found: dict[type[Any], None] = {}
    for package in packages:
        root = importlib.import_module(package)
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            members = inspect.getmembers(importlib.import_module(info.name), inspect.isclass)
            found |= {
                kind: None
                for _, kind in members
                if dataclasses.is_dataclass(kind) and kind.__module__ == f"reward_verifiers.{info.name}"
            }
    return list(found)


@pytest.mark.parametrize(
    "kind",
    _dataclasses(
        "verifiers.core", "verifiers.extract", "verifiers.korean", "verifiers.text", "verifiers.code.suites",
        "rewards.tree", "rewards.shape",
    ),
    ids=lambda kind: kind.__qualname__,
)  # fmt: skip
def test_what_is_handed_on_is_frozen(kind: Any) -> None:
    """Rows, verdicts, payments, plans: several parts hold the same one."""
    assert kind.__dataclass_params__.frozen == (kind.__name__ not in CHANGED)
    assert kind.__dataclass_params__.eq == (kind.__name__ not in BY_IDENTITY)
