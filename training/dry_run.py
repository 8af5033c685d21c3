"""The dry run: what a reward would do with this data, before a GPU is paid for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.scorer import WRITTEN
from rewards import Batch, Payment, Reward
from verifiers import ConfigError, Status

from .attacks import Form, attacks, forms, prompt_text
from .config import Data, RunConfig
from .data import Row, read_rows
from .generation import Sampling, TransformersBackend
from .measure import answer
from .models import load_model
from .prepare import Prepared
from .rewards import RESERVED, check_columns, outcome_part

SOLUTIONS = ("solution_code", "canonical_solution", "reference_solution", "code", "solution")
"""Columns that hold a program that passes a row's tests, as HumanEval and MBPP name them."""
SHOWN = 5
ATTACKED = 20
"""Rows that every attack is tried on."""


@dataclass
class Reference:
    """What came of scoring a row's reference against itself.

    Args:
        row: Its number.
        shown: The reference, for a person.
        problem: Why it is unusable; empty for a usable one.
        tried: Whether there was a completion to try: tests without a solution can only be read.
    """

    row: int
    shown: str
    problem: str = ""
    tried: bool = True


@dataclass
class Attacked:
    """What an attack was paid.

    Args:
        id: Of the attack.
        note: What it tries.
        paid: The most that it was paid.
        honest: What the right answer in the right form is paid on the same row.
        passed: Whether it was taken for right.
        completion: The completion that was paid most.
    """

    id: str
    note: str
    paid: float
    honest: float
    passed: bool
    completion: str


@dataclass
class DryRun:
    """Everything that a dry run found out.

    Args:
        references: One for each row that was looked at.
        judged: Completions from a file or from the model, with their payments.
        attacked: One for each attack.
    """

    references: list[Reference] = field(default_factory=list)
    judged: list[tuple[str, Payment]] = field(default_factory=list)
    attacked: list[Attacked] = field(default_factory=list)

    @property
    def unusable(self) -> list[Reference]:
        """References that would mask their row, or refuse a right answer."""
        return [each for each in self.references if each.problem]


def check_references(rows: Sequence[Row], reward: Reward) -> list[Reference]:
    """Score each reference against itself.

    A reference is usable if it can be read, and if an honest completion that gives it is paid in full
    by the part that judges the answer.

    Args:
        rows: With their references.
        reward: What pays.
    """
    part = outcome_part(reward, None, "reward")
    probes = pay(rows, ["0"] * len(rows), reward)
    found = [
        _read(number, row, payment, part)
        for number, (row, payment) in enumerate(zip(rows, probes, strict=True))
    ]
    waiting = [each for each in found if not each.problem and each.tried]
    texts = {each.row: _expected(rows[each.row], probes[each.row], part) for each in waiting}
    tries = {each.row: list(forms(reward, texts[each.row])) for each in waiting}
    best: dict[int, float] = {}
    for turn in range(max(map(len, tries.values()), default=0)):
        numbers = [
            number for number, tried in tries.items() if best.get(number, 0.0) < 1.0 and turn < len(tried)
        ]
        payments = pay(
            [rows[number] for number in numbers], [tries[number][turn] for number in numbers], reward
        )
        for number, payment in zip(numbers, payments, strict=True):
            best[number] = max(best.get(number, 0.0), payment.values().get(part) or 0.0)
    for each in waiting:
        if best.get(each.row, 0.0) < 1.0:
            each.problem = (
                f"the reference itself earns {best.get(each.row, 0.0):.2f} for {part}: no answer is right"
            )
    return found


def _read(number: int, row: Row, payment: Payment, part: str) -> Reference:
    verdict = next((each for name, each in payment.judged() if each.status is not Status.SCORED), None)
    shown = str(row.get("answer", ""))
    if payment.value is None and verdict is not None:
        return Reference(
            number, shown, f"{verdict.verifier} says {verdict.reason}: {verdict.detail or 'unusable'}"
        )
    if payment.value is None:
        return Reference(number, shown, payment.note or "cannot be judged")
    return Reference(number, shown, tried=_expected(row, payment, part) != "")


def _expected(row: Row, payment: Payment, part: str) -> str:
    """A right answer: a solution if the row holds one, else what the verifier takes from the reference."""
    verdicts = dict(payment.judged())
    reference = row.get("answer")
    if isinstance(reference, dict) or "tests" in row or "test" in row:
        solution = next((row[name] for name in SOLUTIONS if isinstance(row.get(name), str)), "")
        return f"{row['prompt']}{solution}" if solution.startswith((" ", "\t")) else solution
    verdict = verdicts.get(part)
    if verdict is not None and verdict.expected is not None:
        return verdict.expected
    if isinstance(reference, list) and reference:
        reference = reference[0]
    return str(reference) if isinstance(reference, str | int | float) else ""


def check_attacks(rows: Sequence[Row], reward: Reward) -> list[Attacked]:
    """Try every attack on the first rows.

    Args:
        rows: With usable references.
        reward: What pays.
    """
    rows = rows[:ATTACKED]
    part, form = outcome_part(reward, None, "reward"), Form.of(reward)
    probes = pay(rows, ["0"] * len(rows), reward)
    rights = [_expected(row, payment, part) for row, payment in zip(rows, probes, strict=True)]
    honest = [
        max((payment.value or 0.0 for payment in pay([row] * len(tried), tried, reward)), default=0.0)
        for row, right in zip(rows, rights, strict=True)
        for tried in [list(forms(reward, right))]
    ]
    found = []
    for attack in attacks():
        texts = [
            attack.on(form, prompt_text(row["prompt"]), right)
            for row, right in zip(rows, rights, strict=True)
        ]
        payments = pay(rows, texts, reward)
        scored = [index for index, payment in enumerate(payments) if payment.value is not None]
        if not scored:
            continue
        most = max(
            scored, key=lambda index: (payments[index].values().get(part) == 1.0, payments[index].value)
        )
        found.append(
            Attacked(
                attack.id,
                attack.note,
                payments[most].value or 0.0,
                honest[most],
                any(payments[index].values().get(part) == 1.0 for index in scored),
                texts[most],
            )
        )
    return found


def check_file(path: str, data: Data | None, reward: Reward, limit: int) -> list[tuple[str, Payment]]:
    """What the completions of a file would be paid.

    Args:
        path: JSON lines with ``completion`` and the reward's columns.
        data: For its columns' names.
        reward: What pays.
        limit: At most so many.

    Raises:
        ConfigError: The file cannot be read, or lacks a column.
    """
    rows = read_rows(Data(source=path, limit=limit))
    names = data.columns if data else {}
    renamed = [
        {**row, **{ours: row[theirs] for ours, theirs in names.items() if theirs in row}} for row in rows
    ]
    for number, row in enumerate(renamed):
        if "completion" not in row:
            raise ConfigError(f"{path}: row {number} has no column 'completion'")
    check_columns(reward, renamed)
    completions = [row["completion"] for row in renamed]
    return list(zip(map(prompt_text, completions), pay(renamed, completions, reward), strict=True))


def check_model(
    config: RunConfig, prepared: Prepared, reward: Reward, count: int
) -> list[tuple[str, Payment]]:
    """What the model's own completions would be paid: one each for the first prompts."""
    backend = TransformersBackend(
        load_model(config.model, prepared.place), prepared.tokenizer, batch_size=config.sample.batch_size
    )
    tokens = config.sample.max_tokens or config.trainer.get("max_completion_length") or 512
    sampling = Sampling(max_tokens=int(tokens), temperature=config.sample.temperature, seed=config.seed)
    answered = answer(backend, prepared.train[:count], reward, sampling)
    return [(each.completions[0].text, each.payments[0]) for each in answered]


def pay(rows: Sequence[Row], completions: Sequence[Any], reward: Reward) -> list[Payment]:
    """What completions of rows are paid; each is a group of its own."""
    if not rows:
        return []
    names = dict.fromkeys(
        name for row in rows for name in row if name not in RESERVED and name not in WRITTEN
    )
    columns: dict[str, Sequence[object]] = {name: [row.get(name) for row in rows] for name in names}
    columns.setdefault("completion_tokens", [len(str(each).split()) for each in completions])
    return Batch(list(completions), columns, progress=0.0, group_size=1).pay(reward)


def batch_lines(args: Any, rows: int, prompt_tokens: int) -> Iterator[tuple[str, str]]:
    """What a step is made of, for a table.

    Args:
        args: The trainer's options.
        rows: Of training.
        prompt_tokens: The longest prompt.
    """
    processes = args.world_size
    step = args.per_device_train_batch_size * processes * args.gradient_accumulation_steps
    prompts = step // args.num_generations
    iterations = getattr(args, "num_iterations", 1)
    steps = (
        args.max_steps
        if args.max_steps > 0
        else int(args.num_train_epochs * rows * iterations // max(prompts, 1))
    )
    yield (
        "completions of a step",
        (
            f"{step:,} = {args.per_device_train_batch_size} per device x "
            f"{args.gradient_accumulation_steps} accumulated x {processes} "
            f"process{'es' if processes > 1 else ''}"
        ),
    )
    yield "prompts of a step", f"{prompts:,}, with {args.num_generations} completions each"
    yield "steps", f"{steps:,}, {steps * prompts / max(rows * iterations, 1):.2f} times through {rows:,} rows"
    yield "completions in all", f"{steps * step // iterations:,}"
    most = steps * step // iterations * args.max_completion_length
    yield "tokens to generate", f"at most {most:,} ({args.max_completion_length} each)"
    yield "longest prompt", f"{prompt_tokens:,} tokens"


def longest_prompt(prepared: Prepared, limit: int = 1000) -> int:
    """The tokens of the longest among the first prompts."""
    tokenizer = prepared.tokenizer

    def count(prompt: Any) -> int:
        if isinstance(prompt, str):
            return len(tokenizer(prompt)["input_ids"])
        text = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    return max((count(row["prompt"]) for row in prepared.train[:limit]), default=0)


def too_long(prepared: Prepared, prompt_tokens: int, completion_tokens: int) -> str:
    """A warning where prompt and completion do not fit into the model; else nothing."""
    limit = getattr(model_shape(prepared), "max_position_embeddings", None)
    if not isinstance(limit, int) or prompt_tokens + completion_tokens <= limit:
        return ""
    return (
        f"the longest prompt ({prompt_tokens}) and trainer.max_completion_length ({completion_tokens}) do "
        f"not fit into the model's {limit} positions"
    )


def model_shape(prepared: Prepared) -> Any:
    """The model's configuration; None where it cannot be read."""
    from transformers import AutoConfig

    if not Path(prepared.place).is_dir() and ":" in prepared.place:
        return None
    try:
        return AutoConfig.from_pretrained(prepared.place).get_text_config()
    except (OSError, ValueError):
        return None
