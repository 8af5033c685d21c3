"""A run's reward functions: those that pay, those that only watch, and the record of completions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

from reward_verifiers.adapters.audit.findings import SAME_KEY, STRICT
from reward_verifiers.adapters.hosts.shared_payments import Evaluation
from reward_verifiers.adapters.trl import TRLReward, trl_reward_funcs, trl_reward_weights
from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.rewards.tree.batch import training_progress

from ..data import Row
from ..environment import joined_rows
from ..run.run_inputs import RESERVED, check_columns, outcome_part
from ..run.sampled_rows import Recorder, batch_lines
from ..watch.row_alarms import RowAlarms


class RunRewards:
    """The reward functions of a run.

    The trainer's data set holds prompts and row numbers only: a row's other columns are looked up here,
    as they were read. In an Arrow table they would lose what differs between rows: it fills the keys of
    mappings up, and refuses a column of numbers and texts.

    Args:
        reward: The reward.
        strict: Strict measure; None for none.
        rows: All rows, of training and of evaluation.
        outcome: The part of `strict` that is the accuracy.
        num_generations: The group size.
        weighted: The trainer normalises every part by itself.
        recorder: Keeps every completion; None to keep none.
        read: From a completion's tokens to what verifiers read; None for the trainer's own text.
        audit: Looks at the completions of training; None for nobody.
    """

    def __init__(
        self,
        reward: Reward,
        strict: Reward | None,
        rows: Sequence[Row],
        *,
        outcome: str | None = None,
        num_generations: int | None = None,
        weighted: bool = False,
        recorder: Recorder | None = None,
        read: Callable[[Sequence[int]], str] | None = None,
        audit: RowAlarms | None = None,
    ) -> None:
        self._read, self.num_generations, self.audit = read, num_generations, audit
        self.sizes: list[int] | None = None
        """Of this batch's groups, where they differ."""
        self.mode = "train"
        self._lines: list[str] = []
        self._texts: tuple[Any, list[str]] = (None, [])
        self.reward, self.strict, self.rows, self.recorder = reward, strict, rows, recorder
        # Of all rows: a batch of one task has the columns of the others, too, with nothing in them.
        self._names = tuple(dict.fromkeys(name for row in rows for name in row if name not in RESERVED))
        self.outcome = None if strict is None else outcome_part(strict, outcome, "evaluation.outcome")
        check_columns(reward, rows)
        inner = trl_reward_funcs(reward, weighted=weighted, num_generations=num_generations)
        self.paying = inner[0].evaluation
        self.paying.cure = (
            "Mend it; verify-train grpo --dry-run --sample 4 tries it on completions of the model"
        )
        self.functions = [_Function(self, each.__name__, partial(self._paid, each)) for each in inner]
        self.weights = trl_reward_weights(reward, weighted=weighted)
        self.measuring: Evaluation | None = None
        if strict is not None:
            check_columns(strict, rows)
            self.measuring = Evaluation(strict, {}, num_generations, None, split="gather")
            for part in strict.part_names():
                name = STRICT if part == self.outcome else f"{STRICT}.{part}"
                self.functions.append(_Function(self, name, partial(self._strict, part)))
                self.weights.append(0.0)
        self.functions[-1].last = True
        self.seconds = 0.0

    def columns(self, numbers: Sequence[int]) -> dict[str, list[Any]]:
        """Return the rows' columns, by their numbers."""
        rows = [self.rows[number] for number in numbers]
        return {name: [row.get(name) for row in rows] for name in self._names}

    def texts(self, completions: Sequence[object], given: Mapping[str, Any]) -> Sequence[object]:
        """Return the completions as verifiers read them; the same objects for all functions of a batch."""
        if self._read is None:
            return completions
        ids = given["completion_ids"]
        if self._texts[0] is not ids:
            self._texts = ids, [self._read(each) for each in ids]
        return self._texts[1]

    def decoding(self, tokenizer: Any) -> Callable[[Sequence[int]], str]:
        """Return the decoder from a completion's tokens to the text that verifiers read."""
        if self._read is not None:
            return self._read
        return lambda ids: str(tokenizer.decode(list(ids), skip_special_tokens=True))

    def payments(self, completions: Sequence[object], given: Mapping[str, Any]) -> list[Payment]:
        """Return the payments for the completions of rows."""
        return self.paying.payments(completions, {**given, **self.columns(given["row"])})

    def measured(self, completions: Sequence[object], given: Mapping[str, Any]) -> list[Payment]:
        """Return the strict reward's payments for the completions; empty without one."""
        if self.measuring is None:
            return []
        return self.measuring.payments(completions, {**given, **self.columns(given["row"])})

    def _paid(
        self, function: TRLReward, completions: Sequence[object], given: dict[str, Any]
    ) -> list[float | None]:
        found: list[float | None] = function(completions, **{**given, **self.columns(given["row"])})
        return found

    def _strict(self, part: str, completions: Sequence[object], given: dict[str, Any]) -> list[float | None]:
        # TRL masks a row only where every function says None: where nothing is paid nothing is logged.
        pairs = zip(self.payments(completions, given), self.measured(completions, given), strict=True)
        return [None if paid.value is None else strict.values().get(part) for paid, strict in pairs]

    def finish(self, completions: Sequence[object], given: Mapping[str, Any]) -> None:
        """Keep the completions after the last function of a batch."""
        self._lines = []
        if self.recorder is None and self.audit is None:
            return
        self._lines = batch_lines(
            [self.rows[number] for number in given["row"]],
            completions,
            self.payments(completions, given),
            self.measured(completions, given),
            tokens=[len(ids) for ids in given.get("completion_ids") or ()],
            step=_step(given),
            progress=training_progress(given.get("trainer_state")),
            signature=self.reward.signature(),
        )
        if self.recorder is not None:
            self.recorder.write(self._lines)

    def log_groups(self, completions: Sequence[object], given: Mapping[str, Any], log_metric: Any) -> None:
        """Log the audit's findings, and the share of equally rewarded groups, which teach nothing."""
        if self.mode == "eval":
            return
        if self.audit is not None:
            for name, figure in self.audit.take(self._lines, _step(given)).items():
                log_metric(name, figure)
        # A group may lie on several processes.
        paid = joined_rows([payment.value for payment in self.payments(completions, given)])
        sizes = None if self.sizes is None else joined_rows(list(self.sizes))
        size = self.num_generations or 1
        ends = accumulate(sizes or [size] * -(-len(paid) // size), initial=0)
        groups = [paid[start:end] for start, end in pairwise(ends)]
        different = [{round(value, 6) for value in group if value is not None} for group in groups]
        log_metric(SAME_KEY, sum(len(each) < 2 for each in different) / max(len(groups), 1))


def _step(given: Mapping[str, Any]) -> int:
    """Return the number of steps done when a batch was generated."""
    return int(getattr(given.get("trainer_state"), "global_step", 0))


class _Function:
    """A function for TRL that computes a batch together with the others of its run.

    Args:
        run: The run's rewards.
        name: Its name in logs.
        values: Function from completions and their rows to values.
    """

    def __init__(
        self,
        run: RunRewards,
        name: str,
        values: Callable[[Sequence[object], dict[str, Any]], list[float | None]],
    ) -> None:
        self.run, self.__name__, self.values, self.last = run, name, values, False

    def __call__(self, completions: Sequence[object], **given: Any) -> list[float | None]:
        """Return one finite number per completion, or None where a row is to be masked."""
        started = time.perf_counter()
        completions = self.run.texts(completions, given)
        values = self.values(completions, given)
        if self.last:
            self.run.finish(completions, given)
        self.run.seconds += time.perf_counter() - started
        if self.last:
            log_metric = given.get("log_metric")
            if log_metric is not None:
                log_metric("reward_seconds", self.run.seconds)
                self.run.log_groups(completions, given, log_metric)
            self.run.seconds = 0.0
        return values
