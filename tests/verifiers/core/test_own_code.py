"""What of the user's own code an identity rests on, and what of it goes along to other processes."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import cloudpickle
import pytest

from verifiers import Verdict
from verifiers.core.completions import split_thinking
from verifiers.core.component import class_read
from verifiers.core.object_reader import Reader
from verifiers.core.owners import packed, sources_of, unpacked
from verifiers.core.verdicts import Sample, Status


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


def test_how_a_completion_was_taken_apart_is_no_part_of_a_sample() -> None:
    assert Sample("4", "4", split=split_thinking("4")) == Sample("4", "4")


def test_a_notebook_shows_the_parts_of_parts() -> None:
    def over(name: str, *parts: Verdict) -> Verdict:
        return Verdict(verifier=name, status=Status.SCORED, score=1.0, reason="so", parts=parts)

    shown = over("outer", over("middle", over("inner")))._repr_html_()
    assert shown.index("outer") < shown.index("middle") < shown.index("inner")


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
