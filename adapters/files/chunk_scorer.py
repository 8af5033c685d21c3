"""Scoring a chunk of JSON lines: the work that `score` spreads over processes, and its result's form."""

from __future__ import annotations

import functools
import json
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from reward_verifiers.rewards import Batch, Payment, Reward, VerdictCache
from reward_verifiers.rewards.select.prompt_figures import prompt_key
from reward_verifiers.rewards.tree.payment import exact, same_fault
from reward_verifiers.verifiers import ConfigError, Status, split_completion
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import told
from reward_verifiers.verifiers.runtime.forks import cached_property

from .columns import REFERENCES, WORD, column_names, column_of, has_column
from .formats.lines import dumps, parse
from .row_faults import ended, paid, written
from .tallies import Tally, tally
from .written import WRITTEN, without_written


@dataclass
class Scored:
    """Result of scoring a chunk.

    Args:
        output: The scored rows, in order, as lines.
        problems: Position in the chunk of each line that was rejected, and why.
        tallies: One for the reward ("reward"), one for each verifier.
        faults: Rows without a reward because something broke.
        same_fault: Fault that all rows share; else "".
        lines: Number of lines.
    """

    output: bytes = b""
    problems: dict[int, str] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    faults: int = 0
    same_fault: str = ""
    lines: int = 0

    def to_bytes(self) -> bytes:
        """Encode the result for the way from a worker process."""
        tallies = {name: tally.plain() for name, tally in self.tallies.items()}
        head = json.dumps(
            {
                "problems": list(self.problems.items()),
                "tallies": tallies,
                "faults": self.faults,
                "same_fault": self.same_fault,
                "lines": self.lines,
            }
        )
        return head.encode() + b"\n" + self.output

    @classmethod
    def from_bytes(cls, data: bytes) -> Scored:
        """Decode the result that `to_bytes` encoded."""
        head, _, output = data.partition(b"\n")
        loaded = json.loads(head)
        tallies = {name: Tally.of(values) for name, values in loaded["tallies"].items()}
        return cls(
            output, dict(loaded["problems"]), tallies, loaded["faults"], loaded["same_fault"], loaded["lines"]
        )

    def followed_by(self, other: Scored) -> Scored:
        """Join the results of the two parts of a chunk."""
        problems = self.problems | {self.lines + place: why for place, why in other.problems.items()}
        tallies: dict[str, Tally] = {}
        for name, counted in (*self.tallies.items(), *other.tallies.items()):
            tallies.setdefault(name, Tally(judged=counted.judged)).merge(counted)
        scored = [part for part in (self, other) if part.output]
        same = scored[0].same_fault if scored and all(part.same_fault for part in scored) else ""
        return Scored(
            self.output + other.output,
            problems,
            tallies,
            self.faults + other.faults,
            same,
            self.lines + other.lines,
        )


MOST_SCORERS = 32
"""Scorers, of one recipe at one progress each, that a worker process keeps ready."""


class RowReading(Protocol):
    """Reading of a dataset's rows under our names; it is pickled."""

    @property
    def signature(self) -> str:
        """Signature of everything that verdicts depend on."""
        ...

    def read(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row with our names; ValueError says why there is none."""
        ...


@dataclass(frozen=True)
class Scorer:
    """Scores rows with a reward.

    Args:
        reward: The reward.
        completion_field: The column with the completions.
        reference_field: The column that stands for ``answer``.
        group_field: The column that the completions of one prompt have in common; read only by rewards
            that compare them.
        tokens_field: The column that stands for ``completion_tokens``.
        progress: Share of training that is done, in [0, 1], for schedules.
        cache: A folder of kept verdicts.
        prompt_field: The column that stands for ``prompt``, the question. Rows without it are judged without
            one, unless another column than ``prompt`` is named or a verifier cannot do without.
        reading: Reading of the rows of a known dataset; they are written unchanged.
        messages_field: The column that stands for ``messages``, the conversation.
        recipe: Name of the reward, for readers of the scored rows.
        word: Note of scored rows about their columns (`columns.naming`); "" before the first row.
    """

    reward: Reward
    completion_field: str = "completion"
    reference_field: str = "answer"
    group_field: str = "prompt"
    tokens_field: str = "completion_tokens"
    progress: float = 1.0
    cache: str | None = None
    prompt_field: str = "prompt"
    reading: RowReading | None = None
    messages_field: str = "messages"
    recipe: str = ""
    word: str = ""

    @cached_property
    def columns(self) -> list[str]:
        """Columns that every row must have, the completion first."""
        needed = [self.completion_field]
        ours = {
            "answer": self.reference_field,
            "completion_tokens": self.tokens_field,
            "prompt": self.prompt_field,
            "messages": self.messages_field,
        }
        needed += [ours.get(name, name) for name in self.reward.columns()]
        if self.reward.needs_groups:
            needed.append(self.group_field)
        if self.prompt_field != "prompt":
            needed.append(self.prompt_field)
        return list(dict.fromkeys(needed))

    @property
    def names(self) -> dict[str, str]:
        """Column names by their purpose."""
        return {
            "completion": self.completion_field,
            "reference": self.reference_field,
            "group": self.group_field,
            "tokens": self.tokens_field,
            "prompt": self.prompt_field,
            "messages": self.messages_field,
        }

    @cached_property
    def signature(self) -> str:
        """Signature of the reward, with the progress of its schedules."""
        moving = bool(self.reward.schedules(self.progress))
        read = "" if self.reading is None else f"|rows:{self.reading.signature}"
        return self.reward.signature() + (f"|progress:{exact(self.progress)}" if moving else "") + read

    @cached_property
    def _kept(self) -> VerdictCache | None:
        return None if self.cache is None else VerdictCache(self.cache)

    def check_columns(self, row: Mapping[str, Any], where: str) -> None:
        """Refuse a file whose first row lacks a column.

        Raises:
            ConfigError: It does; the message offers the nearest name.
        """
        flags = {name: f" (choose it with --{key}-field)" for key, name in reversed(self.names.items())}
        try:
            row = self._as_read(row)
        except ValueError as problem:
            raise ConfigError(f"{where}: {problem}") from None
        for column in self.columns:
            if not _has(row, column):
                hint = nearest(column, column_names(row)) + flags.get(column, "")
                raise ConfigError(f"{where} has no column {column!r}{hint}")

    def read(self, raw: bytes) -> dict[str, Any]:
        """Return the row of a line.

        Raises:
            ValueError: It cannot be scored; the message says why.
        """
        row = parse(raw)
        self.check(row)
        return row

    def check(self, row: Mapping[str, Any]) -> None:
        """Refuse a row that cannot be scored.

        Raises:
            ValueError: It cannot; the message says why.
        """
        without_written(row)  # what cannot be kept is not scored
        row = self._as_read(row)
        for column in self.columns:
            if not _has(row, column):
                taken = column == self.reference_field and column in REFERENCES
                hint = ", where the first row has its reference" if taken else ""
                raise ValueError(f"no column {column!r}{hint}")
        completion = column_of(row, self.completion_field)
        if split_completion(completion) is None or _is_no_message(completion):
            kind = type(completion).__name__
            raise ValueError(f"{self.completion_field!r} is neither text nor chat messages but {kind}")

    def _as_read(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return row if self.reading is None else self.reading.read(row)

    def score(self, lines: Iterable[bytes], places: Sequence[str] = ()) -> Scored:
        """Score a chunk of lines.

        Args:
            lines: As they are in the file.
            places: Their names in messages, in order.
        """
        result, rows, named = self._readable(lines, places)
        if rows:
            self._write(result, rows, self.payments([row for _, row in rows], named.__getitem__))
        return result

    def broken(self, lines: Iterable[bytes], places: Sequence[str], detail: str) -> Scored:
        """Return the result of lines that ended their scorer: faults of all parts, without a reward.

        Args:
            lines: As they are in the file.
            places: Their names in messages, in order.
            detail: Outcome in words.
        """
        result, rows, named = self._readable(lines, places)
        if rows:
            self._write(result, rows, [ended(self.reward, f"{detail}; {place}") for place in named])
        return result

    def _readable(
        self, lines: Iterable[bytes], places: Sequence[str]
    ) -> tuple[Scored, list[tuple[bytes, dict[str, Any]]], list[str]]:
        """Return the scorable lines and their places, with a result whose problems are the other lines."""
        result = Scored()
        rows, named = [], []
        for index, raw in enumerate(lines):
            result.lines += 1
            try:
                rows.append((raw, self.read(raw)))
                named.append(places[index] if places else f"line {index + 1}")
            except ValueError as error:
                result.problems[index] = str(error)
            except Exception as error:  # columns that are compared with one another may be nested deeply
                result.problems[index] = f"cannot be taken as a row: {told(error)}"
        return result, rows, named

    def _write(
        self, result: Scored, rows: Sequence[tuple[bytes, dict[str, Any]]], payments: Sequence[Payment]
    ) -> None:
        """Write the rows' payments into a result."""
        said = [written(self.reward, payment, self._added) for payment in payments]
        payments = [payment for payment, _ in said]
        broken = same_fault(payments)
        result.faults = sum(payment.value is None and payment.status is Status.FAULT for payment in payments)
        result.same_fault = "" if broken is None else f"{broken.verifier}: {broken.detail}"
        out: list[bytes] = []
        for (raw, row), (payment, added) in zip(rows, said, strict=True):
            judged = [(name, verdict.to_dict()) for name, verdict in payment.judged()]
            prompt = self.prompt_of(row)
            tally(result.tallies, payment.status, payment.value, judged, payment.values(), prompt)
            out.append(_scored_line(raw, row, added))
        result.output = b"".join(out)

    def _added(self, payment: Payment) -> dict[str, Any]:
        word = {WORD: self.word} if self.word else {}
        return {**shown(payment), "signature": self.signature, **word}

    def payments(self, rows: list[dict[str, Any]], place: Callable[[int], str]) -> list[Payment]:
        """Return the payments for rows, whatever breaks on some of them.

        Args:
            rows: As they were read.
            place: Name of a row in messages.

        Raises:
            VerifierError: The set-up is wrong.
        """

        def batch_of(some: range) -> Batch:
            return self.batch(rows[some.start : some.stop], lambda row: place(some.start + row))

        return paid(self.reward, batch_of, range(len(rows)), place)

    def prompt_of(self, row: Mapping[str, Any]) -> int | None:
        """Return the key that rows of a prompt share, for intervals; None for a row without a prompt."""
        prompt = column_of(row, self.group_field)
        return None if prompt is None else prompt_key(prompt)

    def batch(self, rows: list[dict[str, Any]], place: Callable[[int], str] | None = None) -> Batch:
        """Return the rows as a batch for rewards.

        Args:
            rows: As they were read.
            place: Name of a row in messages.

        Raises:
            ConfigError: The completions of one prompt do not follow one another, where that matters.
        """
        if self.reading is not None:
            rows = [self.reading.read(row) for row in rows]
        names = dict.fromkeys(name for row in rows for name in row)
        columns: dict[str, list[Any]] = {
            name: [row.get(name) for row in rows]
            for name in names
            if name not in WRITTEN and name != self.completion_field
        }
        for ours, theirs in (
            ("answer", self.reference_field),
            ("completion_tokens", self.tokens_field),
            ("prompt", self.prompt_field),
            ("messages", self.messages_field),
        ):
            if theirs in columns or any(has_column(row, theirs) for row in rows):
                columns[ours] = [column_of(row, theirs) for row in rows]
        if "completion_tokens" in columns:
            columns["completion_tokens"] = [_counted(each) for each in columns["completion_tokens"]]
        for name in self.columns[1:]:
            if "." in name and name not in columns:
                columns[name] = [column_of(row, name) for row in rows]
        if self.reward.needs_groups:
            # What rows have in common may be a number: it is no question.
            columns.setdefault("prompt", columns.get("prompts", [None] * len(rows)))
            columns["prompts"] = [column_of(row, self.group_field) for row in rows]
        completions = [column_of(row, self.completion_field) for row in rows]
        return Batch(completions, columns, self.progress, cache=self._kept, place=place)


def _is_no_message(completion: object) -> bool:
    """Return whether a completion is an object without any field of a chat message."""
    return isinstance(completion, Mapping) and not {"content", "role", "tool_calls"} & {*completion}


def _counted(tokens: Any) -> Any:
    """Return a number of tokens as an integer; files of text alone, such as CSV, hold it as text."""
    return int(tokens) if isinstance(tokens, str) and tokens.isascii() and tokens.isdigit() else tokens


def _has(row: Mapping[str, Any], column: str) -> bool:
    # A trainer's completion_ids hold what completion_tokens counts.
    return has_column(row, column) or (column == "completion_tokens" and "completion_ids" in row)


def shown(payment: Payment) -> dict[str, Any]:
    """Return a payment as it is written: the reward, its parts, and verdicts with their parts' names."""
    judged = list(payment.judged())
    return {
        "reward": payment.value,
        "reward_parts": payment.values(),
        "verdicts": [verdict.to_dict() for _, verdict in judged],
        "verdict_parts": [name for name, _ in judged],
    }


def _scored_line(raw: bytes, row: dict[str, Any], added: bytes) -> bytes:
    if any(name in row for name in WRITTEN):
        raw = dumps(without_written(row))
    # The row's own bytes are kept, so that no number or escape in it is rewritten.
    body = raw.strip()[:-1].rstrip()
    separator = b"" if body == b"{" else b", "
    return body + separator + added[1:] + b"\n"


@functools.lru_cache(maxsize=MOST_SCORERS)
def kept_scorer(pickled: bytes) -> Scorer:
    """Return the scorer that a worker process was sent."""
    scorer: Scorer = pickle.loads(pickled)  # noqa: S301  (from our parent)
    return scorer


def score_in_worker(pickled: bytes, lines: list[bytes], places: list[str]) -> bytes:
    """Score a chunk in a worker process."""
    return kept_scorer(pickled).score(lines, places).to_bytes()


__all__ = ["WRITTEN", "Scored", "Scorer", "dumps", "ended", "score_in_worker", "shown"]
