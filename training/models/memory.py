"""How much memory GRPO needs on each GPU, from the model's configuration alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifiers import ConfigError
from verifiers.errors import nearest

from .activations import Update, cache_bytes, head_bytes, installed_tiles, layer_bytes
from .layer_shapes import adapted_layers, read_shape, trainable_numbers

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
class Estimate:
    """What GRPO needs on each GPU, in bytes; `estimate` says how each is found.

    Attributes:
        weights: Of the model and its adapters.
        gradients: Of what is trained.
        optimizer: Its states.
        reference: The frozen copy that KL is measured against.
        activations: What the backward pass of one batch needs.
        logits: The projection onto the vocabulary and its gradient.
        cache: Generation: keys and values, and the logits of one token.
        parameters: How many numbers the model has, without adapters.
        trainable: How many numbers are trained.
        step: What the optimizer needs for the length of its step.
    """

    weights: int
    gradients: int
    optimizer: int
    reference: int
    activations: int
    logits: int
    cache: int
    parameters: int
    trainable: int
    step: int = 0

    @property
    def total(self) -> int:
        """The peak: generation, update and step follow one another, so the largest of them counts."""
        standing = self.weights + self.gradients + self.optimizer + self.reference
        return standing + max(self.cache, self.activations + self.logits, self.step)


def estimate(
    config: Any,
    *,
    per_device_batch: int,
    prompt_tokens: int,
    completion_tokens: int,
    lora: Mapping[str, Any] | None = None,
    quantize: str | None = None,
    dtype: str = "bfloat16",
    beta: float = 0.0,
    gradient_checkpointing: bool = True,
    generation_batch: int | None = None,
    shards: int = 1,
    optimizer: str = "adamw_torch",
    bf16: bool = True,
    device: str = "cuda",
    tiled_head: bool | None = None,
) -> Estimate:
    """Estimate the memory that TRL's GRPOTrainer needs on each GPU, without loading any weights.

    The formulas, for weights of w bytes and computation in c bytes (c = 2 with `bf16`, else c = w), batches
    of B completions and T = prompt + completion tokens:

    - weights: parameters x w, counted on torch's meta device, so tied embeddings count once. Quantised
      linear layers have 0.52 bytes (nf4 with double quantisation) or 1 (int8) for each weight; the output
      layer, embeddings and norms stay as they are. An adapter has r (inputs + outputs) numbers for each
      layer that it adapts, in float32, as peft holds it (in bfloat16 where the base is quantised: TRL).
    - gradients: one for each trained number, in its dtype.
    - optimizer: AdamW has two states for each trained number. PyTorch keeps them in the number's dtype: 8
      bytes for weights loaded in float32, 4 for bfloat16. The step of ``adamw_torch`` takes as much as the
      trained numbers once more on a GPU; that of ``adamw_torch_fused`` takes nothing.
    - reference: the weights once more, if beta > 0 and without LoRA (with it, the base is the reference).
    - activations, per token and layer, with hidden width H, heads x head width A, and MLP width M:
      two norms that keep their input in float32 and, where their weight is trained, its normalised form:
      2 (4 + w) H; inputs of linear layers, 2 H c (each layer has its own copy where the input is cast for
      it: weights in float32 under `bf16`, and adapters); queries, expanded keys and values, and the
      attention's output, 4 A c; gate, activation, up and their product, 4 M c (2 M c without a gate); and a
      row of the attention mask, T c, since GRPO pads prompts. Attention itself is taken to be fused (sdpa or
      flash; eager attention needs at least heads x T x c more). Under gradient checkpointing a layer leaves
      only its input, H w, and one layer at a time is computed again. The gradients inside one layer,
      (3 M + 2 H) c, come on top. So do copies in bfloat16 of linear layers that were loaded in float32, and
      the unpacked form of the largest quantised one.
    - logits: TRL from 1.14 projects onto the vocabulary in tiles of 4096 tokens x 32768 words, and sums the
      head's gradient in float32. Before, B x completion x vocabulary stood in memory four times (logits,
      scaled by the temperature, and the gradients of both), by far the largest part for a vocabulary of
      150,000: choose ``tiled_head=False`` for other trainers that do so.
    - cache: 2 x key-value heads x head width x c for each layer, token and completion of a generation, one
      layer of it twice while it grows, and 16 bytes for each word of the vocabulary and completion, to
      sample from; or, if larger, what the prompt's own pass needs.

    ZeRO-3 and FSDP divide weights, gradients, states and reference. Not modelled: what the allocator keeps
    beyond what is in use, workspaces of kernels and the CUDA context, gathered layers under sharding, routing
    in mixtures of experts, states of linear attention, and vLLM, which takes the share that
    ``vllm_gpu_memory_utilization`` gives it. Gradients are counted throughout, although without accumulation
    they do not exist during generation, and grow while activations shrink: the sum errs on the large side.
    On a CPU it was 2 % below to 10 % above what was in use (``benchmarks/memory.py``); what differs on a GPU
    follows TRL's code and is unmeasured.

    Args:
        config: A transformers configuration, or what ``AutoConfig`` reads: a folder or a hub id.
        per_device_batch: Completions in a backward pass (``per_device_train_batch_size``).
        prompt_tokens: The longest prompt, in tokens.
        completion_tokens: ``max_completion_length``, in tokens.
        lora: Options of ``peft.LoraConfig``; by default r = 8 on all linear layers. None trains everything.
        quantize: ``nf4`` or ``int8``; needs `lora`.
        dtype: Of the weights as loaded: ``float32``, ``bfloat16`` or ``float16``.
        beta: Coefficient of KL.
        gradient_checkpointing: Whether activations are computed again in the backward pass.
        generation_batch: Completions that are generated at once; by default `per_device_batch`. TRL
            generates ``per_device_train_batch_size x steps_per_generation``.
        shards: GPUs that weights, gradients and states are divided among.
        optimizer: transformers' name for it (``optim``).
        bf16: Whether computation is in bfloat16, by autocast; TRL's default.
        device: ``cuda``, or ``cpu``, where TRL's tiles take several times their size.
        tiled_head: Whether logits are computed in tiles; by default as the installed TRL does.

    Returns:
        The parts in bytes, and their peak as ``total``.

    Raises:
        ConfigError: An argument is impossible, or transformers cannot read the configuration.
        MissingDependencyError: The packages of the extra ``train`` are not installed.
    """
    generation_batch = per_device_batch if generation_batch is None else generation_batch
    _validate(
        quantize=quantize, lora=lora, dtype=dtype, optimizer=optimizer, device=device, beta=beta,
        per_device_batch=per_device_batch, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens,
        generation_batch=generation_batch, shards=shards,
    )  # fmt: skip
    shape = read_shape(config)
    tiled = installed_tiles() if tiled_head is None else tiled_head
    adapted = {} if lora is None else adapted_layers(shape, lora)
    trainable = shape.parameters if lora is None else trainable_numbers(shape, lora, adapted)

    run = Update(
        batch=per_device_batch, prompt=prompt_tokens, completion=completion_tokens, stored=BYTES[dtype],
        computed=2.0 if bf16 else BYTES[dtype], frozen=lora is not None, device=device,
    )  # fmt: skip
    each = run.stored if lora is None else (2.0 if quantize else 4.0)
    linear = sum(rows * columns for rows, columns in shape.linear.values())
    base = shape.parameters * run.stored
    if quantize is not None:
        base -= linear * (run.stored - QUANTIZED[quantize])

    layer, layers = layer_bytes(shape, run, adapted), len(shape.windows)
    kept = layers * shape.hidden * run.stored + layer if gradient_checkpointing else layers * layer
    inside = (3 * shape.wide + 2 * shape.hidden) * run.computed
    last_norm = (4 + run.stored + 2 * run.computed) * shape.hidden
    activations = run.batch * (run.prompt + run.completion) * (kept + inside + last_norm)
    if quantize is not None:
        activations += (
            max((rows * columns for rows, columns in shape.linear.values()), default=0) * run.computed
        )
    elif run.computed < run.stored:
        activations += linear * run.computed

    states, state_bytes = OPTIMIZERS[optimizer]
    foreach = optimizer == "adamw_torch" and device == "cuda"
    return Estimate(
        weights=math.ceil((base + (0 if lora is None else trainable * each)) / shards),
        gradients=math.ceil(trainable * each / shards),
        optimizer=math.ceil(trainable * states * (state_bytes or each) / shards),
        reference=math.ceil(base / shards) if beta > 0 and lora is None else 0,
        activations=math.ceil(activations),
        logits=math.ceil(head_bytes(shape, run, tiled)),
        cache=math.ceil(cache_bytes(shape, run, generation_batch)),
        parameters=shape.parameters,
        trainable=trainable,
        step=math.ceil(trainable * each / shards) if foreach else 0,
    )


def explain(estimate: Estimate) -> list[tuple[str, str]]:
    """Rows of a table: what takes memory, and how much in GiB.

    >>> explain(Estimate(2 << 30, 0, 0, 0, 1 << 30, 1 << 29, 1 << 28, 10**9, 2_500_000))[0]
    ('weights', '2.00 GiB')
    >>> explain(Estimate(2 << 30, 0, 0, 0, 1 << 30, 1 << 29, 1 << 28, 10**9, 2_500_000))[-1]
    ('parameters', '1.00 B, of which 2.50 M are trained')
    """
    update = estimate.activations + estimate.logits
    peak = max(estimate.cache, update, estimate.step)
    # Of the three that follow one another, the largest counts.
    when = {estimate.step: "optimizer's step", estimate.cache: "generation", update: "update"}[peak]
    rows = [
        ("weights", estimate.weights),
        ("gradients", estimate.gradients),
        ("optimizer states", estimate.optimizer),
        ("reference model", estimate.reference),
        ("update: activations", estimate.activations),
        ("update: logits", estimate.logits),
        ("generation: cache", estimate.cache),
        ("optimizer's step", estimate.step),
        (f"total, at its peak in the {when}", estimate.total),
    ]
    parameters = f"{_count(estimate.parameters)}, of which {_count(estimate.trainable)} are trained"
    return [*((name, f"{size / 2**30:.2f} GiB") for name, size in rows), ("parameters", parameters)]


def _count(number: int) -> str:
    for size, unit in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.2f} {unit}"
    return str(number)


def _validate(
    *, quantize: str | None, lora: object, dtype: str, optimizer: str, device: str, beta: float, **counts: int
) -> None:
    for name, value, known in (
        ("dtype", dtype, tuple(BYTES)),
        ("optimizer", optimizer, tuple(OPTIMIZERS)),
        ("device", device, ("cuda", "cpu")),
        ("quantize", quantize, (*QUANTIZED, None)),
    ):
        if value not in known:
            names = [each for each in known if each is not None]
            raise ConfigError(f"estimate: {name} is unknown: {value!r}{nearest(str(value), names)}")
    for name, count in counts.items():
        if count < 1:
            raise ConfigError(f"estimate: {name} must be at least 1, got {count}")
    if not beta >= 0:
        raise ConfigError(f"estimate: beta must not be negative, got {beta}")
    if quantize is not None and lora is None:
        raise ConfigError(
            f"estimate: quantize={quantize!r} needs lora: quantised weights cannot be trained themselves"
        )
