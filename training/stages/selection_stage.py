"""Selecting: a model's own completions, verified, as training data (rejection sampling, STaR, pairs)."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.files.scored_candidates import with_grades
from reward_verifiers.rewards import Reward
from reward_verifiers.rewards.select import Candidate, preference_pairs, rejection_sample, star_sample
from reward_verifiers.rewards.select.candidates import Measure, pass_rate
from reward_verifiers.verifiers import ConfigError

from ..config import Data, RunConfig, Select
from ..data import Row, forgetting
from ..data.row_prompts import filled
from ..environment import say, world_size
from ..run.run_inputs import Prepared, backend_of, outcome_part, prepare, sampling_of
from ..run.sampled_rows import json_line, sample_rows
from .stage_run import StageRun, stage

FEW = 0.1
"""Rows for each prompt below which something is probably wrong."""
FEW_ROWS = (
    ". That is few: a prompt gives none if its completions are all right, all wrong or alike; verify-cli "
    "groups on sampled.jsonl shows how many are"
)


@stage("select")
def select_data(run: StageRun) -> dict[str, Any]:
    """Sample K completions of each prompt, judge them, and keep those worth learning from.

    ``sample`` says how many, ``select`` what is kept. ``selected.jsonl`` holds the rows, ``sampled.jsonl``
    all completions with their verdicts.
    """
    config = run.config
    select = config.select or Select()
    if world_size() > 1:
        raise ConfigError(
            "a select stage runs in one process: run it without a launcher, then launch the pipeline again"
        )
    prepared = prepare(config, needs_reward=True)
    sources = sources_of(config)
    outcome = check_select(select, prepared.reward, sources)
    backend = backend_of(config, prepared)
    sampling = sampling_of(config)
    path = run.folder / "sampled.jsonl"

    for _ in sample_rows(backend, prepared.train, prepared, sampling, path, say):
        pass
    groups = list(_groups(path, prepared.train, sampling.k))
    own = [_candidates(group, outcome, select) for group in groups]
    rates = [pass_rate(group) for group in own]
    if select.purpose == "star":
        _add_hinted(config, select, prepared, backend, own, outcome, run.folder)
    rows = [
        _shown(made, sources, select)
        for row, group, rate in zip(prepared.train, own, rates, strict=True)
        if rate is None or rate <= select.max_pass_rate
        for made in _made(row, group, rate, select, config.seed)
    ]
    counts = _by_task(prepared.train, rows)
    _check_enough(select, counts, own, rates)
    text = "".join(map(json_line, rows))
    (run.folder / "selected.jsonl").write_bytes(text.encode("utf-8", "backslashreplace"))
    judged = [rate for rate in rates if rate is not None]
    metrics = {
        "prompts": len(own),
        "completions": len(own) * sampling.k,
        "selected": len(rows),
        "pass_rate": sum(judged) / len(judged) if judged else None,
        "solved": sum(rate > 0 for rate in judged) / len(judged) if judged else None,
        "by_task": counts,
    }
    few = FEW_ROWS if len(rows) < FEW * len(own) else ""
    say(f"selected {len(rows)} rows from {len(own)} prompts, pass rate {metrics['pass_rate'] or 0:.3f}{few}")
    for task, found in counts.items() if len(counts) > 1 else ():
        few = FEW_ROWS if found["selected"] < FEW * found["prompts"] else ""
        say(f"  {task}: {found['selected']} rows from {found['prompts']} prompts{few}")
    return run.finish(metrics, [])


def _by_task(prompts: Sequence[Row], rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Count the prompts of each task, and the rows made of them."""
    asked, made = (Counter(str(row.get("task", "all")) for row in each) for each in (prompts, rows))
    return {task: {"prompts": count, "selected": made[task]} for task, count in asked.items()}


def _check_enough(
    select: Select,
    counts: Mapping[str, Mapping[str, int]],
    own: Sequence[list[Candidate]],
    rates: Sequence[float | None],
) -> None:
    """Refuse to go on with no rows, or with fewer than required.

    Raises:
        ConfigError: There are fewer; the message says what may help.
    """
    kept = sum(each["selected"] for each in counts.values())
    poor = [task for task, each in counts.items() if each["selected"] < select.least]
    if kept and (select.least == 1 or not poor):
        return
    judged = [rate for rate in rates if rate is not None]
    those = f"nothing was selected from {len(own)} prompts"
    if kept:
        those = "; ".join(
            f"{counts[task]['selected']} rows were selected from the {counts[task]['prompts']} prompts of "
            f"task {task!r}, and select.least is {select.least}"
            for task in poor
        )
    raise ConfigError(
        f"select: {those}. The model passes {sum(judged) / max(len(judged), 1):.1%} of all; "
        f"{_cut_off(own):.0%} of the completions were cut off at sample.max_tokens. Sample more or longer "
        "ones (sample.k), or ask for less (select.require, select.pass_at)"
    )


def _shown(made: dict[str, Any], sources: Sequence[Data], select: Select) -> dict[str, Any]:
    """Return a training row with the prompt to learn from."""
    if not select.forget:
        return made
    return {**made, "prompt": forgetting(made["prompt"], sources, select.forget)}


def sources_of(config: RunConfig) -> list[Data]:
    """Return the sources of a stage's rows."""
    return [each for each in (config.data if isinstance(config.data, list) else [config.data]) if each]


def check_select(select: Select, reward: Reward | None, sources: Sequence[Data]) -> tuple[str, ...]:
    """Return the parts of the paying reward that judge correctness, one of each route.

    Raises:
        ConfigError: There is no reward, it has no part that is asked for, or nothing to forget is there.
    """
    for part in select.forget:
        if not any(getattr(each, part) for each in sources if each.format != "as_is"):
            raise ConfigError(
                f"select.forget: no source puts {part!r} before its prompts (rows that are read as_is have "
                f"prompts of their own); write data.{part}, or leave it out of select.forget"
            )
    if reward is None:
        raise ConfigError("the key 'reward' is missing: a select stage keeps completions by it")
    for name in select.require:
        outcome_part(reward, name, "select.require")
    wanted = select.outcome if isinstance(select.outcome, list) else [select.outcome]
    if not wanted:
        raise ConfigError("select.outcome: an empty list names no part")
    return tuple(outcome_part(reward, each, "select.outcome") for each in wanted)


def _cut_off(groups: Sequence[list[Candidate]]) -> float:
    lines = [each.row for group in groups for each in group]
    return sum(not line["finished"] for line in lines) / max(len(lines), 1)


def _groups(path: Path, rows: list[Row], k: int) -> Iterator[list[dict[str, Any]]]:
    """Yield the lines of each row, in order."""
    with open(path, encoding="utf-8") as file:
        for _ in rows:
            yield [json.loads(next(file)) for _ in range(k)]


def _candidates(group: list[dict[str, Any]], outcomes: tuple[str, ...], select: Select) -> list[Candidate]:
    paid = group[0]["reward_parts"]  # all of a group are one row's, and take the same route
    outcome = next((name for name in outcomes if name in paid), outcomes[0])
    found = [
        Candidate(
            completion=line["completion"],
            outcome=line["reward_parts"].get(outcome),
            reward=line["reward"],
            length=line["completion_tokens"],
            # One that was cut off would teach a model not to stop.
            accepted=line["finished"]
            and all(line["reward_parts"][name] == 1.0 for name in select.require if name in paid),
            judge=dict(zip(line["verdict_parts"], line["verdicts"], strict=True))
            .get(outcome, {})
            .get("verifier", ""),
            pass_at=1.0 if select.pass_at is None else select.pass_at,
            row=line,
        )
        for line in group
    ]
    return found if select.pass_at is not None else with_grades(found)


def _add_hinted(
    config: RunConfig,
    select: Select,
    prepared: Prepared,
    backend: Any,
    own: list[list[Candidate]],
    outcome: tuple[str, ...],
    folder: Path,
) -> None:
    """Add completions of a prompt with the answer where none is right (STaR, arXiv:2203.14465)."""
    failed = [
        index for index, group in enumerate(own) if not any(each.passed and each.accepted for each in group)
    ]
    if not failed:
        return
    say(f"{len(failed)} prompts have no right completion: sampled again with a hint")
    rows = [_hinted(prepared.train[index], select.hint) for index in failed]
    path = folder / "hinted.jsonl"
    for _ in sample_rows(backend, rows, prepared, sampling_of(config), path):
        pass
    for index, group in zip(failed, _groups(path, rows, config.sample.k), strict=True):
        own[index] += [dataclasses.replace(each, hinted=True) for each in _candidates(group, outcome, select)]


def _hinted(row: Row, hint: str) -> Row:
    told = filled(hint, row, "select.hint")
    prompt = row["prompt"]
    if isinstance(prompt, str):
        return {**row, "prompt": prompt + told}
    last = {**prompt[-1], "content": prompt[-1]["content"] + told}
    return {**row, "prompt": [*prompt[:-1], last]}


def _made(
    row: Row, group: list[Candidate], rate: float | None, select: Select, seed: int
) -> Iterator[dict[str, Any]]:
    """Yield training rows with the prompt without a hint."""
    about = {**row, "pass_rate": rate}
    if select.purpose == "dpo":
        by: Measure = "reward" if select.outcome is None else "outcome"
        for chosen, rejected in preference_pairs(group, select.per_prompt, select.pairing, select.margin, by):
            made = {**about, "chosen": chosen.completion, "rejected": rejected.completion}
            if chosen.graded:
                made["margin"] = (chosen.outcome or 0.0) - (rejected.outcome or 0.0)
            yield made
        return
    choose = star_sample if select.purpose == "star" else rejection_sample
    for each in choose(group, select.per_prompt, select.prefer, True, seed):
        yield {**about, "completion": each.completion, "reward": each.reward, "hinted": each.hinted}
