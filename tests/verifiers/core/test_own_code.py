"""What of the user's own code an identity rests on, and what of it goes along to other processes."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import cloudpickle
import pytest

from verifiers import ExactMatch, MathEquivalence
from verifiers.core.component import class_read
from verifiers.core.object_reader import Reader
from verifiers.core.owners import found_by_name, packed, sources_of, unpacked
from verifiers.core.verifier_base import _ahead


def _read(value: object) -> bytes:
    return Reader().read(value)


def test_what_a_module_made_at_run_time_holds_counts() -> None:
    """It has no file: what stands in it is all that there is of it."""
    one, same, other = (types.ModuleType("made_for_this") for _ in range(3))
    one.limit, same.limit, other.limit = 1, 1, 2  # type: ignore[attr-defined]
    assert _read(one) == _read(same) != _read(other)


def test_only_a_class_that_was_installed_brings_its_distribution() -> None:
    """An own one is known by its code."""

    class Own:
        limit = 1

    reader = Reader()
    class_read(Own, reader)
    assert not reader.distributions
    class_read(pytest.MonkeyPatch, reader)
    assert "_pytest" in reader.distributions


def test_a_file_that_is_no_source_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it would import cannot be told; that it changed can."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "uses_a_damaged_one.py").write_text("import damaged_one\n")
    (tmp_path / "damaged_one.py").write_bytes(b"limit = 1\0\n")
    assert set(sources_of("uses_a_damaged_one")) == {"uses_a_damaged_one", "damaged_one"}


def test_a_function_of_a_module_made_at_run_time_goes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it uses there: the other process has no such module."""
    made = types.ModuleType("made_and_packed")
    exec("word = 'a'\ndef judge(text): return float(text == word)", made.__dict__)
    monkeypatch.setitem(sys.modules, made.__name__, made)
    before = cloudpickle.list_registry_pickle_by_value()
    payload = packed(made.judge, "judge")
    assert cloudpickle.list_registry_pickle_by_value() == before  # others' pickling is not changed for good
    monkeypatch.delitem(sys.modules, made.__name__)
    assert (unpacked(payload)("a"), unpacked(payload)("b")) == (1.0, 0.0)


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
