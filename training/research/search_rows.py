"""Searching the answers of rows into a file of candidates, safe against a kill."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Batch, Payment, Reward
from reward_verifiers.verifiers import ConfigError, Verifier

from ..data import Row
from ..generation import GenerationError
from ..run.run_inputs import RESERVED
from ..run.sampled_rows import kept_lines, scored_line, whole_lines
from .model_generator import Writer
from .search_methods import Plan, searched
from .search_session import Judge, Result, Session


@dataclass(frozen=True)
class Task:
    """Search of every row.

    Args:
        plan: Which search.
        writer: Model that writes.
        most: Tokens of a completion.
        seed: Each row has its own, of this and its number: a row's search does not depend on the others.
        judge: Makes what scores the search of a row, of what a search may see of it; None for no scores.
        seen: Columns that a search may see.
        voter: Finds answers for a vote.
        reward: Reward of the candidates after the search of a row; it may read the reference.
        name: Name of the whole set-up: only the same set-up continues a file.
    """

    plan: Plan
    writer: Writer
    most: int
    seed: int
    judge: Callable[[Row], Judge] | None
    seen: Callable[[Row], Row]
    voter: Verifier | None
    reward: Reward
    name: str

    def search(self, row: Row, number: int) -> Result:
        """Search a row by the columns that may be seen of it.

        Raises:
            GenerationError: No completion came within the budget.
        """
        seen = self.seen(row)
        session = Session(
            self.writer.of(seen["prompt"]),
            None if self.judge is None else self.judge(seen),
            budget=self.plan.tokens(self.most),
            most=self.most,
            seed=_seed(self.seed, number),
        )
        found = searched(session, self.plan, self.voter)
        if not found.attempts:
            raise GenerationError(
                f"prompt {number} has no completion after {found.spent} tokens: what the model wrote was "
                f"longer than was asked for ({found.over} tokens over); does the server heed max_tokens?"
            )
        return found

    def lines(self, row: Row, number: int, found: Result) -> list[str]:
        """Return a row's candidates as `verify-cli score` writes them, each with its data from the search."""
        signature = self.reward.signature()
        about = {"row": number, "candidates": len(found.attempts), "spent": found.spent, "over": found.over}
        return [
            scored_line(
                row,
                each.completion,
                payment,
                signature,
                completion_tokens=each.tokens,
                finished=each.finished,
                sampler=self.name,
                chosen=at == found.chosen,
                search={**about, "candidate": at, "score": each.score},
            )
            for at, (each, payment) in enumerate(zip(found.attempts, self._paid(row, found), strict=True))
        ]

    def _paid(self, row: Row, found: Result) -> list[Payment]:
        count = len(found.attempts)
        columns: dict[str, Sequence[Any]] = {
            name: [value] * count for name, value in row.items() if name not in RESERVED
        }
        columns["prompts"] = [row["prompt"]] * count
        columns["completion_tokens"] = [each.tokens for each in found.attempts]
        batch = Batch([each.completion for each in found.attempts], columns, group_size=count)
        return batch.pay(self.reward)


def search_rows(
    task: Task, rows: Sequence[Row], path: Path, say: Callable[[str], object] = lambda line: None
) -> None:
    """Search every row and write its candidates, keeping rows that the file holds whole.

    Args:
        task: The task.
        rows: With their prompts.
        path: JSON lines; what a kill has torn off its end is searched again, to the same bytes.
        say: Told now and then how many rows are done.

    Raises:
        ConfigError: The file was begun by another search, or holds other prompts.
        GenerationError: A row got no completion.
    """
    done, size = _whole_rows(path, rows, task.name)
    with kept_lines(path, size, done, len(rows), "searched", "prompts", say) as write:
        for number in range(done, len(rows)):
            found = task.search(rows[number], number)
            write("".join(task.lines(rows[number], number, found)), number + 1)


def summary(path: Path, outcome: str) -> dict[str, float | int | None]:
    """Summarise the chosen candidates by the paying reward, from the file and so after all searches."""
    rows = spent = chosen = 0
    right: list[float] = []
    possible: dict[int, float] = {}
    with open(path, "rb") as file:
        for line in map(json.loads, file):
            about, value = line["search"], line["reward_parts"].get(outcome)
            if about["candidate"] == 0:
                rows += 1
                spent += about["spent"]
            if value is not None:
                possible[about["row"]] = max(possible.get(about["row"], 0.0), value)
            if line["chosen"]:
                chosen += 1
                if value is not None:
                    right.append(value)
    return {
        "rows": rows,
        "chosen": chosen,
        "accuracy": sum(right) / len(right) if right else None,
        "best_candidate": sum(possible.values()) / len(possible) if possible else None,
        "tokens": spent / rows if rows else None,
    }


def _seed(seed: int, number: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=4).digest(), "big")


def _whole_rows(path: Path, rows: Sequence[Row], name: str) -> tuple[int, int]:
    """Return the number of rows whose candidates are all in the file, and their bytes."""
    done = size = held = 0
    for found, end in whole_lines(path):
        about = found.get("search")
        if found.get("sampler") != name or not isinstance(about, dict):
            raise ConfigError(
                f"{path} was begun by {found.get('sampler')!s:.240}, and this is {name:.240}; choose "
                "another file, or delete it"
            )
        if done >= len(rows) or json.loads(json.dumps(rows[done]["prompt"])) != found.get("prompt"):
            raise ConfigError(f"{path} holds other prompts; choose another file, or delete it")
        held += 1
        if held == about["candidates"]:
            done, size, held = done + 1, end, 0
    return done, size
