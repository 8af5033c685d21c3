"""Sizes of a run: a step's rows, the model's room for prompts and completions, and the memory."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..data import Row, prompt_tokens
from ..run.run_inputs import Prepared
from .reference_checks import SOLUTIONS

WORKED = (*SOLUTIONS, "rationale", "reasoning", "answer")
"""Columns that may hold what a right completion is like."""


def batch_lines(args: Any, rows: int, prompt_tokens: int) -> Iterator[tuple[str, str]]:
    """Yield the sizes of a step, for a table."""
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


def prompt_lengths(prepared: Prepared, limit: int = 1000) -> list[int]:
    """Return the number of tokens of each of the first prompts."""
    return [prompt_tokens(row["prompt"], prepared.tokenizer) for row in prepared.train[:limit]]


def cut_off(prepared: Prepared, prompts: Sequence[int], completion_tokens: int) -> Iterator[str]:
    """Yield notes on cut-off text: completions behind long prompts, and right answers over the limit."""
    limit = getattr(model_shape(prepared), "max_position_embeddings", None)
    over = [each for each in prompts if isinstance(limit, int) and each + completion_tokens > limit]
    if over:
        yield (
            f"{len(over):,} of {len(prompts):,} prompts (the longest has {max(over):,} tokens) and "
            f"trainer.max_completion_length ({completion_tokens:,}) do not fit into the model's {limit:,} "
            "positions: completions would be cut off there"
        )
    lengths = [
        len(prepared.tokenizer(text, add_special_tokens=False)["input_ids"])
        for text in map(_solution, prepared.train[: len(prompts)])
        if text
    ]
    longer = [each for each in lengths if each > completion_tokens]
    if longer:
        yield (
            f"{len(longer):,} of {len(lengths):,} solutions in the rows are longer than "
            f"trainer.max_completion_length ({completion_tokens:,}), the longest {max(longer):,} tokens: a "
            "completion that works like them would be cut off"
        )


def _solution(row: Row) -> str:
    """Return a worked solution or a right text of a row; empty for none."""
    return next((row[name] for name in WORKED if isinstance(row.get(name), str)), "")


def model_shape(prepared: Prepared) -> Any:
    """Return the model's configuration; None where it cannot be read."""
    from transformers import AutoConfig

    if not Path(prepared.place).is_dir() and ":" in prepared.place:
        return None
    try:
        return AutoConfig.from_pretrained(prepared.place).get_text_config()
    except (OSError, ValueError):
        return None


BYTES = {"float32": 4.0, "bfloat16": 2.0, "float16": 2.0}
QUANTIZED = {
    # Half a byte, an 8-bit scale for 64 weights, and a float32 scale for 256 of those (double quantisation).
    "nf4": 0.5 + 1 / 64 + 4 / (64 * 256),
    # A byte, and a float32 scale for each row, which is next to nothing.
    "int8": 1.0,
}
"""Bytes of a weight in a quantised linear layer, by bitsandbytes."""
_EIGHT_BIT = 1 + 4 / 256  # bitsandbytes keeps a float32 scale for 256 values
OPTIMIZERS: dict[str, tuple[int, float | None]] = {
    "adamw_torch": (2, None),
    "adamw_torch_fused": (2, None),
    "paged_adamw": (2, 4.0),
    "paged_adamw_32bit": (2, 4.0),
    "adamw_8bit": (2, _EIGHT_BIT),
    "adamw_bnb_8bit": (2, _EIGHT_BIT),
    "paged_adamw_8bit": (2, _EIGHT_BIT),
    "lion_32bit": (1, 4.0),
    "paged_lion_32bit": (1, 4.0),
    "lion_8bit": (1, _EIGHT_BIT),
    "paged_lion_8bit": (1, _EIGHT_BIT),
    "sgd": (0, None),
}
"""By transformers' name: how many states each trained number has, and their bytes (None: its own dtype's)."""


@dataclass(frozen=True)
class Standing:
    """Memory held from the first update on, in bytes.

    Attributes:
        weights: Bytes of the model and its adapters.
        gradients: Bytes of the gradients.
        optimizer: Its states.
        reference: The frozen copy that KL is measured against.
        parameters: Number of the model's parameters, without adapters.
        trainable: Number of trained parameters.
    """

    weights: int
    gradients: int
    optimizer: int
    reference: int
    parameters: int
    trainable: int

    @property
    def total(self) -> int:
        """The sum of all parts."""
        return self.weights + self.gradients + self.optimizer + self.reference


def standing_memory(
    config: Any,
    *,
    lora: Any = None,
    quantize: str | None = None,
    dtype: str = "float32",
    beta: float = 0.0,
    optimizer: str = "adamw_torch",
) -> Standing:
    """Count the memory held, without loading any weights: the least that a device needs.

    Activations, logits and the cache of generation come on top, and are not foreseen here: they depend on
    kernels, autocast and checkpointing (``benchmarks/memory.py`` measures how much they were on a CPU). On
    several devices ZeRO-3 and FSDP divide it among them.

    Args:
        config: A transformers configuration, or what ``AutoConfig`` reads: a folder or a hub id.
        lora: A ``peft.LoraConfig``, whose adapters are held in float32 (in bfloat16 where the base is
            quantised: TRL). None trains everything.
        quantize: ``nf4`` or ``int8``; needs `lora`.
        dtype: Data type of the weights as loaded: ``float32``, ``bfloat16`` or ``float16``.
        beta: Coefficient of KL: above 0 there is a reference model, unless an adapter's base serves as one.
        optimizer: transformers' name for it (``optim``).

    Raises:
        ConfigError: An argument is unknown, or transformers cannot read the configuration.
        MissingDependencyError: The packages of the extra ``train`` are not installed.
    """
    for name, value, known in (("dtype", dtype, BYTES), ("optimizer", optimizer, OPTIMIZERS)):
        if value not in known:
            raise ConfigError(f"{name} is unknown: {value!r}{nearest(value, known)}")
    transformers = require("transformers", extra="train")
    model = _shapes(config)
    parameters = model.num_parameters()
    base = parameters * BYTES[dtype]
    if quantize is not None:
        # The output layer, embeddings and norms stay as they are. GPT-2's Conv1D is a linear layer, too.
        torch, head = require("torch", extra="train"), model.get_output_embeddings()
        layers = (torch.nn.Linear, transformers.pytorch_utils.Conv1D)
        linear = sum(
            each.weight.numel() for each in model.modules() if isinstance(each, layers) and each is not head
        )
        base -= linear * (BYTES[dtype] - QUANTIZED[quantize])
    if lora is None:
        trainable, each = parameters, BYTES[dtype]
    else:
        each = 2.0 if quantize else 4.0
        # peft writes the layers that it has found into the configuration.
        adapted = require("peft", extra="train").get_peft_model(model, copy.deepcopy(lora))
        trainable = adapted.get_nb_trainable_parameters()[0]
    states, state_bytes = OPTIMIZERS[optimizer]
    return Standing(
        weights=math.ceil(base + (0 if lora is None else trainable * each)),
        gradients=math.ceil(trainable * each),
        optimizer=math.ceil(trainable * states * (state_bytes or each)),
        reference=math.ceil(base) if beta > 0 and lora is None else 0,
        parameters=parameters,
        trainable=trainable,
    )


def _shapes(config: Any) -> Any:
    """Return the model on the meta device, where tensors have shapes and no memory."""
    transformers = require("transformers", extra="train")
    torch = require("torch", extra="train")
    try:
        if isinstance(config, str | os.PathLike):
            config = transformers.AutoConfig.from_pretrained(os.fspath(config))
        with torch.device("meta"):
            return transformers.AutoModelForCausalLM.from_config(config)
    except (OSError, ValueError, KeyError) as error:
        name = config if isinstance(config, str | os.PathLike) else type(config).__name__
        line = str(error).strip().split("\n")[0]
        raise ConfigError(f"transformers builds no text model from {name}: {line}") from None


def explain(standing: Standing) -> list[tuple[str, str]]:
    """Return rows of a table: each use of memory, and its size in GiB.

    >>> explain(Standing(2 << 30, 0, 0, 0, 10**9, 2_500_000))[0]
    ('weights', '2.00 GiB')
    >>> explain(Standing(2 << 30, 0, 0, 0, 10**9, 2_500_000))[-1]
    ('parameters', '1.00 B, of which 2.50 M are trained')
    """
    rows: Mapping[str, int] = {
        "weights": standing.weights,
        "gradients": standing.gradients,
        "optimizer states": standing.optimizer,
        "reference model": standing.reference,
        "together": standing.total,
    }
    parameters = f"{_count(standing.parameters)}, of which {_count(standing.trainable)} are trained"
    return [*((name, f"{size / 2**30:.2f} GiB") for name, size in rows.items()), ("parameters", parameters)]


def _count(number: int) -> str:
    for size, unit in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.2f} {unit}"
    return str(number)
