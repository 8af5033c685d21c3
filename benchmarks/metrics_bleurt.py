"""BLEURT's renamed weights: the verifier compared with a separate forward pass over the names of bleurt-pytorch.

Random weights (BLEURT-20's shape, smaller) are saved under those names. The forward here is written from the
architecture, with plain tensor operations; it knows nothing of transformers' code.
"""

from __future__ import annotations

import json
import math
import random
import tempfile
from pathlib import Path
from typing import Any

from verifiers import Bleurt

SHAPE = {
    "vocab_size": 120, "embedding_size": 16, "hidden_size": 48, "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 96, "hidden_act": "gelu", "max_position_embeddings": 128, "type_vocab_size": 2,
    "layer_norm_eps": 1e-12, "pad_token_id": 0,
}  # fmt: skip


def random_weights(shape: dict[str, Any], seed: int) -> dict[str, Any]:
    """Weights under the names of bleurt-pytorch."""
    import torch

    torch.manual_seed(seed)
    narrow, wide, inner = shape["embedding_size"], shape["hidden_size"], shape["intermediate_size"]
    weights: dict[str, Any] = {}

    def matrix(name: str, rows: int, columns: int) -> None:
        weights[f"{name}.weight"] = torch.randn(rows, columns) * 0.2
        weights[f"{name}.bias"] = torch.randn(rows) * 0.1

    def norm(name: str, size: int) -> None:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = (
            1 + torch.randn(size) * 0.1,
            torch.randn(size) * 0.1,
        )

    for name, size in (
        ("word", "vocab_size"),
        ("position", "max_position_embeddings"),
        ("token_type", "type_vocab_size"),
    ):
        weights[f"bleurt.embeddings.{name}_embeddings.weight"] = torch.randn(shape[size], narrow)
    norm("bleurt.embeddings.LayerNorm", narrow)
    weights["bleurt.embeddings.position_ids"] = torch.arange(shape["max_position_embeddings"])[None]
    if narrow != wide:
        matrix("bleurt.encoder.embedding_projection", wide, narrow)
    for layer in range(shape["num_hidden_layers"]):
        at = f"bleurt.encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            matrix(f"{at}.attention.{part}", wide, wide)
        norm(f"{at}.attention.output.LayerNorm", wide)
        matrix(f"{at}.intermediate.dense", inner, wide)
        matrix(f"{at}.output.dense", wide, inner)
        norm(f"{at}.output.LayerNorm", wide)
    matrix("bleurt.pooler.dense", wide, wide)
    matrix("classifier", 1, wide)
    return weights


def save_tokenizer(folder: Path, words: int) -> None:
    """A tokenizer of whole words, w0 w1 ..., with the special tokens of BERT."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"w{number}" for number in range(words - 4))]
    tokenizer = Tokenizer(
        models.WordLevel({name: place for place, name in enumerate(names)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)


def save(folder: Path, shape: dict[str, Any], weights: dict[str, Any]) -> str:
    """A checkpoint in the layout of bleurt-pytorch."""
    import torch

    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "bleurt", **shape}), encoding="utf-8")
    torch.save(weights, folder / "pytorch_model.bin")
    save_tokenizer(folder, shape["vocab_size"])
    return str(folder)


def forward(weights: dict[str, Any], shape: dict[str, Any], reference: list[int], text: list[int]) -> float:
    """The rating of one pair, unpadded: embeddings, projection, transformer layers, pooler, one output."""
    import torch
    from torch.nn import functional

    def linear(name: str, x: Any) -> Any:
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name: str, x: Any) -> Any:
        return functional.layer_norm(
            x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], shape["layer_norm_eps"]
        )

    ids = [2, *reference, 3, *text, 3]
    kinds = [0] * (len(reference) + 2) + [1] * (len(text) + 1)
    table = {
        name: weights[f"bleurt.embeddings.{name}_embeddings.weight"]
        for name in ("word", "position", "token_type")
    }
    x = table["word"][ids] + table["token_type"][kinds] + table["position"][: len(ids)]
    x = norm("bleurt.embeddings.LayerNorm", x)[None]
    if shape["embedding_size"] != shape["hidden_size"]:
        x = linear("bleurt.encoder.embedding_projection", x)
    heads = shape["num_attention_heads"]
    for layer in range(shape["num_hidden_layers"]):
        at = f"bleurt.encoder.layer.{layer}"
        query, key, value = (
            linear(f"{at}.attention.self.{part}", x).view(1, len(ids), heads, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
        mixed = (torch.softmax(scores, dim=-1) @ value).transpose(1, 2).reshape(1, len(ids), -1)
        x = norm(f"{at}.attention.output.LayerNorm", linear(f"{at}.attention.output.dense", mixed) + x)
        inner = functional.gelu(linear(f"{at}.intermediate.dense", x))
        x = norm(f"{at}.output.LayerNorm", linear(f"{at}.output.dense", inner) + x)
    return float(linear("classifier", torch.tanh(linear("bleurt.pooler.dense", x[:, 0])))[0, 0])


def main() -> None:
    """Print the largest differences."""
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)
    draw = random.Random(0)
    words = [[draw.randrange(4, 120) for _ in range(draw.randint(1, 50))] for _ in range(400)]
    pairs = list(zip(words[::2], words[1::2], strict=True))
    shown = [tuple(" ".join(f"w{word - 4}" for word in side) for side in pair) for pair in pairs]
    texts, references = [text for text, _ in shown], [reference for _, reference in shown]
    for title, shape in (
        ("RemBERT's shape", SHAPE),
        ("BERT's shape", {**SHAPE, "embedding_size": SHAPE["hidden_size"]}),
    ):
        with tempfile.TemporaryDirectory() as folder:
            weights = random_weights(shape, seed=1)
            model = save(Path(folder, "checkpoint"), shape, weights)
            expected = [forward(weights, shape, reference, text) for text, reference in pairs]
            for size in (1, 8):
                verdicts = Bleurt(model, device="cpu", batch_size=size).verify_batch(texts, references)
                worst = max(
                    abs((verdict.raw or 0.0) - value)
                    for verdict, value in zip(verdicts, expected, strict=True)
                )
                print(
                    f"{title}, batches of {size}: largest difference {worst:.1e} over {len(pairs)} pairs, "
                    f"ratings from {min(expected):.2f} to {max(expected):.2f}"
                )


if __name__ == "__main__":
    main()
