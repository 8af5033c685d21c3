"""``verify-cli select``: training data and answers from scored completions."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from adapters.files.candidates import Reader, equality
from adapters.files.chunk_scorer import dumps
from adapters.files.columns import column_of, has_column
from adapters.files.jsonl import Source
from adapters.files.scored_output import Output
from rewards.select import Candidate, best_of_n, preference_pairs, rejection_sample, star_sample, vote
from rewards.select.candidates import pass_rate
from verifiers import ConfigError

from ..console import CompletionField, GroupField, failing_clearly, stderr, stdout
from .groups import Outcome, Sort

BLOCK = 1 << 20
"""Bytes that are copied at once."""


class Purpose(StrEnum):
    """What is selected."""

    sft = "sft"
    star = "star"
    dpo = "dpo"
    best = "best"
    majority = "majority"


class Preference(StrEnum):
    """Which of several right completions."""

    shortest = "shortest"
    best = "best"
    first = "first"
    random = "random"


class Pairing(StrEnum):
    """Which pairs of right and wrong completions."""

    length = "length"
    reward = "reward"


Files = Annotated[list[str], typer.Argument(help="Scored files of JSON Lines; - for standard input.")]
For = Annotated[
    Purpose,
    typer.Option(
        "--for",
        help="sft: right completions. star: the same, with hinted rows where nothing else is right. "
        "dpo: chosen and rejected. best: the best paid of each prompt. majority: the answer of most.",
    ),
]


def select(
    files: Files,
    purpose: For = Purpose.sft,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Selected rows; - for standard output.")
    ] = "-",
    outcome: Outcome = None,
    require: Annotated[str, typer.Option(help="Parts that must pass as well, separated by commas.")] = "",
    per_prompt: Annotated[int, typer.Option(help="At most this many of each prompt.", min=1)] = 1,
    prefer: Annotated[Preference, typer.Option(help="Which right completions first.")] = Preference.shortest,
    dedupe: Annotated[bool, typer.Option(help="Take equal texts of a prompt once.")] = True,
    pairing: Annotated[Pairing, typer.Option(help="For dpo: closest in length, or furthest in reward.")] = (
        Pairing.length
    ),
    margin: Annotated[float, typer.Option(help="For dpo: least difference in reward.", min=0.0)] = 0.0,
    hardest_first: Annotated[bool, typer.Option(help="Order by pass rate, lowest first.")] = False,
    max_pass_rate: Annotated[
        float, typer.Option(help="Leave prompts out that pass more often than this.", min=0.0, max=1.0)
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="For --prefer random.")] = 0,
    completion_field: CompletionField = "completion",
    group_field: GroupField = "prompt",
    sort: Sort = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
) -> None:
    """Select completions for training, or one answer for each prompt.

    Rows of one prompt must follow one another, or be brought together by --sort. What could not be judged is
    neither right nor wrong, and rows with a true `hinted` column never count as passes.
    """
    with failing_clearly(), contextlib.ExitStack() as opened:
        names = tuple(name.strip() for name in require.split(",") if name.strip())
        reader = Reader(outcome, names, completion_field, group_field, sort)
        source = Source(files)
        Output(output, force=force).check_apart_from(files)
        # What was there is replaced, and what reads a pipe gets something, only once all rows are selected.
        replaced = output != "-" and not Path(output).is_char_device()
        target = Output(f"{output}.part" if replaced else output, force=True)
        held = opened.enter_context(tempfile.TemporaryFile()) if output == "-" else None
        write = target.write if held is None else held.write
        maker = _Maker(purpose, per_prompt, prefer, dedupe, pairing, margin, seed, group_field)
        target.open()
        prompts = kept = rows = 0
        ordered: list[tuple[float, bytes]] = []
        try:
            for group in reader.groups(source):
                prompts += 1
                rate = pass_rate(group)
                made = list(maker.rows(group, rate)) if rate is None or rate <= max_pass_rate else []
                kept += bool(made)
                rows += len(made)
                data = b"".join(dumps(row) + b"\n" for row in made)
                if hardest_first and made:
                    ordered.append((1.0 if rate is None else rate, data))
                else:
                    write(data)
            for _, data in sorted(ordered, key=lambda pair: pair[0]):
                write(data)
            if not prompts:
                raise ConfigError(f"{', '.join(files)}: no rows")
            if held is not None:
                held.seek(0)
                for data in iter(partial(held.read, BLOCK), b""):
                    target.write(data)
        except BaseException:
            target.close()
            if replaced:
                Path(f"{output}.part").unlink(missing_ok=True)
            raise
        target.close()
        if replaced:
            Path(f"{output}.part").replace(output)
        console = stderr() if output == "-" else stdout()
        console.print(f"{rows:,} rows from {kept:,} of {prompts:,} prompts", style="dim")


class _Maker:
    """Makes the rows of one purpose."""

    def __init__(
        self,
        purpose: Purpose,
        per_prompt: int,
        prefer: Preference,
        dedupe: bool,
        pairing: Pairing,
        margin: float,
        seed: int,
        group_field: str,
    ) -> None:
        self.purpose, self.per_prompt, self.prefer, self.dedupe = purpose, per_prompt, prefer, dedupe
        self.pairing, self.margin, self.seed, self.group_field = pairing, margin, seed, group_field
        self._equal: Any = None

    def rows(self, group: list[Candidate], rate: float | None) -> Iterator[dict[str, Any]]:
        """The selected rows of a prompt."""
        prompt = column_of(group[0].row, self.group_field)
        about = {"pass_rate": rate, "signature": group[0].row.get("signature")}
        if self.purpose in (Purpose.sft, Purpose.star):
            choose = rejection_sample if self.purpose is Purpose.sft else star_sample
            for each in choose(group, self.per_prompt, self.prefer.value, self.dedupe, self.seed):
                row = {"prompt": prompt, "completion": _as_told(prompt, each), "reward": each.reward, **about}
                yield {**row, "hinted": each.hinted} if self.purpose is Purpose.star else row
        elif self.purpose is Purpose.dpo:
            for chosen, rejected in preference_pairs(group, self.per_prompt, self.pairing.value, self.margin):
                yield {
                    "prompt": prompt,
                    "chosen": _as_told(prompt, chosen),
                    "rejected": _as_told(prompt, rejected),
                    "chosen_reward": chosen.reward,
                    "rejected_reward": rejected.reward,
                    **about,
                }
        elif self.purpose is Purpose.best:
            best = best_of_n(group)
            if best is not None:
                yield {**best.row, "of": len(group)}
        else:
            yield self._voted(group)

    def _voted(self, group: list[Candidate]) -> dict[str, Any]:
        own = [each for each in group if not each.hinted]
        self._equal = self._equal or equality(own)
        outcome = vote([each.answer for each in own], self._equal or str.__eq__)
        winner = None if outcome.winner is None else own[outcome.winner]
        about = (self.group_field, "answer", "id")
        first = group[0].row
        row = {name: column_of(first, name) for name in about if has_column(first, name)}
        return {
            **row,
            "majority": outcome.answer,
            "votes": [len(members) for members in outcome.classes],
            "abstained": len(outcome.abstained),
            "tied": outcome.tied,
            "correct": None if winner is None else winner.outcome,
        }


def _as_told(prompt: Any, candidate: Candidate) -> Any:
    """The completion in the prompt's form: chat messages where the prompt is chat messages."""
    if isinstance(prompt, list) and isinstance(candidate.completion, str):
        return [{"role": "assistant", "content": candidate.completion}]
    return candidate.completion
