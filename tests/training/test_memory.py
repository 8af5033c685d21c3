"""The estimate counts what the model has, and moves the way that memory does."""

from __future__ import annotations

import dataclasses

import pytest

pytest.importorskip("transformers")

from transformers import (
    AutoModelForCausalLM,
    GPT2Config,
    LlamaConfig,
    LlamaForCausalLM,
    MambaConfig,
    Qwen3MoeConfig,
)

from training.models import activations
from training.models.memory import Estimate, estimate, explain
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default")]
TINY = LlamaConfig(
    vocab_size=1000, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4,
    num_key_value_heads=2, tie_word_embeddings=True,
)  # fmt: skip
# Qwen2.5-0.5B's shape.
QWEN = LlamaConfig(
    vocab_size=151_936, hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14,
    num_key_value_heads=2, tie_word_embeddings=True,
)  # fmt: skip


def of(config=TINY, **changes):
    fields = {"per_device_batch": 8, "prompt_tokens": 128, "completion_tokens": 256, "tiled_head": True}
    return estimate(config, **{**fields, **changes})


def test_parameters_are_the_models_own():
    for tied in (True, False):
        config = LlamaConfig(**{**TINY.to_dict(), "tie_word_embeddings": tied})
        assert of(config).parameters == of(config).trainable == LlamaForCausalLM(config).num_parameters()


def test_a_folder_is_read(tmp_path):
    TINY.save_pretrained(tmp_path)
    assert of(tmp_path) == of(str(tmp_path)) == of()


GPT2 = GPT2Config(n_embd=32, n_layer=2, n_head=2, vocab_size=100)


@pytest.mark.parametrize(
    ("base", "options"),
    [
        (TINY, {"r": 16, "target_modules": "all-linear"}),
        (TINY, {"r": 4, "target_modules": ["q_proj", "v_proj"]}),
        (TINY, {"r": 4, "target_modules": r".*\.1\.mlp\.(up|down)_proj"}),
        (TINY, {"r": 4, "target_modules": "all-linear", "modules_to_save": ["lm_head"]}),
        (TINY, {"r": 4, "target_modules": ["down_proj"], "use_dora": True}),
        (GPT2, {"r": 4, "target_modules": "all-linear", "fan_in_fan_out": True}),
    ],
)
def test_adapters_are_as_large_as_those_of_peft(base, options):
    peft = pytest.importorskip("peft")
    config = type(base)(**{**base.to_dict(), "tie_word_embeddings": False})
    model = peft.get_peft_model(AutoModelForCausalLM.from_config(config), peft.LoraConfig(**options))
    assert of(config, lora=options).trainable == model.get_nb_trainable_parameters()[0]


def test_lora_defaults_are_those_of_peft_on_all_linear_layers():
    assert of(lora={}) == of(lora={"r": 8, "target_modules": "all-linear"})


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("tiled", [True, False])
@pytest.mark.parametrize(
    "base",
    [{}, {"lora": {"r": 16}}, {"dtype": "float32"}, {"gradient_checkpointing": False}, {"bf16": False}],
)
@pytest.mark.parametrize(
    "more",
    [
        {"per_device_batch": 16},
        {"prompt_tokens": 512},
        {"completion_tokens": 1024},
        {"generation_batch": 64},
        {"beta": 0.04},
        {"gradient_checkpointing": False},
    ],
    ids=str,
)
def test_more_is_never_less(base, more, tiled, device):
    smaller = dataclasses.asdict(of(**base, tiled_head=tiled, device=device))
    larger = dataclasses.asdict(of(**{**base, **more}, tiled_head=tiled, device=device))
    assert all(larger[part] >= size for part, size in smaller.items())
    assert larger != smaller or "gradient_checkpointing" in base or ("beta" in more and "lora" in base)


def test_shards_divide():
    one, eight = of(beta=0.1), of(beta=0.1, shards=8)
    for part in ("weights", "gradients", "optimizer", "reference", "step"):
        assert getattr(eight, part) == pytest.approx(getattr(one, part) / 8, abs=1)
    for part in ("activations", "logits", "cache", "parameters", "trainable"):
        assert getattr(eight, part) == getattr(one, part)


def test_states_have_the_dtype_of_what_is_trained():
    n = of().parameters
    half, full = of(), of(dtype="float32")
    assert (half.weights, half.gradients, half.optimizer) == (2 * n, 2 * n, 4 * n)
    assert (full.weights, full.gradients, full.optimizer) == (4 * n, 4 * n, 8 * n)
    adapter = of(lora={"r": 16})
    assert adapter.optimizer == 8 * adapter.trainable, "peft holds adapters in float32"


def test_optimizers():
    adam = of()
    assert of(optimizer="adamw_torch_fused") == dataclasses.replace(adam, step=0)
    assert of(optimizer="sgd").optimizer == 0
    assert of(optimizer="paged_adamw_32bit", dtype="float32").optimizer == of(dtype="float32").optimizer
    assert 0.5 < of(optimizer="adamw_8bit").optimizer / adam.optimizer < 0.52


def test_quantised_weights_are_smaller():
    plain, nf4, int8 = (of(QWEN, lora={"r": 16}, quantize=kind) for kind in (None, "nf4", "int8"))
    assert nf4.weights < int8.weights < plain.weights
    embeddings = 151_936 * 896 * 2
    adapters = 2 * nf4.trainable
    linear = nf4.parameters - 151_936 * 896
    assert 0.51 < (nf4.weights - embeddings - adapters) / linear < 0.53
    assert nf4.gradients == plain.gradients / 2, "TRL holds the adapters of quantised models in bfloat16"


def test_a_reference_stands_beside_a_full_training_only():
    assert of(beta=0.1).reference == of().weights
    assert of().reference == of(beta=0.1, lora={}).reference == 0


def test_logits_in_one_piece_are_the_largest_part_for_a_large_vocabulary():
    tiled, whole = of(QWEN), of(QWEN, tiled_head=False)
    assert whole.logits == 4 * 8 * 256 * 151_936 * 2
    assert whole.logits > max(whole.weights, whole.activations, whole.cache) > tiled.logits


@pytest.mark.parametrize(
    ("version", "tiled"), [("1.13.0", False), ("1.14.2", True), ("2.0.0.dev0", True), (None, True)]
)
def test_the_installed_trl_decides_how_logits_are_computed(monkeypatch, version, tiled):
    def installed(_):
        if version is None:
            raise activations.importlib.metadata.PackageNotFoundError
        return version

    monkeypatch.setattr(activations.importlib.metadata, "version", installed)
    assert of(tiled_head=None) == of(tiled_head=tiled)


def test_the_cache_by_hand():
    # 3 layers and a copy of one, keys and values of 2 heads of 16 in 2 bytes, 257 tokens; a vocabulary of 1.
    config = LlamaConfig(**{**TINY.to_dict(), "vocab_size": 1})
    cache = (3 + 1) * 2 * 2 * 16 * 2 * 257 + 16
    assert of(config, prompt_tokens=1).cache == 8 * cache
    assert of(config, prompt_tokens=1, generation_batch=2).cache == 2 * cache


def test_sliding_windows_bound_the_cache():
    from transformers import Gemma3TextConfig

    fields = {
        "vocab_size": 100,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 6,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 16,
    }
    local, everywhere = (
        of(
            Gemma3TextConfig(**fields, sliding_window=32, layer_types=[kind] * 6), completion_tokens=4096
        ).cache
        for kind in ("sliding_attention", "full_attention")
    )
    assert local < everywhere / 3


def test_the_total_takes_the_largest_of_what_follows_one_another():
    parts = Estimate(1, 2, 4, 8, activations=16, logits=32, cache=40, parameters=5, trainable=5, step=41)
    assert parts.total == 15 + 48
    assert dataclasses.replace(parts, cache=100).total == 15 + 100
    assert dataclasses.replace(parts, step=101).total == 15 + 101


def test_explain_is_a_table_for_people():
    rows = dict(explain(of(QWEN)))
    assert rows["weights"] == "0.92 GiB"
    assert rows["total, at its peak in the update"].endswith(" GiB")
    assert rows["parameters"] == "494.01 M, of which 494.01 M are trained"
    assert "total, at its peak in the generation" in dict(explain(of(QWEN, lora={}, generation_batch=512)))


def test_other_architectures():
    moe = Qwen3MoeConfig(
        vocab_size=100, hidden_size=32, intermediate_size=64, moe_intermediate_size=16, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, num_experts=4, num_experts_per_tok=2, head_dim=16,
    )  # fmt: skip
    assert of(moe).activations < of(Qwen3MoeConfig(**{**moe.to_dict(), "num_experts_per_tok": 4})).activations
    assert of(GPT2).total > 0
    with pytest.raises(ConfigError, match="MambaConfig has no attention heads"):
        of(MambaConfig(num_hidden_layers=1, hidden_size=32, vocab_size=100))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"per_device_batch": 0}, "per_device_batch must be at least 1, got 0"),
        ({"generation_batch": 0}, "generation_batch must be at least 1, got 0"),
        ({"shards": 0}, "shards must be at least 1"),
        ({"beta": -1.0}, "beta must not be negative, got -1.0"),
        ({"dtype": "bfloat61"}, "dtype is unknown: 'bfloat61'; did you mean 'bfloat16'"),
        ({"optimizer": "adamw_torhc"}, "optimizer is unknown: 'adamw_torhc'; did you mean 'adamw_torch'"),
        ({"quantize": "nf5", "lora": {}}, "quantize is unknown: 'nf5'; did you mean 'nf4'"),
        ({"quantize": "nf4"}, "quantize='nf4' needs lora"),
        ({"device": "tpu"}, "device is unknown: 'tpu'"),
        (
            {"lora": {"target_modules": ["query"]}},
            r"name no linear layer; known: down_proj, gate_proj, k_proj",
        ),
        ({"config": "/no/such/folder"}, "transformers builds no text model from /no/such/folder"),
    ],
)
def test_what_cannot_be(changes, message):
    with pytest.raises(ConfigError, match=message):
        of(**changes)
