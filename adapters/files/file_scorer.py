"""The scorer of a file, which its first row may fit to it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from verifiers import ConfigError
from verifiers.core.calling.references import REFERENCE, reference_column, taken_for_reference

from .chunk_scorer import WRITTEN, Scorer


def fitted(scorer: Scorer, row: Mapping[str, Any], where: str, note: Callable[[str], None]) -> Scorer:
    """A scorer for a file with this first row, whose references may have another name than `answer`.

    Args:
        scorer: As it was asked for; a reference field that was chosen stays.
        row: The first row.
        where: What messages call it.
        note: Called with a sentence if another column is taken.

    Raises:
        ConfigError: The row lacks a column, or has several that could hold the references.
    """
    if scorer.reference_field == REFERENCE and scorer.reward.reads_references():
        found = reference_field(row, where)
        if found not in (None, REFERENCE):
            note(f"{where}: {taken_for_reference(found)}; choose another with --reference-field")
            scorer = replace(scorer, reference_field=found)
    scorer.check_columns(row, where)
    # An earlier scoring has all of them, and is meant to be replaced.
    taken = [name for name in WRITTEN if name in row]
    if taken and len(taken) < len(WRITTEN):
        shown = " and ".join(repr(name) for name in taken)
        note(f"{where}: scoring writes columns of its own over {shown}; rename these to keep them")
    return scorer


def reference_field(row: Mapping[str, Any], where: str) -> str | None:
    """The column with the references of a file with this first row.

    Raises:
        ConfigError: There are several that could be it.
    """
    try:
        return reference_column(row, "--reference-field NAME")
    except ConfigError as problem:
        raise ConfigError(f"{where}: {problem}") from None


class FileScorer:
    """The scorer of a file; its first row fits it.

    Args:
        scorer: As it was asked for.
        note: Called with a sentence about the file.
    """

    def __init__(self, scorer: Scorer, note: Callable[[str], None]) -> None:
        self.scorer, self._note = scorer, note
        self._pickled: bytes | None = None

    def fit(self, row: Mapping[str, Any], where: str) -> None:
        """Fit it; see `fitted`."""
        self.scorer, self._pickled = fitted(self.scorer, row, where, self._note), None

    def pickled(self) -> bytes:
        """For other processes."""
        if self._pickled is None:
            _ = self.scorer.signature  # one for all processes
            self._pickled = pickle.dumps(self.scorer)
        return self._pickled
