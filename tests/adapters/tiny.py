"""A language model of a few thousand parameters, for running real trainers in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CHARACTERS = " 0123456789+-*/=?.,^{}()\\<>abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_\n"


def build(folder: Path, characters: str = CHARACTERS, longest: int = 256) -> Path:
    """Save a character tokenizer and an untrained Llama; both load with `from_pretrained`."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    special = ["<pad>", "<bos>", "<eos>"]
    vocabulary = {token: index for index, token in enumerate([*special, *characters])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<bos>", eos_token="<eos>",
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip
    fast.chat_template = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=longest, pad_token_id=0,
        bos_token_id=1, eos_token_id=2,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def config(kind: Any, folder: Path, **options: Any) -> Any:
    """A trainer's configuration for a few steps on the CPU."""
    settings = {
        "output_dir": str(folder), "per_device_train_batch_size": 8, "num_generations": 4,
        "max_completion_length": 12, "max_steps": 3, "learning_rate": 1e-3, "logging_steps": 1,
        "save_strategy": "no", "use_cpu": True, "bf16": False, "gradient_checkpointing": False,
        "report_to": "none", "disable_tqdm": True, "log_completions": True, "seed": 0,
    }  # fmt: skip
    return kind(**{**settings, **options})
