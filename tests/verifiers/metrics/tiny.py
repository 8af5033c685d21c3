"""Small models made on the spot: the real architectures with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = 60


def tokenizer(**options: Any) -> Any:
    """Whole words w0 ... with BERT's special tokens."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"w{number}" for number in range(WORDS))]
    made = Tokenizer(models.WordLevel({name: place for place, name in enumerate(names)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        **options,
    )


def encoder(folder: Path, kind: str = "Bert", **options: Any) -> str:
    """A random encoder of four layers for texts of up to 40 tokens."""
    import torch
    import transformers

    torch.manual_seed(0)
    shape = {"vocab_size": WORDS + 4, "pad_token_id": 0}
    if kind == "DistilBert":
        shape |= {"dim": 16, "n_layers": 4, "n_heads": 2, "hidden_dim": 32, "max_position_embeddings": 40}
    else:
        shape |= {
            "hidden_size": 16, "num_hidden_layers": 4, "num_attention_heads": 2, "intermediate_size": 32,
            "max_position_embeddings": 42 if kind == "Roberta" else 40,
        }  # fmt: skip
    if kind == "Albert":
        shape["embedding_size"] = 8
    if kind == "Roberta":
        shape |= {"bos_token_id": 2, "eos_token_id": 3}
    config = getattr(transformers, f"{kind}Config")(**shape)
    getattr(transformers, f"{kind}Model")(config).save_pretrained(folder)
    tokenizer(**options).save_pretrained(folder)
    return str(folder)
