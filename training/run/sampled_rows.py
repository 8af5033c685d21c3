"""Completions as lines that `verify-cli` reads: those of training, and sampled ones, safe against a kill."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Payment
from reward_verifiers.verifiers import ConfigError

from ..data import Row
from ..generation import Backend, Sampling
from .accuracy_measures import Answered, answer, completion_text
from .run_inputs import Prepared

_log = logging.getLogger(__name__)


def json_line(line: Mapping[str, Any]) -> str:
    """Return a row as a line of JSON, whatever it holds."""
    try:
        return json.dumps(line, ensure_ascii=False, default=str) + "\n"
    except (TypeError, ValueError):  # keys that are not texts, or a value that holds itself
        return json.dumps({key: repr(value) for key, value in line.items()}, ensure_ascii=False) + "\n"


def scored_line(
    row: Mapping[str, Any], completion: object, payment: Payment, signature: str, **extra: Any
) -> str:
    """Return a line as `verify-cli score` writes it: the row, the completion, and its payment."""
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
    """Return a line for each completion of a batch.

    Args:
        rows: Length N, each with its prompt.
        completions: Length N.
        payments: Length N.
        strict: Length N, or nothing.
        tokens: The completions' lengths in tokens, or nothing.
        step: Steps that were done when the completions were generated.
        progress: Share of training that was done.
        signature: Signature of the scoring.
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
    """

    def __init__(self, folder: Path, rank: int = 0) -> None:
        self.folder, self.rank, self.mode = folder / "completions", rank, "train"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._broken = False

    def path(self, mode: str) -> Path:
        """Return the file of a mode, ``train`` or ``eval``."""
        return self.folder / f"{mode}.rank{self.rank}.jsonl"

    def write(self, lines: Sequence[str]) -> None:
        """Append the `batch_lines` of a batch."""
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
        """Drop the lines that a resumed run will write again: it continues after `step` steps."""
        # What is evaluated after a step comes before its checkpoint; a new run has evaluated nothing.
        keep_below = {"train": step, "eval": step + 1 if step else 0}
        for mode, limit in keep_below.items():
            rewind(self.path(mode), limit)


def rewind(path: Path, limit: int) -> None:
    """Keep the complete lines of a file whose ``step`` is below a limit."""
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


def whole_lines(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the objects on whole lines of a file with their ends, up to the first torn line."""
    if not path.exists():
        return
    end = 0
    with open(path, "rb") as file:
        for line in file:
            try:
                found = json.loads(line) if line.endswith(b"\n") else None
            except ValueError:
                return
            if not isinstance(found, dict):
                return
            end += len(line)
            yield found, end


@contextlib.contextmanager
def kept_lines(
    path: Path, size: int, done: int, total: int, verb: str, what: str, say: Callable[[str], object]
) -> Iterator[Callable[[str, int | None], None]]:
    """Continue a file of lines; give a writer of more, which takes the number of rows done by then.

    Args:
        path: The file; may be missing.
        size: Bytes of it that are kept.
        done: Rows that these hold.
        total: Rows that there are to be.
        verb: Verb for the work on rows.
        what: Word for the rows.
        say: Told now and then how many are done.
    """
    if done:
        say(f"{done}/{total} {what} were {verb} before")
    told = done
    with open(path, "ab") as file:
        file.truncate(size)

        def write(lines: str, now: int | None) -> None:
            nonlocal told
            file.write(lines.encode("utf-8", "backslashreplace"))
            file.flush()
            if now is not None and (now == total or now - told >= total / 5):
                say(f"{verb} {now}/{total} {what}")
                told = now

        yield write


WINDOW = 64
"""Prompts that are given to the backend at a time: it orders them by length within."""


def sample_rows(
    backend: Backend,
    rows: Sequence[Row],
    prepared: Prepared,
    sampling: Sampling,
    path: Path,
    say: Callable[[str], object] = lambda line: None,
) -> Iterator[Answered]:
    """Sample completions of rows into lines that `verify-cli` reads, keeping those already there.

    Args:
        backend: Source of the texts.
        rows: With their prompts.
        prepared: Its reward judges: the one that pays.
        sampling: Number and way of sampling.
        path: The file; a row whose completions are all in it is not sampled again.
        say: Told now and then how many rows are done.

    Raises:
        ConfigError: The file holds other rows, or another number of completions.
    """
    reward = prepared.reward
    assert reward is not None  # noqa: S101  (sampling stages need a reward)
    sampler = f"{prepared.name} {dataclasses.replace(sampling, seed=0)}"
    _check_same(path, sampler, reward.signature())
    ends = _ends(path, rows, sampling.k)
    done = len(ends) - 1
    if done < len(rows):  # from the start of a window: a seed belongs to a whole one
        done -= done % WINDOW
    with kept_lines(path, ends[done], done, len(rows), "sampled", "prompts", say) as write:
        while done < len(rows):
            part = rows[done : done + WINDOW]
            for each in answer(backend, part, reward, _seeded(sampling, done)):
                write("".join(_lines(each, reward.signature(), sampler)), None)
                yield each
                done += 1
            write("", done)


def _seeded(sampling: Sampling, first: int) -> Sampling:
    """Return a seed for each window, so that a resumed run samples like an uninterrupted one."""
    return dataclasses.replace(sampling, seed=sampling.seed + first)


def _check_same(path: Path, sampler: str, signature: str) -> None:
    """Refuse to continue with another model, sampling or reward than the file began with."""
    first, _ = next(whole_lines(path), ({}, 0))
    for name, now in (("sampler", sampler), ("signature", signature)):
        before = first.get(name)
        if before not in (None, now):
            raise ConfigError(
                f"{path} was begun by {before!s:.160}, and this is {now!s:.160}; choose another file, or "
                "delete it"
            )


def _lines(each: Answered, signature: str, sampler: str) -> Iterator[str]:
    for generated, payment in zip(each.completions, each.payments, strict=True):
        extra = {"completion_tokens": generated.tokens, "finished": generated.finished, "sampler": sampler}
        yield scored_line(each.row, completion_text(generated), payment, signature, **extra)


def _ends(path: Path, rows: Sequence[Row], k: int) -> list[int]:
    """Return the ends, after 0, of the completions of each row that the file already answers."""
    ends = [0]
    prompt: Any = None
    for count, (found, end) in enumerate(whole_lines(path)):
        if count % k == 0:
            prompt = found.get("prompt")
            if len(ends) > len(rows) or _plain(rows[len(ends) - 1]["prompt"]) != prompt:
                raise ConfigError(
                    f"{path} holds the completions of other prompts; choose another file, or delete it"
                )
        elif found.get("prompt") != prompt:
            raise ConfigError(f"{path} holds another number of completions than {k} of each prompt")
        if (count + 1) % k == 0:
            ends.append(end)
    return ends


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
