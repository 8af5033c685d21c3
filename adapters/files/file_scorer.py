"""The scorer of a file, which its first row may fit to it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, taken_for_reference

from .chunk_scorer import Scorer
from .columns import (
    COMPLETION,
    KEYS,
    completion_column,
    group_column,
    has_column,
    reference_column,
    written_word,
)
from .written import KEPT, own_columns, without_written


def fitted(scorer: Scorer, row: Mapping[str, Any], where: str, note: Callable[[str], None]) -> Scorer:
    """Return a scorer for a file with this first row, whose references may not be in `answer`.

    Args:
        scorer: As it was asked for; a reference field that was chosen stays.
        row: The first row.
        where: Its name in messages.
        note: Called with a sentence if another column is taken.

    Raises:
        ConfigError: The row lacks a column, or has several that could hold the references.
    """
    if scorer.completion_field == COMPLETION:
        found = completion_column(row, where)
        if found not in (None, COMPLETION):
            note(
                f"{where}: the completions are taken from the column {found!r}, since there is no "
                f"{COMPLETION!r}; choose another with --completion-field"
            )
            scorer = replace(scorer, completion_field=found)
    if scorer.reading is None and scorer.reference_field == REFERENCE and scorer.reward.reads_references():
        found = reference_column(row, where)
        if found not in (None, REFERENCE):
            note(f"{where}: {taken_for_reference(found)}; choose another with --reference-field")
            scorer = replace(scorer, reference_field=found)
    if scorer.group_field == KEYS["group"] and not has_column(row, KEYS["group"]):
        group = group_column(row, scorer.prompt_field)
        if scorer.reward.needs_groups and group != scorer.group_field:
            note(f"{where}: completions belong together by {group!r}; choose another with --group-field")
        scorer = replace(scorer, group_field=group)
    scorer.check_columns(row, where)
    about = {"recipe": scorer.recipe, "rows": "" if scorer.reading is None else scorer.reading.signature}
    scorer = replace(scorer, word=written_word(row, scorer.names, about))
    try:
        without_written(row)
    except ValueError as problem:
        raise ConfigError(f"{where}: {problem}") from None
    for name in own_columns(row):
        note(f"{where}: scoring writes a column {name!r}; the file's own is kept as {KEPT + name!r}")
    return scorer


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
        """Return the scorer pickled for other processes."""
        if self._pickled is None:
            _ = self.scorer.signature  # one for all processes
            self._pickled = pickle.dumps(self.scorer)
        return self._pickled
