"""What is held in memory is counted, and is what a model, its gradients and its optimizer hold."""

from __future__ import annotations

import dataclasses
import functools

import pytest

from tests.support import Late
from training.config.trainer_options import lora_config
from training.dry_run.run_sizes import Standing, explain, standing_memory
from verifiers import ConfigError

peft, torch, transformers = Late("peft"), Late("torch"), Late("transformers")
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]


@functools.cache
def tiny(tied=True):
    return transformers.LlamaConfig(
        vocab_size=1000, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=2, tie_word_embeddings=tied,
    )  # fmt: skip


def gpt2():
    return transformers.GPT2Config(n_embd=32, n_layer=2, n_head=2, vocab_size=100)


@functools.cache
def qwen():
    """Qwen2.5-0.5B's shape."""
    return transformers.LlamaConfig(
        vocab_size=151_936, hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14,
        num_key_value_heads=2, tie_word_embeddings=True,
    )  # fmt: skip


def held(tensors):
    """Bytes of tensors, each once."""
    return sum(each.nbytes for each in {id(each): each for each in tensors}.values())


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("made", [tiny, lambda: tiny(tied=False), gpt2], ids=["tied", "untied", "GPT-2"])
@pytest.mark.parametrize("lora", [False, True], ids=["full", "LoRA"])
def test_it_is_what_a_step_holds(made, lora, dtype):
    config = made()
    model = transformers.AutoModelForCausalLM.from_config(config).to(getattr(torch, dtype))
    if lora:
        model = peft.get_peft_model(model, lora_config({}))  # the adapter in float32, as in training
    trained = [each for each in model.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(trained, foreach=False)
    for each in trained:
        each.grad = torch.zeros_like(each)
    optimizer.step()
    states = [value for state in optimizer.state.values() for value in state.values() if value.ndim]
    found = standing_memory(config, lora=lora_config({}) if lora else None, dtype=dtype)
    assert found.weights == held(model.parameters())
    assert found.gradients == held(each.grad for each in trained)
    assert found.optimizer == held(states)
    assert found.trainable == sum(each.numel() for each in trained)
    assert found.total == found.weights + found.gradients + found.optimizer


def test_a_folder_is_read(tmp_path):
    tiny().save_pretrained(tmp_path)
    assert standing_memory(tmp_path) == standing_memory(str(tmp_path)) == standing_memory(tiny())


def test_optimizers():
    adam = standing_memory(tiny())
    assert standing_memory(tiny(), optimizer="adamw_torch_fused") == adam
    assert standing_memory(tiny(), optimizer="sgd").optimizer == 0
    assert standing_memory(tiny(), optimizer="paged_adamw_32bit").optimizer == adam.optimizer
    assert 0.25 < standing_memory(tiny(), optimizer="adamw_8bit").optimizer / adam.optimizer < 0.26


def test_quantised_weights_are_smaller():
    plain, nf4, int8 = (
        standing_memory(qwen(), lora=lora_config({}), quantize=kind, dtype="bfloat16")
        for kind in (None, "nf4", "int8")
    )
    assert nf4.weights < int8.weights < plain.weights
    embeddings = 151_936 * 896 * 2
    adapters = 2 * nf4.trainable
    linear = nf4.parameters - 151_936 * 896
    assert 0.51 < (nf4.weights - embeddings - adapters) / linear < 0.53
    assert nf4.gradients == plain.gradients / 2, "TRL holds the adapters of quantised models in bfloat16"


def test_a_reference_stands_beside_a_full_training_only():
    plain, kept = standing_memory(tiny()), standing_memory(tiny(), beta=0.1)
    assert kept == dataclasses.replace(plain, reference=plain.weights)
    assert kept.total == plain.total + plain.weights
    assert standing_memory(tiny(), beta=0.1, lora=lora_config({})).reference == 0


def test_explain_is_a_table_for_people():
    rows = dict(explain(standing_memory(qwen(), dtype="bfloat16")))
    assert rows["weights"] == "0.92 GiB"
    assert rows["together"] == "3.68 GiB"
    assert rows["parameters"] == "494.01 M, of which 494.01 M are trained"
    assert dict(explain(Standing(1 << 30, 0, 0, 0, 999, 1)))["parameters"] == "999, of which 1 are trained"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dtype": "bfloat61"}, "dtype is unknown: 'bfloat61'; did you mean 'bfloat16'"),
        ({"optimizer": "adamw_torhc"}, "optimizer is unknown: 'adamw_torhc'; did you mean 'adamw_torch'"),
        ({"config": "/no/such/folder"}, "transformers builds no text model from /no/such/folder"),
    ],
)
def test_what_cannot_be(changes, message):
    with pytest.raises(ConfigError, match=message):
        standing_memory(**{"config": tiny(), **changes})
