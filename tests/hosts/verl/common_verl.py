"""Configurations, a tokenizer and batches of verl's own, small enough for a machine without an accelerator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import DictConfig, OmegaConf
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast
from verl import DataProto

FUNCTION = "pkg://adapters.hosts.trainers.verl"
MANAGER = "pkg://adapters.hosts.trainers.verl_manager"
OWN = str(Path(__file__).parent / "own_reward.py")
PROMPT = "What is 50 + 25?"


def saved_tokenizer(folder: Path) -> str:
    """A tokenizer of bytes, saved where verl loads it from."""
    vocabulary = {"<pad>": 0, **{c: i + 1 for i, c in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}}
    bytes_alone = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytes_alone.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytes_alone.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=bytes_alone, pad_token="<pad>", eos_token="<pad>")
    made.save_pretrained(str(folder))
    return str(folder)


@lru_cache
def _loaded(tokenizer: str) -> Any:
    return AutoTokenizer.from_pretrained(tokenizer)


def tokens(tokenizer: str, text: str) -> list[int]:
    """A text's."""
    ids: list[int] = _loaded(tokenizer)(text)["input_ids"]
    return ids


def by_function(tokenizer: str, name: str = "naive", path: str = FUNCTION, **kwargs: Any) -> DictConfig:
    """What a user writes for `compute_score`."""
    overrides = {
        "custom_reward_function": {"path": path, "name": "compute_score", "reward_kwargs": kwargs},
        "reward_manager": {"source": "register", "name": name},
    }
    return _config(tokenizer, overrides)


def by_manager(
    tokenizer: str, n: int, *, path: str = MANAGER, name: str = "RewardManager", **kwargs: Any
) -> DictConfig:
    """What a user writes for the reward manager."""
    manager = {"source": "importlib", "name": name, "module": {"path": path}}
    return _config(tokenizer, {"reward_manager": manager, "reward_kwargs": kwargs}, n)


def _config(tokenizer: str, reward: Mapping[str, Any], n: int = 4) -> DictConfig:
    whole = {
        "reward": {
            "num_workers": 2,
            "custom_reward_function": {"path": None, "name": "compute_score"},
            "reward_model": {"enable": False},
        },
        "actor_rollout_ref": {
            "model": {"tokenizer_path": tokenizer, "path": tokenizer},
            "rollout": {"n": n, "val_kwargs": {"n": n}},
        },
        "data": {"train_batch_size": 8},
        "trainer": {},
        "algorithm": {"adv_estimator": "grpo"},
    }
    merged = OmegaConf.merge(whole, {"reward": reward})
    OmegaConf.set_struct(merged, True)  # as hydra does
    assert isinstance(merged, DictConfig)
    return merged


def batch(tokenizer: str, rows: Sequence[Mapping[str, str]], uids: Sequence[str]) -> DataProto:
    """Rows as verl's trainer has them after generation."""
    texts = [tokens(tokenizer, row["completion"]) for row in rows]
    prompt, longest = tokens(tokenizer, PROMPT), max(map(len, texts))
    responses = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), len(prompt) + longest, dtype=torch.long)
    mask[:, : len(prompt)] = 1
    for place, ids in enumerate(texts):
        responses[place, : len(ids)] = torch.tensor(ids)
        mask[place, len(prompt) : len(prompt) + len(ids)] = 1
    return DataProto.from_dict(
        tensors={
            "prompts": torch.tensor([prompt] * len(rows)),
            "responses": responses,
            "attention_mask": mask,
            "response_mask": mask[:, len(prompt) :],
        },
        non_tensors=columns(rows, uids),
    )


def columns(rows: Sequence[Mapping[str, str]], uids: Sequence[str]) -> dict[str, np.ndarray[Any, Any]]:
    """What verl's data sets have besides tensors."""
    made = {
        "data_source": ["sums"] * len(rows),
        "reward_model": [{"ground_truth": row["answer"], "style": "rule"} for row in rows],
        "extra_info": [{"split": "train", "index": place} for place in range(len(rows))],
        "uid": list(uids),
    }
    return {name: np.array(values, dtype=object) for name, values in made.items()}
