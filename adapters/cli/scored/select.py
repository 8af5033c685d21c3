"""``verify-cli select``, ``prefer``: training data and answers from scored completions, pairs by a judge."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reward_verifiers.rewards import load_recipe
from reward_verifiers.rewards.select import (
    Candidate,
    best_of_n,
    preference_pairs,
    rejection_sample,
    star_sample,
    vote,
)
from reward_verifiers.rewards.select.candidates import TINY, Measure, Pairing, Prefer, pass_rate
from reward_verifiers.rewards.select.preferences import How, preferences, served_judge
from reward_verifiers.verifiers import ConfigError

from ...files.chunk_scorer import dumps
from ...files.columns import check_column, column_of, has_column
from ...files.gathering import gathered
from ...files.jsonl import Overlong, Source, parse
from ...files.line_groups import whole_groups
from ...files.scored_candidates import Reader, equality
from ...files.scored_output import Output
from ..column_options import Options, common_naming, with_columns
from ..console import failing_clearly, literal, stderr, stdout
from .groups import Outcome, Sort


class Purpose(StrEnum):
    """Purposes of a selection."""

    sft = "sft"
    star = "star"
    dpo = "dpo"
    best = "best"
    majority = "majority"


@dataclass(frozen=True)
class Choice:
    """Choice among a prompt's completions; see `rewards.select`."""

    purpose: Purpose
    per_prompt: int
    prefer: Prefer
    dedupe: bool
    pairing: Pairing
    margin: float
    seed: int
    by: Measure


class Maker:
    """Makes the rows of one purpose."""

    def __init__(self, choice: Choice, group_field: str) -> None:
        self.choice, self.group_field = choice, group_field
        self._equal: Any = None

    def rows(self, group: list[Candidate], rate: float | None) -> Iterator[dict[str, Any]]:
        """Yield the selected rows of a prompt."""
        prompt = column_of(group[0].row, self.group_field)
        about = {"pass_rate": rate, "signature": group[0].row.get("signature")}
        how = self.choice
        if how.purpose in (Purpose.sft, Purpose.star):
            choose = rejection_sample if how.purpose is Purpose.sft else star_sample
            for each in choose(group, how.per_prompt, how.prefer, how.dedupe, how.seed):
                row = {"prompt": prompt, "completion": _as_told(prompt, each), "reward": each.reward, **about}
                if each.graded:
                    row["outcome"] = each.outcome
                yield {**row, "hinted": each.hinted} if how.purpose is Purpose.star else row
        elif how.purpose is Purpose.dpo:
            for chosen, rejected in preference_pairs(group, how.per_prompt, how.pairing, how.margin, how.by):
                graded = {"margin": (chosen.outcome or 0.0) - (rejected.outcome or 0.0)}
                yield {
                    "prompt": prompt,
                    "chosen": _as_told(prompt, chosen),
                    "rejected": _as_told(prompt, rejected),
                    "chosen_reward": chosen.reward,
                    "rejected_reward": rejected.reward,
                    **(graded if chosen.graded else {}),
                    **about,
                }
        elif how.purpose is Purpose.best:
            best = best_of_n(group, how.by)
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
    """Return the completion in the prompt's form: chat messages where the prompt is chat messages."""
    if isinstance(prompt, list) and isinstance(candidate.completion, str):
        return [{"role": "assistant", "content": candidate.completion}]
    return candidate.completion


class Tally:
    """Counts of a file's prompts: selected, or left out and why.

    Args:
        purpose: Purpose of the selection.
        margin: The least difference of a pair.
        max_pass_rate: Prompts that pass more often are left out.
    """

    FEW = 0.1
    """The share of prompts below which something is probably wrong."""

    def __init__(self, purpose: Purpose, margin: float, max_pass_rate: float) -> None:
        self.purpose, self.margin, self.max_pass_rate = purpose, margin, max_pass_rate
        self.prompts = self.kept = self.rows = self.single = 0
        self.unjudged = self.none_right = self.all_right = self.alike = 0
        self.unaccepted = self.too_easy = self.near = 0
        self.best: float | None = None

    def admits(self, rate: float | None) -> bool:
        """Return whether a prompt is hard enough."""
        return rate is None or rate <= self.max_pass_rate

    def add(self, group: list[Candidate], rate: float | None, made: int) -> None:
        """Count a prompt, and why nothing was made of it."""
        self.prompts += 1
        self.kept += bool(made)
        self.rows += made
        own = [each for each in group if not each.hinted]
        outcomes = [each.outcome for each in own if each.outcome is not None]
        if outcomes:
            self.best = max(outcomes) if self.best is None else max(self.best, *outcomes)
        if not made:
            self._note(own, outcomes, self.admits(rate))

    def _note(self, own: list[Candidate], outcomes: list[float], admitted: bool) -> None:
        """Count the first cause that explains a prompt."""
        good = [each for each in own if (each.graded and each.outcome) or each.passed]
        if not outcomes:
            self.unjudged += 1
        elif not admitted:
            self.too_easy += 1
        elif not good:
            self.none_right += 1
        elif not any(each.accepted for each in good):
            self.unaccepted += 1
        elif len(own) < 2:
            self.single += 1
        elif max(outcomes) - min(outcomes) <= TINY:
            self.alike += 1
        elif all(each.passed for each in own if each.outcome is not None) and not good[0].graded:
            self.all_right += 1
        else:
            self.near += 1

    def counts(self) -> str:
        """Return the number of rows and of their prompts, as text."""
        return f"{self.rows:,} rows from {self.kept:,} of {self.prompts:,} prompts"

    def why_so_few(self) -> str:
        """Return the explanation where nothing, or little, is kept; "" otherwise."""
        if self.kept and self.kept >= self.FEW * self.prompts:
            return ""
        best = "" if self.best is None else f"; the highest outcome of all is {self.best:g}"
        causes = [
            (self.none_right, f"no completion is right{best} (see --pass-at and --outcome)"),
            (self.alike, "all completions have the same outcome, so none is better than another"),
            (self.all_right, "all completions are right"),
            (self.single, "there is one completion only: sample several of each prompt, or see --sort"),
            (self.near, f"no two differ by as much as --margin {self.margin:g}"),
            (self.unaccepted, "right completions do not pass --require"),
            (self.too_easy, f"the model passes more often than --max-pass-rate {self.max_pass_rate:g}"),
            (self.unjudged, "nothing could be judged (verify-cli show FILE --status unscored says why)"),
        ]
        said = [f"{count:,}: {why}" for count, why in sorted(causes, key=lambda pair: -pair[0]) if count]
        kept = (
            f"{self.kept:,} of {self.prompts:,} prompts" if self.kept else f"none of {self.prompts:,} prompts"
        )
        return f"select kept {kept}; of the others\n  " + "\n  ".join(said)


BLOCK = 1 << 20
"""Bytes that are copied at once."""


class Preference(StrEnum):
    """Which of several right completions."""

    shortest = "shortest"
    best = "best"
    first = "first"
    random = "random"


class PairBy(StrEnum):
    """Which pairs of right and wrong completions."""

    length = "length"
    reward = "reward"


Files = Annotated[list[str], typer.Argument(help="Scored files of JSON Lines; - for standard input.")]
For = Annotated[
    Purpose,
    typer.Option(
        "--for",
        help="sft: right completions. star: the same, with hinted rows for prompts without any other. "
        "dpo: chosen and rejected. best: the best of each prompt. majority: the answer of most.",
    ),
]


@with_columns
def select(
    options: Options,
    files: Files,
    purpose: For = Purpose.sft,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Selected rows; - for standard output.")
    ] = "-",
    outcome: Outcome = None,
    require: Annotated[str, typer.Option(help="Parts that must pass as well, separated by commas.")] = "",
    per_prompt: Annotated[int, typer.Option(help="At most this many for each prompt.", min=1)] = 1,
    prefer: Annotated[
        Preference, typer.Option(help="Which right completions come first.")
    ] = Preference.shortest,
    dedupe: Annotated[bool, typer.Option(help="Drop duplicate texts of a prompt.")] = True,
    pairing: Annotated[
        PairBy, typer.Option(help="For dpo: pair completions closest in length, or furthest apart in reward.")
    ] = (PairBy.length),
    margin: Annotated[
        float,
        typer.Option(help="For dpo: least difference in reward, or in --outcome if you name one.", min=0.0),
    ] = 0.0,
    pass_at: Annotated[
        float | None,
        typer.Option(
            help="The lowest outcome that counts as right (default: 1, if the outcome is no grade)."
        ),
    ] = None,
    hardest_first: Annotated[bool, typer.Option(help="Order by pass rate, lowest first.")] = False,
    max_pass_rate: Annotated[
        float, typer.Option(help="Leave out prompts with a higher pass rate.", min=0.0, max=1.0)
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Random seed for --prefer random.")] = 0,
    sort: Sort = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
) -> None:
    """Select completions for training, or one answer for each prompt.

    Rows of one prompt must follow one another, or be gathered by --sort. Unscored rows are neither right nor
    wrong, and rows with a true `hinted` column never count as passes. A higher grade (of a judge or metric)
    is better.
    """
    with failing_clearly():
        names = tuple(name.strip() for name in require.split(",") if name.strip())
        source, columns = common_naming(files, options)
        reader = Reader(outcome, names, columns.completion, columns.group, sort, pass_at)
        by: Measure = "reward" if outcome is None else "outcome"
        choice = Choice(purpose, per_prompt, prefer.value, dedupe, pairing.value, margin, seed, by)
        Output(output, force=force).check_apart_from(files)
        tally = Tally(purpose, choice.margin, max_pass_rate)
        _write(reader.groups(source), Maker(choice, columns.group), tally, output, hardest_first)
        if not tally.prompts:
            raise ConfigError(f"{', '.join(files)}: no rows")
        console = stderr() if output == "-" else stdout()
        console.print(tally.counts(), style="dim")
        if said := tally.why_so_few():
            stderr().print(literal(said))


def _write(
    groups: Iterator[list[Candidate]], maker: Maker, tally: Tally, output: str, hardest_first: bool
) -> None:
    """Write the selected rows of all groups, or nothing at all."""
    with contextlib.ExitStack() as opened:
        # What was there is replaced, and what reads a pipe gets something, only once all rows are selected.
        replaced = output != "-" and not Path(output).is_char_device()
        target = Output(f"{output}.part" if replaced else output, force=True)
        held = opened.enter_context(tempfile.TemporaryFile()) if output == "-" else None
        write = target.write if held is None else held.write
        target.open()
        ordered: list[tuple[float, bytes]] = []
        try:
            for group in groups:
                rate = pass_rate(group)
                made = list(maker.rows(group, rate)) if tally.admits(rate) else []
                tally.add(group, rate, len(made))
                data = b"".join(dumps(row) + b"\n" for row in made)
                if hardest_first and made:
                    ordered.append((1.0 if rate is None else rate, data))
                else:
                    write(data)
            for _, data in sorted(ordered, key=lambda pair: pair[0]):
                write(data)
            if held is not None and tally.prompts:
                held.seek(0)
                for data in iter(partial(held.read, BLOCK), b""):
                    target.write(data)
        except BaseException:
            target.close()
            if replaced:
                Path(f"{output}.part").unlink(missing_ok=True)
            raise
        target.close()
        if replaced and tally.prompts:
            Path(f"{output}.part").replace(output)
        elif replaced:
            Path(f"{output}.part").unlink(missing_ok=True)


Scored = Annotated[list[str], typer.Argument(help="Completions, scored or not; - for standard input.")]


@with_columns
def prefer(
    options: Options,
    files: Scored,
    judge: Annotated[str, typer.Option("--judge", "-j", help="A recipe with one Judge that has a url.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Pairs; - for standard output.")] = "-",
    how: Annotated[How, typer.Option(help="Two at a time, or all of a prompt as a list.")] = "pairs",
    asked: Annotated[
        int | None, typer.Option(help="With pairs: compare at most this many per prompt.", min=1)
    ] = None,
    per_prompt: Annotated[int, typer.Option(help="At most this many pairs of each prompt.", min=1)] = 1,
    margin: Annotated[float, typer.Option(help="The least margin, from 0 to 1.", min=0.0, max=1.0)] = 0.0,
    sort: Sort = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
) -> None:
    """Ask a judge which completion of a prompt is better, in both orders, and write chosen and rejected.

    If the two orders contradict each other, it is a tie without a pair. The rows have a `margin`, which TRL's
    reward trainer reads.
    """
    with failing_clearly():
        asking = served_judge(load_recipe(judge))
        source, names = common_naming(files, options)
        target = Output(output, force=force)
        target.check_apart_from(files)
        target.open()
        prompts = rows = 0
        try:
            for group in _groups(source, names.group, sort):
                prompts += 1
                prompt = column_of(group[0], names.group)
                texts = [column_of(row, names.completion) for row in group]
                for each in preferences(
                    asking, texts, prompt, how=how, per_prompt=per_prompt, margin=margin, asked=asked
                ):
                    pair = {"prompt": prompt, "chosen": texts[each.chosen], "rejected": texts[each.rejected]}
                    rows += 1
                    target.write(dumps({**pair, "margin": each.margin}) + b"\n")
        finally:
            target.close()
        console = stderr() if output == "-" else stdout()
        console.print(f"{rows:,} pairs from {prompts:,} prompts", style="dim")
        if not rows:
            stderr().print("the judge has no preferences: all pairs are ties, too close, or unscored")


def _groups(source: Source, field: str, sort: bool) -> Iterator[list[Mapping[str, Any]]]:
    chunks = gathered(source.chunks(), field) if sort else source.chunks()
    for chunk in whole_groups(chunks, field, together=sort):
        if isinstance(chunk, Overlong):
            raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
        group: list[Mapping[str, Any]] = []
        for line in chunk:
            try:
                row = parse(line.raw)
            except ValueError as error:
                raise ConfigError(f"{line.where}: {error}") from None
            check_column(row, field, "group", line.where)
            group.append(row)
        yield group
