"""Small untrained models for tasks that are trained on a CPU."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

TAGS = ("<THINK>", "</THINK>", "<SOLUTION>", "</SOLUTION>")


def save_model(
    folder: Path, words: Sequence[str], pattern: str, seed: int = 0, hidden: int = 128, layers: int = 4
) -> None:
    """Save a small untrained Llama with a tokenizer of characters, words and `TAGS`.

    Args:
        folder: Where the model is saved.
        words: What the tokenizer knows besides the tags, each once.
        pattern: A regular expression whose matches are the words of a text.
        seed: Of the weights.
        hidden: Width.
        layers: Depth.
    """
    import torch
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    known = ["<pad>", "<eos>", "<unk>", *words]
    inner = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(known)}, unk_token="<unk>")  # noqa: S106
    )
    inner.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "isolated")
    inner.decoder = decoders.Fuse()
    # Not special: decoding would leave special tokens out, and with them the format.
    inner.add_tokens([AddedToken(tag, special=False, normalized=False) for tag in TAGS])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",  # noqa: S106
        eos_token="<eos>",  # noqa: S106
        unk_token="<unk>",  # noqa: S106
        padding_side="left",
        model_input_names=["input_ids", "attention_mask"],
    )
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=128,
        tie_word_embeddings=True,
        bos_token_id=None,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
