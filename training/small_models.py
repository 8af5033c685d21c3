"""Small untrained models for tasks that are trained on a CPU, and for trying a configuration on one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

TAGS = ("<THINK>", "</THINK>", "<SOLUTION>", "</SOLUTION>")
_REPEATED = 100
"""How often a text counts that is no file: a system prompt stands before every row."""
_LONGEST_NAME = 255
"""Characters beyond which a system takes nothing for a file's name, and may say so by an error."""


def save_model(
    folder: Path,
    words: Sequence[str],
    pattern: str,
    seed: int = 0,
    hidden: int = 128,
    layers: int = 4,
    tags: Sequence[str] = TAGS,
    positions: int = 128,
    end: str = "<eos>",
    templates: Mapping[str, Any] | None = None,
) -> None:
    """Save a small untrained Llama with a tokenizer of characters, words and tags.

    Args:
        folder: Folder for the model.
        words: Vocabulary besides the tags, each once.
        pattern: A regular expression whose matches are the words of a text.
        seed: Random seed of the weights.
        hidden: Width.
        layers: Depth.
        tags: Tags of the vocabulary, one token each.
        positions: The longest text, in tokens.
        end: The token that ends a text.
        templates: The tokenizer's ``chat_template`` and ``response_template``, where it has them.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    known = ["<pad>", end, "<unk>", *words]
    inner = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(known)}, unk_token="<unk>")  # noqa: S106
    )
    inner.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "isolated")
    inner.decoder = decoders.Fuse()
    # Not special: decoding would leave special tokens out, and with them the format.
    inner.add_tokens([AddedToken(tag, special=False, normalized=False) for tag in tags])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",  # noqa: S106
        eos_token=end,
        unk_token="<unk>",  # noqa: S106
        padding_side="left",
        model_input_names=["input_ids", "attention_mask"],
        **(templates or {}),
    )
    _save_llama(folder, tokenizer, seed, hidden, layers, positions)


def tiny(
    folder: Path,
    texts: Sequence[str] = (),
    tokens: int = 800,
    seed: int = 0,
    hidden: int = 64,
    layers: int = 2,
    positions: int = 1024,
) -> None:
    """Save a tiny untrained Llama for any language: it tries a configuration whose model is too large here.

    Its tokenizer is byte-level BPE, so that it can write every text, and has a chat template (ChatML) and
    `TAGS`.

    Args:
        folder: Folder for the model.
        texts: Training texts of the tokenizer, so that prompts are short: files (of JSON Lines or text), or
            texts.
        tokens: Size of the vocabulary.
        seed: Random seed of the weights.
        hidden: Width.
        layers: Depth.
        positions: The longest prompt with its completion.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=tokens,
        special_tokens=["<pad>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator((text for each in texts for text in _texts(each)), trainer)
    inner.add_tokens([AddedToken(tag, special=False, normalized=False) for tag in TAGS])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",  # noqa: S106
        eos_token="<|im_end|>",  # noqa: S106
        padding_side="left",
        model_input_names=["input_ids", "attention_mask"],
        chat_template=(Path(__file__).parent / "configs" / "chatml.jinja").read_text(encoding="utf-8"),
    )
    _save_llama(folder, tokenizer, seed, hidden, layers, positions)


def _save_llama(folder: Path, tokenizer: Any, seed: int, hidden: int, layers: int, positions: int) -> None:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _texts(place: str) -> Iterator[str]:
    if "\n" in place or len(place) > _LONGEST_NAME or not Path(place).is_file():
        yield from [place] * _REPEATED
        return
    for line in Path(place).read_text(encoding="utf-8").splitlines():
        try:
            yield from _strings(json.loads(line))
        except ValueError:
            yield line


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
