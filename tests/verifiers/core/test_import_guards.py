"""What another process can find by importing it, and what is loaded there before it is asked."""

from __future__ import annotations

import sys
import types

import pytest

from verifiers import ExactMatch
from verifiers.core.identity.travel import found_by_name
from verifiers.core.isolation import _ahead


def test_only_what_is_where_its_name_says_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in a module that nobody has loaded, though it could be; nor another object of that name."""
    assert found_by_name(ExactMatch, ExactMatch.__module__, "ExactMatch")
    assert not found_by_name(object(), ExactMatch.__module__, "ExactMatch")
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert not found_by_name(ExactMatch, "colorsys", "hls_to_rgb")
    made = types.ModuleType("made_here")
    made.thing = made  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "made_here", made)
    assert not found_by_name(made, "made_here", "thing"), "no other process has it"


def test_the_module_of_a_class_is_loaded_ahead_where_it_can_be() -> None:
    """A class of a function travels with its task."""

    class Local(ExactMatch):
        pass

    assert _ahead(ExactMatch) == (ExactMatch.__module__,)
    assert _ahead(Local) == ()
