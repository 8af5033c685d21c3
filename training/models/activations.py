"""What an update and a generation keep in memory for a while: activations, logits, the cache."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass

from .layer_shapes import Shape

# TRL projects onto the vocabulary in tiles of so many tokens and words, from this version on.
_TILE_TOKENS, _TILE_WORDS = 4096, 32768
_TILED_SINCE = (1, 14)
# TRL's kernel for devices without Triton: the tile, and around it in float32 the logits twice, log p, p, the
# gradient, two terms of its sum, and a mask of a byte each.
_CPU_TILES = 7.25


@dataclass(frozen=True)
class Update:
    """How it is trained: completions and tokens, and the bytes of a number as stored and as computed."""

    batch: int
    prompt: int
    completion: int
    stored: float
    computed: float
    frozen: bool
    device: str


def layer_bytes(shape: Shape, run: Update, adapted: Mapping[str, tuple[int, int]]) -> float:
    """Bytes for each token that one layer keeps for its backward pass."""
    layers = len(shape.windows)
    norms = 2 * (4 + (0 if run.frozen else run.stored)) * shape.hidden
    mlp = (4 if shape.gated else 2) * shape.wide * run.computed
    if run.frozen and not run.computed == run.stored == 4:
        # peft casts every input to its adapter's float32, and autocast casts it back: a copy for each layer.
        # The frozen layers keep none, so the MLP's product is kept as its adapter's copy at most.
        inputs = (sum(width for width, _ in adapted.values()) / layers - shape.wide) * run.computed
    elif run.computed < run.stored:
        # Autocast casts what the norms give, for each of the layers that read it.
        inputs = sum(width for width, _ in shape.linear.values()) / layers * run.computed
        inputs -= (shape.attention + shape.wide) * run.computed
    else:
        inputs = 2 * shape.hidden * run.computed
    mask = (run.prompt + run.completion) * run.computed
    return norms + inputs + 4 * shape.attention * run.computed + mlp + mask


def head_bytes(shape: Shape, run: Update, tiled: bool) -> float:
    """Bytes of the projection onto the vocabulary, in its backward pass: the forward needs less."""
    if not tiled:
        return 4 * run.batch * run.completion * shape.vocabulary * run.computed
    # Without Triton, the positions of the prompt are projected, too.
    rows = run.batch * (run.completion if run.device == "cuda" else run.prompt + run.completion)
    words = min(shape.vocabulary, _TILE_WORDS)
    # On a GPU the tile has its full width for any vocabulary; on a CPU, what is not written to takes nothing.
    width = _TILE_WORDS * run.computed if run.device == "cuda" else words * (run.computed + 4 * _CPU_TILES)
    tile = min(rows, _TILE_TOKENS) * width
    hidden = rows * shape.hidden * (4 + run.computed)
    cast = words * shape.hidden * run.computed if run.computed < run.stored else 0
    # In float32 the sum of the head's gradient becomes the gradient itself, which is counted there.
    gradient = 0 if run.frozen or run.stored == 4 else shape.vocabulary * shape.hidden * 4
    return tile + hidden + cast + gradient


def cache_bytes(shape: Shape, run: Update, batch: int) -> float:
    """Bytes that generation needs beside the weights."""

    def held(tokens: int) -> int:
        return sum(tokens if window is None else min(tokens, window) for window in shape.windows)

    token, length = 2 * shape.keys * run.computed, run.prompt + run.completion
    # Logits of the last position as computed, in float32, scaled by the temperature, and as probabilities.
    writing = token * (held(length) + length) + 16 * shape.vocabulary
    # Two of the MLP's wide tensors and their product, beside the layer's input, its norm and its sum.
    reading = token * held(run.prompt) + run.prompt * 3 * (shape.wide + shape.hidden) * run.computed
    return batch * max(writing, reading)


def installed_tiles() -> bool:
    """Whether the installed TRL projects onto the vocabulary in tiles."""
    try:
        version = importlib.metadata.version("trl")
    except importlib.metadata.PackageNotFoundError:
        return True
    return tuple(map(int, version.split(".")[:2])) >= _TILED_SINCE
