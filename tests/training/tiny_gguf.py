"""A tiny Llama as a GGUF file, and as the model that it was written from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import torch
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.convert_slow_tokenizer import bytes_to_unicode

TEMPLATE = "{% for message in messages %}<|im_start|>{{ message['content'] }}<|im_end|>{% endfor %}"
SPECIALS = ("<|endoftext|>", "<|im_end|>", "<|im_start|>")
MERGES = (("h", "e"), ("l", "l"), ("he", "ll"), ("hell", "o"), ("Ġ", "w"))
BYTES = sorted(bytes_to_unicode().values())
TOKENS = [*SPECIALS, *BYTES, *(left + right for left, right in MERGES)]
# Not the default of transformers for this architecture, which is 2.
EOS = TOKENS.index("<|im_end|>")


def config(**changes: Any) -> LlamaConfig:
    """Sizes that are multiples of 32, Q8_0's block; a rotary base that is not the default."""
    fields: dict[str, Any] = {"vocab_size": len(TOKENS), "hidden_size": 64, "intermediate_size": 96,
                              "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
                              "max_position_embeddings": 128, "rms_norm_eps": 1e-5,
                              "rope_parameters": {"rope_type": "default", "rope_theta": 50_000.0},
                              "tie_word_embeddings": True, "bos_token_id": 0, "eos_token_id": EOS,
                              "pad_token_id": 0}  # fmt: skip
    return LlamaConfig(**{**fields, **changes})


def model(**changes: Any) -> LlamaForCausalLM:
    """The model that `write` writes, with weights large enough for its logits to tell tokens apart."""
    torch.manual_seed(0)
    made = LlamaForCausalLM(config(**changes))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return made.eval()


def _permute(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Llama's q and k rows as llama.cpp orders them: rotary pairs next to one another."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def _tensors(source: LlamaForCausalLM) -> dict[str, torch.Tensor]:
    state, settings = source.state_dict(), source.config
    named = {
        "token_embd.weight": state["model.embed_tokens.weight"],
        "output_norm.weight": state["model.norm.weight"],
    }
    if not settings.tie_word_embeddings:
        named["output.weight"] = state["lm_head.weight"]
    for layer in range(settings.num_hidden_layers):
        from_, to = f"model.layers.{layer}", f"blk.{layer}"
        q, k = (state[f"{from_}.self_attn.{each}_proj.weight"] for each in "qk")
        named |= {
            f"{to}.attn_q.weight": _permute(q, settings.num_attention_heads),
            f"{to}.attn_k.weight": _permute(k, settings.num_key_value_heads),
            f"{to}.attn_v.weight": state[f"{from_}.self_attn.v_proj.weight"],
            f"{to}.attn_output.weight": state[f"{from_}.self_attn.o_proj.weight"],
            f"{to}.attn_norm.weight": state[f"{from_}.input_layernorm.weight"],
            f"{to}.ffn_norm.weight": state[f"{from_}.post_attention_layernorm.weight"],
            **{
                f"{to}.ffn_{each}.weight": state[f"{from_}.mlp.{each}_proj.weight"]
                for each in ("gate", "up", "down")
            },
        }
    return named


def rounded(source: LlamaForCausalLM) -> LlamaForCausalLM:
    """The model with its weights as the file holds them."""
    copied = LlamaForCausalLM(source.config).eval()
    copied.load_state_dict(source.state_dict())
    with torch.no_grad():
        for name, parameter in copied.named_parameters():
            kind = _kind("output.weight" if name == "lm_head.weight" else name, parameter)
            values = gguf.quants.dequantize(gguf.quants.quantize(parameter.numpy(), kind), kind)
            parameter.copy_(torch.from_numpy(values.astype("float32")))
    return copied


def _kind(name: str, tensor: torch.Tensor) -> gguf.GGMLQuantizationType:
    if name == "output.weight":
        return gguf.GGMLQuantizationType.F16
    return gguf.GGMLQuantizationType.F32 if tensor.ndim == 1 else gguf.GGMLQuantizationType.Q8_0


def write(
    path: Path,
    source: LlamaForCausalLM | None = None,
    *,
    architecture: str = "llama",
    leave_out: str = "",
    extra: dict[str, torch.Tensor] | None = None,
    split: int = 0,
) -> Path:
    """Write the model as a GGUF file: matrices in Q8_0, the output layer in F16, norms in F32."""
    source = source or model()
    settings = source.config
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name("tiny")
    writer.add_context_length(settings.max_position_embeddings)
    writer.add_embedding_length(settings.hidden_size)
    writer.add_block_count(settings.num_hidden_layers)
    writer.add_feed_forward_length(settings.intermediate_size)
    writer.add_head_count(settings.num_attention_heads)
    writer.add_head_count_kv(settings.num_key_value_heads)
    writer.add_layer_norm_rms_eps(settings.rms_norm_eps)
    writer.add_rope_freq_base(settings.rope_parameters["rope_theta"])
    writer.add_rope_dimension_count(settings.head_dim)
    writer.add_vocab_size(settings.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(TOKENS)
    kinds = [gguf.TokenType.CONTROL] * len(SPECIALS) + [gguf.TokenType.NORMAL] * (len(TOKENS) - len(SPECIALS))
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(pair) for pair in MERGES])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(EOS)
    writer.add_pad_token_id(0)
    writer.add_chat_template(TEMPLATE)
    if split:
        writer.add_uint16("split.count", split)
    for name, tensor in {**_tensors(source), **(extra or {})}.items():
        if name == leave_out:
            continue
        kind = _kind(name, tensor)
        writer.add_tensor(name, gguf.quants.quantize(tensor.float().numpy(), kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
