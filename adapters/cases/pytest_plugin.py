"""Case files as tests: ``reward_cases = tests/cases/*.jsonl`` in pytest's settings, and every row is an item.

Loaded by pytest itself, so nothing heavy is imported before there is a row to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .case_rows import Case, Judge

FILES, VERIFIER = "reward_cases", "reward_cases_verifier"


class DifferentVerdictError(Exception):
    """A case asks for another verdict; the message is all there is to show."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings for pyproject.toml or pytest.ini."""
    parser.addini(FILES, "case files of verifiers, as patterns from the root folder", type="args", default=[])
    parser.addini(VERIFIER, "verifier for rows that name none: its name or an import path", default="")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Collect a file that the settings name, and no other."""
    root = parent.config.rootpath
    if not file_path.is_relative_to(root):
        return None
    name = file_path.relative_to(root).as_posix()
    if any(fnmatch(name, pattern) for pattern in parent.config.getini(FILES)):
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    """A case file: one item for each row."""

    def collect(self) -> Iterator[CaseItem]:
        """Yield the rows in order; a line that is no case is an error of collection that names it."""
        from reward_verifiers.verifiers import ConfigError

        from .case_rows import importing_from, judge_of, read_cases

        named = self.config.getini(VERIFIER)
        with importing_from(self.config.rootpath):
            try:
                judge = judge_of(named) if named else None
                cases = list(read_cases(self.path))
            except ConfigError as error:
                raise self.CollectError(str(error)) from None
        for case in cases:
            yield CaseItem.from_parent(self, name=case.id, case=case, judge=judge)


class CaseItem(pytest.Item):
    """One row."""

    def __init__(self, *, case: Case, judge: Judge | None, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.case = case
        self.judge = judge

    def runtest(self) -> None:
        """Judge the row."""
        from .case_rows import importing_from, run_case

        with importing_from(self.config.rootpath):
            outcome = run_case(self.case, self.judge)
        if not outcome.passed:
            raise DifferentVerdictError(outcome.describe())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the difference, without the traceback of code that is not the user's."""
        from reward_verifiers.verifiers import VerifierError

        if isinstance(excinfo.value, DifferentVerdictError | VerifierError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the row's location."""
        return self.path, self.case.line - 1, f"case {self.name}"
