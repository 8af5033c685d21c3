"""``verify-cli certify`` and ``trust``: the exploit of a reward, found before a policy finds it; its errors.

`trust` estimates from rollouts, their agreement and a few labels how often a reward is wrong.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from reward_verifiers.rewards import load_recipe
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..audit.findings import LEVELS
from ..certify import pages
from ..certify.certificate import BUDGET, SECONDS, Certificate
from ..certify.certificate import certify as certified
from ..certify.subject import CALL_SECONDS
from ..certify.trusting import ASKED, Trust, rollouts_of
from ..certify.trusting import trust as trusted
from .console import ROWS_FAILED, failing_clearly, literal, stdout

COLOURS = {"alarm": "bold red", "warning": "yellow", "note": "dim"}


Reward = Annotated[
    str, typer.Argument(help="A preset, a recipe file, a verifier, a function (file.py:name) or a server.")
]
Data = Annotated[list[str], typer.Argument(help="Files of rows with references.")]
References = Annotated[
    str | None, typer.Option(help="The column with the references (default: answer, or its usual names).")
]
Prompts = Annotated[
    str | None, typer.Option(help="The column with the questions (default: prompt, question, problem).")
]
Forms = Annotated[
    list[str] | None,
    typer.Option(help="A form of answers, with {} for the answer; repeatable."),
]
Calls = Annotated[int, typer.Option(help="Maximum number of calls of the reward.", min=1)]
Seconds = Annotated[float, typer.Option(help="Maximum wall-clock seconds.", min=1.0)]
CallSeconds = Annotated[
    float, typer.Option(help="Maximum processor seconds for one call of a function.", min=0.1)
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option("--output", "-o", help="Write .json, .md, .html or .svg (a badge); repeatable."),
]
Since = Annotated[Path | None, typer.Option(help="An older certificate (JSON) to compare with.")]
Cases = Annotated[Path | None, typer.Option(help="Write the alarms as case rows for verify-cli test.")]
FailOn = Annotated[
    str | None, typer.Option(help="End with status 1 from this level: note, warning or alarm.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")]


def certify(
    reward: Reward,
    data: Data,
    reference_field: References = None,
    prompt_field: Prompts = None,
    form: Forms = None,
    budget: Calls = BUDGET,
    seconds: Seconds = SECONDS,
    call_seconds: CallSeconds = CALL_SECONDS,
    output: Outputs = None,
    since: Since = None,
    cases: Cases = None,
    fail_on: FailOn = None,
    as_json: AsJson = False,
) -> None:
    """Look for text that earns reward without answering, on rows with references; needs no model.

    The reward runs in its own process, with limits. Exit status: 0, or 1 with --fail-on.
    """
    with failing_clearly():
        if fail_on is not None and fail_on not in LEVELS:
            raise ConfigError(
                f"--fail-on {fail_on!r} is not one of {', '.join(LEVELS)}{nearest(fail_on, LEVELS)}"
            )
        older = None if since is None else pages.read(since)
        for path in output or ():
            pages.check(path)
        found = certified(
            reward,
            data,
            reference_field=reference_field,
            prompt_field=prompt_field,
            budget=budget,
            seconds=seconds,
            call_seconds=call_seconds,
            forms=form or (),
        )
        said = found.to_dict()
        if older is not None:
            said["since"] = pages.changes(older, said)
        for path in output or ():
            pages.write(said, path)
        if cases is not None:
            pages.write_cases(found, cases)
        if as_json:
            typer.echo(json.dumps(said, ensure_ascii=True, default=str))
        else:
            _print(found, said)
    if fail_on is not None and any(
        LEVELS.index(each.level) >= LEVELS.index(fail_on) for each in found.findings
    ):
        raise typer.Exit(ROWS_FAILED)


def _print(found: Certificate, said: dict[str, Any]) -> None:
    console = stdout()
    grades = ", ".join(f"{name} {grade}" for name, grade in found.grades().items())
    console.print(literal(f"{found.reward}: {grades}", "bold"))
    console.print(literal(f"{found.rows:,} rows, {found.calls:,} calls, {found.seconds:.1f} s", "dim"))
    if not found.findings:
        console.print("nothing found")
    for each in found.findings:
        console.print()
        console.print(literal(f"{each.level} ", COLOURS[each.level]) + literal(each.name, "bold"))
        console.print(literal(f"  {each.message}"))
        if each.paid:
            console.print(
                literal(f"  {each.paid} of {each.tried}, rows {', '.join(map(str, each.rows[:8]))}", "dim")
            )
        line = each.reproduce(found.reward, two=found.about.get("two", True))
        if line:
            console.print(literal(f"  {line if len(line) < 400 else line[:400] + ' ...'}"), soft_wrap=True)
        if each.cure:
            console.print(literal(f"  {each.cure}", "dim"))
    console.print()
    if "since" in said:
        for name in ("new", "gone", "levels"):
            shown = ", ".join(f"{each} ({level})" for each, level in said["since"][name].items()) or "none"
            console.print(literal(f"{name}: {shown}"), soft_wrap=True)
    console.print(literal("not tried: " + "; ".join(found.untried), "dim"), soft_wrap=True)


def trust(
    files: Annotated[list[str], typer.Argument(help="Files of rollouts: completions with references.")],
    recipe: Annotated[
        str | None,
        typer.Option("--recipe", "-r", help="The reward (default: a scored file's own, or one that fits)."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(help="A column with labels of some rows (true, false); null elsewhere."),
    ] = None,
    group_field: Annotated[
        str | None,
        typer.Option(
            help="The column whose value all completions of a question share (default: the question)."
        ),
    ] = None,
    completion_field: Annotated[str | None, typer.Option(help="The column with the completions.")] = None,
    reference_field: Annotated[str | None, typer.Option(help="The column with the references.")] = None,
    ask: Annotated[int, typer.Option(help="Number of rows for you to label.", min=0)] = ASKED,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Estimate how often a reward accepts wrong rows and rejects right ones, and which references are wrong.

    Label the rows that it names in a column, and run it again with --labels: the intervals rest on these
    labels.
    """
    with failing_clearly():
        reward = None if recipe is None else load_recipe(recipe)
        rollouts = rollouts_of(files, reward, labels, group_field, completion_field, reference_field)
        found = trusted(rollouts, ask)
        if as_json:
            typer.echo(json.dumps(found.to_dict(), ensure_ascii=True, default=str))
        else:
            _print_trust(found)


def _print_trust(found: Trust) -> None:
    console = stdout()
    console.print(literal(f"{found.rows:,} rows, {found.paid:,} paid, {found.labels:,} labelled", "bold"))
    for name, rate in (("paid and wrong", found.wrong_payments), ("refused and right", found.wrong_refusals)):
        console.print(
            literal(f"{name:18} {rate.value:6.1%} of all rows, from {rate.low:.1%} to {rate.high:.1%}")
        )
    if not found.labels:
        console.print(
            literal("without labels this is what verifiers that may err together agree on", "yellow")
        )
    for name, share in found.witnesses.items():
        console.print(literal(f"  {name:18} agrees in {share:.1%}", "dim"))
    if found.gradient is not None:
        agreement, turned = found.gradient["agreement"], found.gradient["turned"]
        console.print(
            literal(f"GRPO: advantages agree by {agreement:.2f}; {turned:.1%} of them have the other sign")
        )
    for each in found.wrong_references[:10]:
        others = f"{each.said_by} of {each.rows} say {each.answer!r:.40}"
        if each.said_by < 2:
            others = f"{each.rows - each.paid} of {each.rows} say something else"
        console.print(literal(f"likely wrong  row {each.row + 1}: {each.reference!r:.40}, but {others}"))
    if found.ask:
        rows = ", ".join(str(place + 1) for place in found.ask)
        console.print(literal(f"label these rows next: {rows}"), soft_wrap=True)
