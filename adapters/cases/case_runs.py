"""Judging cases: by a verifier, a function or a reward, and saying what differs."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Batch, Reward, load_recipe
from reward_verifiers.verifiers import ConfigError, Verdict, Verifier, from_spec, verifier, verifier_names
from reward_verifiers.verifiers.core import Spec, load

from .case_rows import Case, differs

Judge = Verifier | Reward


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    Args:
        case: The case.
        problems: What differs from what it asks for, one sentence each; none if it passed.
        verdict: The verdict, or what a recipe paid for, in one line.
    """

    case: Case
    problems: tuple[str, ...]
    verdict: str

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.problems

    def describe(self) -> str:
        """The failure in a few lines, with what cures it at the end."""
        note = f" ({self.case.note})" if self.case.note else ""
        lines = [f"{self.case.place}: {self.case.id}{note}", *(f"  {each}" for each in self.problems)]
        return "\n".join([*lines, f"  {self.verdict}"])


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """With a folder on the path, as a script's own folder is: users' modules stand beside their cases."""
    place = os.fspath(folder.resolve())
    added = place not in sys.path
    if added:
        sys.path.insert(0, place)
    try:
        yield
    finally:
        if added and place in sys.path:
            sys.path.remove(place)


def judge_of(spec: Spec) -> Judge:
    """What judges: a verifier by name or configuration, or an object by its import path.

    Args:
        spec: ``"ExactMatch"``, ``{"ExactMatch": {"ignore_case": true}}``, ``"package.module:name"`` of a
            verifier, a class of verifiers, a function or a reward, or a preset or recipe file.

    Raises:
        ConfigError: There is no such thing, or it judges nothing.
    """
    if not isinstance(spec, str):
        return _checked(from_spec(spec), spec)
    if ":" in spec and not Path(spec).is_file():
        importlib.invalidate_caches()
        return _checked(load(spec), spec)
    if spec in verifier_names():
        return _checked(from_spec(spec), spec)
    return load_recipe(spec)


def _checked(found: Any, spec: Spec) -> Judge:
    if isinstance(found, type) and issubclass(found, Verifier):
        found = found()
    if isinstance(found, Verifier | Reward):
        return found
    if callable(found):
        return verifier(found)
    raise ConfigError(f"{spec!r:.80} is neither a verifier nor a reward nor a function, but {found!r:.80}")


def judge_for(file: Path) -> Judge:
    """The verifier that a file is named after: ``exact_match.jsonl`` is ExactMatch's.

    Raises:
        ConfigError: None is called so.
    """
    folded = file.stem.replace("_", "").casefold()
    found = next((name for name in verifier_names() if name.casefold() == folded), None)
    if found is None:
        raise ConfigError(
            f"{file}: no verifier is called {file.stem!r}. Name one by the file's name in snake_case, in a "
            "row's 'spec', or with --verifier package.module:name (pytest: reward_cases_verifier). One of a "
            "package is known by its name once that is installed: pip install -e . in its folder"
        )
    return _checked(from_spec(found), found)


def run_case(case: Case, judge: Judge | None = None) -> Outcome:
    """Judge one case.

    Args:
        case: The row.
        judge: What judges a row that names nothing itself; None for what its file is named after.

    Raises:
        ConfigError: There is nothing to judge it with.
    """
    if case.spec is not None:
        judge = _by_spec(repr(case.spec), case.spec) if isinstance(case.spec, str) else judge_of(case.spec)
    elif judge is None:
        judge = judge_for(case.file)
    return _verified(case, judge) if isinstance(judge, Verifier) else _paid(case, judge)


@lru_cache(maxsize=256)
def _by_spec(_key: str, spec: str) -> Judge:
    return judge_of(spec)


def _verified(case: Case, judge: Verifier) -> Outcome:
    verdict = judge.verify(case.completion, case.reference, **case.fields)
    problems = []
    if "reward" in case.expected:
        problems.append("a verifier has a score and no reward: ask for 'score', or give a recipe")
    if "score" in case.expected and differs(case.expected["score"], verdict.score):
        problems.append(f"score {_number(case.expected['score'])} expected, {_number(verdict.score)} found")
    if "reason" in case.expected and case.expected["reason"] != verdict.reason:
        problems.append(f"reason {case.expected['reason']!r} expected, {verdict.reason!r} found")
    return Outcome(case, tuple(problems), _line(verdict))


def _paid(case: Case, judge: Reward) -> Outcome:
    columns = {"answer": [case.reference], **{name: [value] for name, value in case.fields.items()}}
    [payment] = Batch([case.completion], columns, group_size=1).pay(judge)
    problems = []
    wanted = case.expected["reward"] if "reward" in case.expected else case.expected["score"]
    if differs(wanted, payment.value):
        problems.append(f"reward {_number(wanted)} expected, {_number(payment.value)} found")
    return Outcome(case, tuple(problems), "\n  ".join(payment.lines()))


def _line(verdict: Verdict) -> str:
    return f"{verdict}  {verdict.detail}".rstrip()


def _number(value: float | None) -> str:
    return "null" if value is None else f"{value:g}"
