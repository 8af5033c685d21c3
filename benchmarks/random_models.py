"""Models of well-known shapes with random weights: costs do not depend on what weights say.

Functions for a configuration's ``model.name``: nothing is downloaded, so a machine without a network, or one
that is rented by the minute, can measure them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.small_models import tiny
from training.word_sums import problems

QWEN: dict[str, dict[str, int]] = {
    # Qwen2.5-0.5B and -1.5B: their config.json.
    "0.5B": {"hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24,
             "num_attention_heads": 14, "num_key_value_heads": 2, "vocab_size": 151936},
    "1.5B": {"hidden_size": 1536, "intermediate_size": 8960, "num_hidden_layers": 28,
             "num_attention_heads": 12, "num_key_value_heads": 2, "vocab_size": 151936},
    "rehearsal": {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
                  "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 1000},
}  # fmt: skip
GPT_OSS: dict[str, dict[str, int]] = {
    # A quarter of gpt-oss-20b's width and a sixth of its layers: the loading path is what is measured.
    "part": {"hidden_size": 768, "intermediate_size": 768, "num_hidden_layers": 4, "num_local_experts": 8,
             "num_attention_heads": 12, "num_key_value_heads": 4, "head_dim": 64},
    "rehearsal": {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_local_experts": 4,
                  "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8},
}  # fmt: skip
BLOCK = 32
"""Values that share a scale in MXFP4; two of them are a byte."""


def questions(count: int = 256, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Word sums, padded to about the length of GSM8K's questions."""
    story = (
        "Everything that is told here was written down by the people who work there, one after the other. "
    )
    for number, row in enumerate(problems(train=count, held=8, seed=seed)):
        if number < count:
            yield {"question": story * 3 + row["question"], "answer": row["answer"]}


def qwen(folder: Path, shape: str = "0.5B", seed: int = 0) -> None:
    """Save a Qwen2 of this shape with random weights, and a small tokenizer."""
    import torch
    from transformers import AutoTokenizer, Qwen2Config, Qwen2ForCausalLM

    tokenizer = _tokenizer(folder, AutoTokenizer)
    torch.manual_seed(seed)
    config = Qwen2Config(**QWEN[shape], max_position_embeddings=4096, tie_word_embeddings=True,
                         bos_token_id=None, pad_token_id=tokenizer.pad_token_id,
                         eos_token_id=tokenizer.eos_token_id)  # fmt: skip
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with torch.device(device):  # random numbers for a billion weights take a minute on a CPU
        model = Qwen2ForCausalLM(config).to(torch.bfloat16)
    model.save_pretrained(folder)


def gpt_oss(folder: Path, shape: str = "part", seed: int = 0) -> None:
    """Save a small gpt-oss whose experts are stored in MXFP4, as those of the real one are."""
    import torch
    from safetensors.torch import load_file, save_file
    from transformers import AutoTokenizer, GptOssConfig, GptOssForCausalLM

    tokenizer = _tokenizer(folder, AutoTokenizer)
    torch.manual_seed(seed)
    size = GPT_OSS[shape]
    config = GptOssConfig(**size, vocab_size=1000, num_experts_per_tok=2, sliding_window=64,
                          max_position_embeddings=4096, pad_token_id=tokenizer.pad_token_id,
                          eos_token_id=tokenizer.eos_token_id)  # fmt: skip
    GptOssForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    [file] = folder.glob("*.safetensors")
    tensors = load_file(file)
    chance = torch.Generator().manual_seed(seed)
    for name in [
        each for each in tensors if each.endswith(("gate_up_proj", "down_proj")) and "experts" in each
    ]:
        experts, inner, outer = tensors.pop(name).shape
        blocks = (experts, outer, inner // BLOCK, BLOCK // 2)
        tensors[f"{name}_blocks"] = torch.randint(0, 256, blocks, dtype=torch.uint8, generator=chance)
        # A scale is a power of two, stored with 127 added: 2 ** -6 is near a new model's weights.
        tensors[f"{name}_scales"] = torch.full(blocks[:-1], 121, dtype=torch.uint8)
    save_file(tensors, file, metadata={"format": "pt"})
    settings = json.loads((folder / "config.json").read_text())
    settings["quantization_config"] = {
        "quant_method": "mxfp4",
        "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
                                   "model.embed_tokens", "lm_head"],
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(settings, indent=2))


def _tokenizer(folder: Path, kind: Any) -> Any:
    """A small tokenizer with a chat template, saved where the model is to be."""
    tiny(folder, texts=[row["question"] for row in questions(32)], hidden=16, layers=1)
    for path in folder.glob("*.safetensors"):
        path.unlink()
    return kind.from_pretrained(folder)
