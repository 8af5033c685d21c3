"""What another process can find by importing it, and what is loaded there before it is asked."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from verifiers import ExactMatch, MathEquivalence
from verifiers.core.identity.owners import sources_of
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


def test_the_package_of_an_imported_module_is_read_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Importing runs it first: what it holds may change a verdict."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "outer_package"
    (package / "within").mkdir(parents=True)
    for place in (package / "__init__.py", package / "within/__init__.py", package / "within/last.py"):
        place.write_text("")
    (tmp_path / "importing_it.py").write_text("import outer_package.within.last\n")
    assert sources_of("importing_it").keys() >= {
        "importing_it", "outer_package", "outer_package.within", "outer_package.within.last"
    }  # fmt: skip


def test_numbers_in_fields_are_told_apart_by_their_value() -> None:
    """In the digest, too, whatever the name shows: fractions are no whole numbers; 1 and 1.0 are one."""

    def digest(tolerance: float) -> str:
        return MathEquivalence(tolerance=tolerance).identity().rpartition("#")[2]

    assert len({digest(tolerance) for tolerance in (0.0, 0.25, 0.5, 0.75)}) == 4
    assert digest(0) == digest(0.0)
