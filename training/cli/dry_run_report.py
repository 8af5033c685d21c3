"""Printing of a dry run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from reward_verifiers.adapters.certify.certificate import certify
from reward_verifiers.adapters.cli.console import literal, stdout
from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.rewards.tree.payment import unopened
from reward_verifiers.verifiers import ConfigError, MissingDependencyError

from ..config import RunConfig
from ..config.trainer_options import check_vllm
from ..dry_run.reference_checks import (
    Opening,
    Reference,
    check_references,
    classes,
    opening_of,
    right_answers,
)
from ..dry_run.reward_checks import (
    ATTACKED,
    Attacked,
    check_attacks,
    check_file,
    check_model,
    honest_pay,
)
from ..dry_run.run_sizes import batch_lines, cut_off, explain, model_shape, prompt_lengths, standing_memory
from ..environment import begin
from ..models.model_places import is_made
from ..run.run_inputs import Prepared, one_source, prepare
from ..stages.policy_stage import check_policy, policy_arguments
from ..stages.stage_run import peft_config

SHOWN = 5
CERTIFIED_ROWS, CERTIFIED_CALLS, CERTIFIED_SECONDS, WORST = 6, 4_000, 8.0, 3
"""What the short certificate looks at, and how many findings are shown."""
WIDTH = 60


def print_dry_run(
    kind: str, whole: RunConfig, config: RunConfig, completions: str | None, sample: int, rows: int
) -> bool:
    """Run and print; return whether all checked references are usable and an honest answer earns.

    Args:
        kind: ``grpo`` or ``rloo``.
        whole: The configuration as it was read.
        config: That of the stage.
        completions: A file with completions, or None.
        sample: Completions to sample from the model.
        rows: References to check.

    Raises:
        ConfigError: Something is missing or contradicts something else.
    """
    console = stdout()
    begin(config.threads)
    # The stage's own model may be what a stage before has still to train.
    own = {"model": whole.model, "output_dir": whole.output_dir}
    if whole.evaluation.holdout:
        own["evaluation"] = whole.evaluation  # a pipeline holds its rows out when it starts
    config = config.model_copy(update=own)
    config = _standing_in(console, _without_vllm(console, config))
    with tempfile.TemporaryDirectory(prefix="verify-train-") as made:
        # A model that a function makes is made anew: a dry run leaves nothing that the run would find.
        config = config.model_copy(update={"output_dir": made})
        return _print(console, kind, config, completions, sample, rows)


def _print(
    console: Console, kind: str, config: RunConfig, completions: str | None, sample: int, rows: int
) -> bool:
    prepared = prepare(config, needs_reward=True)
    args = policy_arguments(kind, config)
    check_policy(kind, config, prepared, args)
    reward = prepared.reward
    assert reward is not None  # noqa: S101  (prepare has asked for it)
    console.print(literal(f"{reward.describe()}"))
    console.print(f"{prepared.told()}\n")
    looked = prepared.train[:rows]
    references = check_references(looked, reward)
    heldout = [] if prepared.strict is None else check_references(prepared.heldout[:rows], prepared.strict)
    usable = _references(console, "training", references, looked, reward)
    if prepared.strict is not None:
        kept = prepared.heldout[:rows]
        usable = _references(console, "held-out", heldout, kept, prepared.strict) and usable
    fine = [row for row, each in zip(looked, references, strict=True) if not each.problem]
    usable = _attacked(console, fine, reward, config, prepared) and usable
    _certified(console, fine, reward)
    if completions is not None:
        judged = check_file(completions, one_source(config.data), reward, 200)
        lengths = (len(prepared.tokenizer(text)["input_ids"]) for text, _ in judged)
        over = sum(each > args.max_completion_length for each in lengths)
        _judged(console, f"the first completions of {completions}", judged, over, args.max_completion_length)
    if sample:
        judged, over = check_model(config, prepared, reward, sample)
        _judged(console, "completions of the model", judged, over, args.max_completion_length)
    _sizes(console, config, prepared, args)
    return usable


def _without_vllm(console: Console, config: RunConfig) -> RunConfig:
    """Return the configuration without vLLM, which a dry run does not need; a lack of it is a note."""
    if not config.trainer.get("use_vllm"):
        return config
    try:
        check_vllm()
    except (ConfigError, MissingDependencyError) as error:
        console.print(literal(f"note: {error}\n"))
        return config.model_copy(update={"trainer": {**config.trainer, "use_vllm": False}})
    return config


def _standing_in(console: Console, config: RunConfig) -> RunConfig:
    """Return the configuration for a model that stands in for the real one, noting a dropped option."""
    if not config.model.dequantize or not is_made(config.model.name):
        return config
    console.print(
        literal(f"note: model.dequantize is left out: {config.model.name} stands in for a model in MXFP4\n")
    )
    return config.model_copy(update={"model": config.model.model_copy(update={"dequantize": False})})


def _references(
    console: Console, name: str, found: Sequence[Reference], rows: Sequence[Any], reward: Reward
) -> bool:
    if not found:
        return True
    for text, style in classes(rows, reward).lines():
        console.print(literal(text, style), soft_wrap=True)
    bad = [each for each in found if each.problem]
    untried = sum(not each.tried and not each.problem for each in found)
    said = f"References ({name}): {len(found) - len(bad):,} of {len(found):,} usable"
    if untried:
        said += f"; {untried:,} of them could only be read, for lack of a solution to try"
    console.print(said, style="red" if bad else "")
    for each in bad[:SHOWN]:
        console.print(literal(f"  row {each.row}: {_short(each.shown)!r}: {each.problem}", "red"))
    if len(bad) > SHOWN:
        console.print(f"  and {len(bad) - SHOWN:,} more", style="red")
    return not bad


def _attacked(
    console: Console, rows: Sequence[Any], reward: Any, config: RunConfig, prepared: Prepared
) -> bool:
    """Print the rewards of attacks and honest completions; return whether an honest one earns."""
    rows = rows[:ATTACKED]
    options = config.model.chat_template_kwargs
    openings = [opening_of(row["prompt"], prepared.tokenizer, options) for row in rows]
    found = check_attacks(rows, reward, openings)
    if not found:
        return True
    passed = [each for each in found if each.passed or each.paid >= each.honest > 0]
    failed = [each for each in found if each not in passed]
    honest = max(each.honest for each in found)
    console.print(
        f"Attacks: {len(found)} tried, {len(passed)} accepted as right; "
        f"an honest answer earns {honest:.3g}, the best other attack {_best(failed)}",
        style="red" if passed else "",
    )
    for each in passed:
        console.print(
            literal(f"  {each.id} ({each.note}) earns {each.paid:.3g}: {_short(each.completion)!r}", "red")
        )
    return _behind(console, rows, reward, openings, honest)


def _certified(console: Console, rows: Sequence[Any], reward: Reward) -> None:
    """Print the worst finding of a short certificate, which `verify-cli certify` makes at length."""
    try:
        found = certify(
            reward, [dict(row) for row in rows], budget=CERTIFIED_CALLS, seconds=CERTIFIED_SECONDS
        )
    except ConfigError as error:
        console.print(literal(f"Certificate: none, since {error}"))
        return
    worst = [each for each in found.findings if each.level != "note"]
    grades = ", ".join(f"{section} {grade}" for section, grade in found.grades().items())
    console.print(literal(f"Certificate after {found.calls:,} calls: {grades}", "red" if worst else ""))
    for each in worst[:WORST]:
        shown = "" if each.example is None else f": {_short(each.example)!r}"
        console.print(literal(f"  {each.level} {each.name}: {each.message}{shown}", "red"))


def _behind(
    console: Console, rows: Sequence[Any], reward: Any, openings: Sequence[Opening], honest: float
) -> bool:
    """Return whether an honest completion earns the same behind the template as by itself."""
    opening = next((each for each in openings if str(each) or each.end), None)
    if opening is None:
        return True
    answers = right_answers(rows, reward)
    pairs = list(zip(rows, answers, openings, strict=True))
    alone = max((honest_pay(row, own, reward, Opening()) for row, own, _ in pairs), default=0.0)
    shown = f"the prompt ends in {opening}" if str(opening) else f"completions end in {opening.end!r}"
    if honest >= alone:
        console.print(literal(f"Template: {shown}; an honest answer earns {honest:.3g} behind it as well"))
        return True
    cure = "set model.chat_template_kwargs or model.chat_template to one without it"
    if opening.tag and not opening.closed:
        cure = (
            f"let the reward read completions that begin within it, TagFormat's prefilled={opening.tag} (the "
            f"preset r1_think), or {cure}"
        )
    console.print(
        literal(
            f"Template: {shown}, so no completion begins with it: an honest answer earns {honest:.3g}, and "
            f"{alone:.3g} where it had written it; {cure}",
            "red",
        )
    )
    return False


def _best(others: Sequence[Attacked]) -> str:
    best = max(others, key=lambda each: each.paid, default=None)
    return "0" if best is None else f"{best.paid:.3g} ({best.id})"


def _judged(
    console: Console, name: str, judged: Sequence[tuple[str, Payment]], over: int, limit: int
) -> None:
    table = Table(box=None, pad_edge=False, title=f"\n{name}", title_justify="left")
    for column in ("paid", "parts", "reasons", "completion"):
        table.add_column(column, overflow="fold" if column == "completion" else "ellipsis")
    for text, payment in judged[:20]:
        parts = ", ".join(f"{part} {_value(value)}" for part, value in payment.values().items())
        reasons = ", ".join(dict.fromkeys(verdict.reason for _, verdict in payment.judged()))
        table.add_row(_value(payment.value), literal(parts), literal(reasons), literal(_short(text)))
    console.print(table)
    paid = [payment.value for _, payment in judged if payment.value is not None]
    mean = sum(paid) / len(paid) if paid else 0.0
    same = len(set(paid)) < 2
    console.print(
        f"{len(judged)} completions: mean {mean:.3f}, {len(judged) - len(paid)} unscored"
        + ("; all earn the same, so there is nothing to learn from" if same and len(judged) > 1 else "")
    )
    if said := unopened([payment for _, payment in judged]):
        console.print(literal(said, "red"), soft_wrap=True)
    if over:
        shown = f"{over} of {len(judged)} are cut off: they are longer than {limit} tokens"
        console.print(f"{shown}; raise trainer.max_completion_length", style="red")


def _sizes(console: Console, config: RunConfig, prepared: Prepared, args: Any) -> None:
    lengths = prompt_lengths(prepared)
    console.print()
    _rows(console, batch_lines(args, len(prepared.train), max(lengths, default=0)))
    for warning in cut_off(prepared, lengths, args.max_completion_length):
        console.print(literal(warning, "red"))
    shape = model_shape(prepared)
    if shape is None:
        console.print("memory: not counted, the model's configuration is not available")
        return
    try:
        found = standing_memory(
            shape,
            lora=peft_config(config),
            quantize=config.model.quantize,
            dtype=_dtype(config, bool(args.use_cpu)),
            beta=args.beta,
            optimizer=str(getattr(args.optim, "value", args.optim)),
        )
    except ConfigError as error:
        console.print(literal(f"memory: not counted: {error}"))
        return
    console.print("\nmemory that is held throughout; activations, logits and the cache come on top")
    _rows(console, explain(found))


def _dtype(config: RunConfig, cpu: bool) -> str:
    """Return the type of the weights; as stored they are mostly bfloat16."""
    if config.model.dtype != "auto":
        return config.model.dtype
    return "float32" if cpu or config.model.lora is None else "bfloat16"


def _rows(console: Console, rows: Iterable[tuple[str, str]]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*map(literal, row))
    console.print(table)


def _value(value: float | None) -> str:
    return "none" if value is None else f"{value:.3g}"


def _short(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= WIDTH else f"{shown[:WIDTH]}…"
