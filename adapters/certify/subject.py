"""The reward under certification, in a process that is asked, counted, and started again."""

from __future__ import annotations

import json
import os
import pickle
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.worker_process import DeathError, WorkerProcess, empty_folder

from .certified_rows import DataRow
from .child import HUNG

CALL_SECONDS = 2.0
"""Processor seconds of a call of a function; what is typed bounds itself and has `TYPED_FACTOR` as many."""
TYPED_FACTOR = 10.0
WALL_FACTOR = 2.5
"""Seconds by the clock for one of processor time."""
CHUNK = 200
"""Calls of one question to the process."""
MEMORY = 4 << 30
"""Address space of a function's process."""
MOST_DEATHS = 6
"""Calls that may end the process before no more are made."""
START_SECONDS = 120.0


@dataclass(frozen=True)
class Paid:
    """Result of a call.

    Args:
        value: Its reward; None if that is no number.
        outcome: Verdicts of the parts that read the reference, for typed rewards.
        reason: Reason of the reward.
        problem: Why there is no value: raises, exits, hangs, crashes, memory, none, no_number, not_finite or
            untried.
        detail: A sentence.
        seen: Its side effects.
        seconds: Time taken in seconds.
        lines: Lines of the user's file that ran.
    """

    value: float | None
    outcome: float | None = None
    reason: str = ""
    problem: str = ""
    detail: str = ""
    seen: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    lines: tuple[int, ...] = ()


UNTRIED = Paid(None, problem="untried", detail="the budget is spent")


class Subject:
    """A reward under certification.

    Args:
        spec: The user's name for a reward, or a reward.
        budget: Calls that may be made.
        seconds: Seconds that all of them may take.
        call_seconds: Processor seconds of one call.
        place: The user's folder.
    """

    def __init__(
        self,
        spec: str | Reward,
        budget: int,
        seconds: float,
        call_seconds: float = CALL_SECONDS,
        place: str | None = None,
    ) -> None:
        self.spec, self.budget, self.seconds = spec, budget, seconds
        self.place = place or os.getcwd()
        self.calls, self.deaths = 0, 0
        self.problems: dict[str, list[tuple[str, DataRow, str]]] = {}
        """By kind, the calls that had a problem or did something besides."""
        self.counts: Counter[str] = Counter()
        self._cpu = call_seconds
        self._deadly: dict[str, Paid] = {}
        self._known: dict[tuple[str, int], Paid] = {}
        self._folder = empty_folder()
        self._scratch = self._folder.__enter__()
        self._process: WorkerProcess | None = None
        self.began = time.monotonic()
        self.about: dict[str, Any] = {}

    def __enter__(self) -> Subject:
        try:
            self._start()
        except BaseException:
            self._folder.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.end()
        self._folder.__exit__(None, None, None)

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    def left(self, share: float = 1.0) -> bool:
        """Return whether less than a share of the budget is spent."""
        return (
            self.calls < self.budget * share
            and self.spent < self.seconds * share
            and self.deaths < MOST_DEATHS
        )

    def pay(self, calls: Iterable[tuple[str, DataRow]], traced: bool = False) -> list[Paid]:
        """Return the rewards of completions, each asked once; `UNTRIED` where the budget is spent."""
        wanted = list(calls)
        new = list(dict.fromkeys((text, row) for text, row in wanted if (text, row.key) not in self._known))
        for begin in range(0, len(new), CHUNK):
            chunk = new[begin : begin + CHUNK][: max(0, self.budget - self.calls)]
            if not chunk or not self.left():
                break
            for (text, row), paid in zip(chunk, self._ask(chunk, traced), strict=True):
                if paid is not UNTRIED:
                    self._known[(text, row.key)] = paid
                    self._note(text, row, paid)
        return [self._known.get((text, row.key), UNTRIED) for text, row in wanted]

    def pay_again(self, calls: Sequence[tuple[str, DataRow]], fresh: bool = False) -> list[Paid]:
        """Return the rewards asked anew, in another process if wanted, and keep none of them."""
        if fresh and self._process is not None:
            self._process.end()
            self._process = None
        return [
            paid
            for begin in range(0, len(calls), CHUNK)
            for paid in self._ask(list(calls[begin : begin + CHUNK]), False)
        ]

    def pay_batch(self, calls: Sequence[tuple[str, DataRow]]) -> list[float | None] | None:
        """Return the rewards of one call with all rows; None where the reward takes no batches or breaks."""
        self.calls += len(calls)
        try:
            outcome = self._running().ask(_task("pay_batch", _plain(calls)), 60.0)
        except DeathError:
            self._lose()
            return None
        return outcome.value if outcome.ok else None

    def known(self) -> list[tuple[str, int, Paid]]:
        """Return all calls with their rewards, in the order in which they were made."""
        return [(text, key, paid) for (text, key), paid in self._known.items()]

    # ------------------------------------------------------------------------------------------

    def _start(self) -> None:
        recipe = not isinstance(self.spec, str) or ":" not in self.spec or "://" in self.spec
        process = WorkerProcess(None if recipe else MEMORY)
        cpu = self._cpu * (TYPED_FACTOR if recipe else 1.0)
        task = _task("prepare", self.spec, self.place, self._scratch, cpu, cpu * WALL_FACTOR)
        try:
            outcome = process.ask(task, START_SECONDS)
        except DeathError as death:
            process.end()
            raise ConfigError(f"{self.spec} ends its process while it is loaded: {death}") from None
        if not outcome.ok:
            process.end()
            raise ConfigError(outcome.detail.removeprefix("ConfigError: "))
        self.about, self._process = outcome.value, process

    def _running(self) -> WorkerProcess:
        if self._process is None:
            self._start()
        assert self._process is not None  # noqa: S101
        return self._process

    def _lose(self) -> None:
        assert self._process is not None  # noqa: S101
        self._process.end()
        self._process = None

    def _ask(self, calls: Sequence[tuple[str, DataRow]], traced: bool) -> list[Paid]:
        """Make the calls one after the other; one that ends the process is recorded, and the others go on."""
        found: list[Paid] = []
        while len(found) < len(calls) and self.deaths < MOST_DEATHS and self.spent < self.seconds:
            if calls[len(found)][0] in self._deadly:
                found.append(self._deadly[calls[len(found)][0]])
                continue
            log = Path(self._scratch) / f"log{self.calls}-{self.deaths}"
            rest = calls[len(found) :]
            cpu = self._cpu * TYPED_FACTOR * WALL_FACTOR
            try:
                outcome = self._running().ask(
                    _task("pay", _plain(rest), str(log), traced), cpu * (1 + len(rest) / 10)
                )
                if not outcome.ok:
                    raise DeathError("crash", outcome.detail)
                done = outcome.value
            except DeathError as death:
                self._lose()
                self.deaths += 1
                done = _logged(log)
                hung = death.reason in ("cpu_time", "wall_time") or str(death).endswith(f"status {HUNG}")
                done.append(
                    {"value": None, "problem": "hangs" if hung else "crashes", "detail": str(death)[:200]}
                )
            log.unlink(missing_ok=True)
            self.calls += len(done)
            if len(done) <= len(rest) and done and done[-1].get("problem") in ("hangs", "crashes"):
                self._deadly[rest[len(done) - 1][0]] = _paid(done[-1])
            found += [_paid(each) for each in done[: len(rest)]]
        return found + [UNTRIED] * (len(calls) - len(found))

    def _note(self, text: str, row: DataRow, paid: Paid) -> None:
        kinds = dict(paid.seen)
        if paid.problem:
            kinds[paid.problem] = paid.detail
        for kind, detail in kinds.items():
            self.counts[kind] += 1
            shown = self.problems.setdefault(kind, [])
            if len(shown) < 20:
                shown.append((text, row, detail))


def _task(function: str, *arguments: Any) -> bytes:
    return pickle.dumps((f"reward_verifiers.adapters.certify.child:{function}", arguments, None, False))


def _plain(calls: Sequence[tuple[str, DataRow]]) -> list[tuple[str, dict[str, Any]]]:
    return [(text, dict(row.columns)) for text, row in calls]


def _logged(log: Path) -> list[dict[str, Any]]:
    if not log.exists():
        return []
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def _paid(record: dict[str, Any]) -> Paid:
    return Paid(
        record.get("value"),
        record.get("outcome"),
        record.get("reason", ""),
        record.get("problem", ""),
        record.get("detail", ""),
        record.get("seen", {}),
        record.get("seconds", 0.0),
        tuple(record.get("lines", ())),
    )
