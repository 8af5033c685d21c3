"""GGUF files become model folders that train, save and load; what cannot is refused in one sentence."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests import forks
from tests.support import Late
from training.models import model_places
from training.models.model_places import convert
from verifiers import ConfigError

Late("gguf")
torch, transformers, tiny_gguf = Late("torch"), Late("transformers"), Late("tests.training.tiny_gguf")
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]


@pytest.fixture(scope="module")
def ids():
    """A prompt."""
    return torch.tensor([[5, 100, 200, 30, 260, 261, 3, 1]])


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tiny_gguf.write(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture(scope="module")
def folder(file, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("models")))
        return convert(file)


def conversions(cache):
    """What lies in the cache, whole or not."""
    return sorted(each.name for each in (cache / "reward-verifiers" / "gguf").glob("*"))


def load(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder)


@pytest.mark.parametrize("tied", [True, False])
def test_logits_are_those_of_the_model_that_was_written(tmp_path, tied, ids):
    source = tiny_gguf.model(tie_word_embeddings=tied)
    converted = load(convert(tiny_gguf.write(tmp_path / "a.gguf", source)))
    with torch.no_grad():
        found, expected = converted(ids).logits, source(ids).logits
        exact = tiny_gguf.rounded(source)(ids).logits
    torch.testing.assert_close(found, exact, atol=1e-5, rtol=1e-5)
    assert not torch.equal(found, expected)
    assert (found - expected).abs().max() < 0.15 * expected.std()
    assert converted.config.tie_word_embeddings is tied
    assert (converted.lm_head.weight is converted.model.embed_tokens.weight) is tied


def test_it_trains_and_saves(folder, tmp_path, ids):
    model = load(folder)
    before = model(ids, labels=ids).loss
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    before.backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
    optimizer.step()
    model.save_pretrained(tmp_path / "trained")
    again = load(tmp_path / "trained")
    with torch.no_grad():
        assert again(ids, labels=ids).loss < before
        assert torch.equal(again(ids).logits, model(ids).logits)


def test_nothing_calls_it_quantised(folder):
    assert "quantization_config" not in json.loads((folder / "config.json").read_text())
    assert not hasattr(load(folder), "hf_quantizer")
    assert [each.suffix for each in folder.glob("model*")] == [".safetensors"]


def test_the_tokenizer_comes_along(folder):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer.encode("hello world, 안녕<|im_end|>")
    assert ids[0] == tiny_gguf.TOKENS.index("hello")
    assert ids[-1] == tiny_gguf.EOS
    assert tokenizer.decode(ids) == "hello world, 안녕<|im_end|>"
    chat = tokenizer.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False)
    assert chat == "<|im_start|>hi<|im_end|>"


def test_generation_ends_at_the_end_token_of_the_file(folder):
    model = load(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for end in (model.config.eos_token_id, model.generation_config.eos_token_id, tokenizer.eos_token_id):
        assert end == tiny_gguf.EOS
    assert (tokenizer.bos_token_id, tokenizer.pad_token_id) == (0, 0)


def test_dtypes(file):
    half = convert(file, dtype="bfloat16")
    assert half.name.startswith("tiny-")
    assert half.name.endswith("-bfloat16")
    assert json.loads((half / "config.json").read_text())["dtype"] == "bfloat16"
    assert load(half).dtype == torch.bfloat16


def test_a_conversion_is_used_again(file, monkeypatch):
    first = convert(file)
    weights = first / "model.safetensors"
    before = weights.stat().st_mtime_ns
    monkeypatch.setattr(model_places, "_write", None)
    assert convert(file) == first
    assert weights.stat().st_mtime_ns == before
    assert first.parent == Path(os.environ["XDG_CACHE_HOME"]) / "reward-verifiers" / "gguf"


def test_a_changed_file_is_converted_again(tmp_path):
    file = tiny_gguf.write(tmp_path / "a.gguf")
    first = convert(file)
    os.utime(file, ns=(0, 0))
    assert convert(file) != first


def test_the_loser_of_a_race_takes_the_winners_folder(file, tmp_path, monkeypatch):
    write = model_places._write

    def slow(*arguments):
        write(*arguments)
        monkeypatch.setattr(model_places, "_write", write)
        (convert(file) / "winner").touch()

    monkeypatch.setattr(model_places, "_write", slow)
    target = convert(file)
    assert (target / "winner").exists()
    assert conversions(tmp_path / "cache") == [target.name]


def test_a_failure_leaves_nothing(file, tmp_path, monkeypatch):
    def full(file, folder, *_):
        folder.mkdir(parents=True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(model_places, "_write", full)
    with pytest.raises(OSError, match="No space left"):
        convert(file)
    assert conversions(tmp_path / "cache") == []


CHILD = """
import os, signal, sys
from pathlib import Path
from training.models import model_places
Path.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
model_places.convert(Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_kill_in_the_middle(file, tmp_path):
    """All files of the killed one are there, but not under the folder's name."""
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    done = forks.run(script, file, loaded=forks.TRAINING, env=dict(os.environ))
    assert done.returncode == -signal.SIGKILL
    (left,) = conversions(tmp_path / "cache")
    assert left.startswith(".tiny-")
    target = convert(file)
    assert conversions(tmp_path / "cache") == [left, target.name]
    assert load(target).num_parameters() > 0


def test_no_gguf_file(tmp_path):
    other = tmp_path / "model.gguf"
    other.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(ConfigError, match=r"model.gguf: not a GGUF file, or a truncated"):
        convert(other)
    other.write_bytes(b"")
    with pytest.raises(ConfigError, match="not a GGUF file"):
        convert(other)
    with pytest.raises(ConfigError, match=r"none.gguf: cannot be read: No such file"):
        convert(tmp_path / "none.gguf")


@pytest.mark.parametrize("share", [0.0005, 0.003, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_truncated(file, tmp_path, share):
    whole = file.read_bytes()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(whole[: max(int(len(whole) * share), 8)])
    with pytest.raises(ConfigError, match="truncated or damaged"):
        convert(cut)
    assert conversions(tmp_path / "cache") == []


def test_an_architecture_that_transformers_does_not_read(tmp_path):
    file = tiny_gguf.write(tmp_path / "a.gguf", architecture="nosuch")
    with pytest.raises(ConfigError, match=r"does not read it \(.*nosuch"):
        convert(file)


def test_missing_weights_are_not_made_up(tmp_path):
    file = tiny_gguf.write(tmp_path / "a.gguf", leave_out="blk.1.ffn_up.weight")
    with pytest.raises(ConfigError, match=r"1 of its tensors .*\(model.layers.1.mlp.up_proj.weight\)"):
        convert(file)


def test_one_part_of_several(tmp_path):
    file = tiny_gguf.write(tmp_path / "a-00001-of-00002.gguf", split=2)
    with pytest.raises(ConfigError, match=r"is one of 2 parts of a model; merge them first"):
        convert(file)


def test_scaled_positions_are_warned_of(tmp_path):
    file = tiny_gguf.write(tmp_path / "a.gguf", extra={"rope_freqs.weight": torch.ones(8)})
    with pytest.warns(UserWarning, match=r"ignores rope_freqs.weight"):
        convert(file)
