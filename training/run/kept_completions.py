"""Every completion of a run with its parts, as JSON lines that `verify-cli` reads."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Payment

_log = logging.getLogger(__name__)


def json_line(line: Mapping[str, Any]) -> str:
    """A row as a line of JSON, whatever it holds."""
    try:
        return json.dumps(line, ensure_ascii=False, default=str) + "\n"
    except (TypeError, ValueError):  # keys that are not texts, or a value that holds itself
        return json.dumps({key: repr(value) for key, value in line.items()}, ensure_ascii=False) + "\n"


def scored_line(
    row: Mapping[str, Any], completion: object, payment: Payment, signature: str, **extra: Any
) -> str:
    """A line as `verify-cli score` writes it: the row, the completion, and what is said of it.

    Args:
        row: With its prompt.
        completion: Of the row.
        payment: What it is paid.
        signature: What scored.
        **extra: Further columns.
    """
    judged = list(payment.judged())
    return json_line(
        {
            **row,
            "completion": completion,
            **extra,
            "reward": payment.value,
            "reward_parts": payment.values(),
            "verdicts": [verdict.to_dict() for _, verdict in judged],
            "verdict_parts": [name for name, _ in judged],
            "signature": signature,
        }
    )


def batch_lines(
    rows: Sequence[Mapping[str, Any]],
    completions: Sequence[object],
    payments: Sequence[Payment],
    strict: Sequence[Payment],
    *,
    tokens: Sequence[int],
    step: int,
    progress: float,
    signature: str,
) -> list[str]:
    """A line for each completion of a batch.

    Args:
        rows: Length N, each with its prompt.
        completions: Length N.
        payments: Length N.
        strict: Length N, or nothing.
        tokens: The completions' lengths in tokens, or nothing.
        step: Steps that were done when the completions were generated.
        progress: Share of training that was done.
        signature: What scored.
    """
    lines = []
    for index, (row, completion, payment) in enumerate(zip(rows, completions, payments, strict=True)):
        extra: dict[str, Any] = {"step": step, "progress": progress}
        if tokens:
            extra["completion_tokens"] = tokens[index]
        if strict:
            extra["strict"] = strict[index].values()
        lines.append(scored_line(row, completion, payment, signature, **extra))
    return lines


class Recorder:
    """Writes ``completions/MODE.rankN.jsonl`` below a folder, a line for each completion.

    A line is the row, the completion, ``step`` and ``progress``, and what `verify-cli score` adds; so
    `verify-cli score`, `groups` and `select` read it. Training and evaluation have files of their own.

    Args:
        folder: The run's.
        rank: Number of this process.
    """

    def __init__(self, folder: Path, rank: int = 0) -> None:
        self.folder, self.rank, self.mode = folder / "completions", rank, "train"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._broken = False

    def path(self, mode: str) -> Path:
        """The file of a mode, ``train`` or ``eval``."""
        return self.folder / f"{mode}.rank{self.rank}.jsonl"

    def write(self, lines: Sequence[str]) -> None:
        """Append what `batch_lines` gives of a batch."""
        data = "".join(lines).encode("utf-8", "backslashreplace")
        try:
            with open(self.path(self.mode), "ab") as file:
                file.write(data)
        except OSError as error:
            # A full disk must not end a run that costs money; it is said once.
            if not self._broken:
                _log.error("completions can no longer be kept: %s: %s", self.path(self.mode), error)
            self._broken = True

    def rewind(self, step: int) -> None:
        """Drop what a resumed run is going to write again: it continues after `step` steps."""
        # What is evaluated after a step comes before its checkpoint; a new run has evaluated nothing.
        keep_below = {"train": step, "eval": step + 1 if step else 0}
        for mode, limit in keep_below.items():
            rewind(self.path(mode), limit)


def rewind(path: Path, limit: int) -> None:
    """Keep the complete lines of a file whose ``step`` is below a limit.

    Args:
        path: JSON lines; may be missing.
        limit: The first step whose lines go.
    """
    if not path.exists():
        return
    part = path.with_name(f"{path.name}.part")
    with open(path, "rb") as old, open(part, "wb") as new:
        for line in old:
            try:
                kept = json.loads(line)["step"] < limit
            except (ValueError, KeyError, TypeError):
                continue  # torn by a kill
            if kept and line.endswith(b"\n"):
                new.write(line)
    os.replace(part, path)
