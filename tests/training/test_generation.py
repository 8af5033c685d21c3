"""Generation by a model of a few thousand parameters, here and behind a server on the loopback device."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.adapters import tiny
from tests.support import ROOT
from tests.timing import HANG, until
from training.generation import (
    Backend,
    Generated,
    GenerationError,
    Sampling,
    ServerBackend,
    TransformersBackend,
)
from training.generation.sampling_types import special_stops
from training.generation.server_backend import completions
from verifiers import ConfigError
from verifiers.runtime import server_link

# What transformers warns of is not ours to answer for.
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]

PROMPTS = ["What is 1 + 1?", "a", "Say something long: " + "abc " * 20, "2*3=", "x" * 40, "no"]
GREEDY = Sampling(temperature=0, max_tokens=16)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tiny model is."""
    return tiny.build(tmp_path_factory.mktemp("model"))


@pytest.fixture
def model(folder: Path) -> Any:
    """A model of the test's own, as loading leaves it."""
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder)


@pytest.fixture
def tokenizer(folder: Path) -> Any:
    """A tokenizer of the test's own."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


@pytest.fixture
def backend(model: Any, tokenizer: Any) -> TransformersBackend:
    """The model and the tokenizer as a backend."""
    return TransformersBackend(model, tokenizer, batch_size=4)


def _chat(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def _flat(groups: Any) -> list[str]:
    return [each.text for group in groups for each in group]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"k": 0}, "k must be a whole number of at least 1, got 0"),
        ({"k": True}, "k must be a whole number of at least 1, got True"),
        ({"temperature": -1.0}, "temperature must be a number of at least 0, got -1.0"),
        ({"temperature": float("nan")}, "temperature"),
        ({"temperature": float("inf")}, "temperature"),
        ({"temperature": 0, "k": 2}, "set k to 1, or a temperature above 0"),
        ({"top_p": 0.0}, "top_p"),
        ({"top_p": 1.5}, "top_p"),
        ({"top_k": -1}, "top_k must be a whole number of at least 0"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"stop": ("a", 1)}, "stop must be strings, got ('a', 1)"),
        ({"stop": ("a", "")}, "non-empty"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**31}, "seed"),
    ],
)
def test_sampling_says_what_is_wrong(values: dict[str, Any], says: str) -> None:
    """Before a model is loaded."""
    with pytest.raises(ConfigError, match="Sampling") as caught:
        Sampling(**values)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("prompts", "says"),
    [
        ("one text", "must be a list of prompts"),
        (_chat("hello"), "put the messages of one prompt in a list"),
        (["a", []], "prompt 1 must hold messages"),
        ([None], "prompt 0 must be a text or a list of messages"),
    ],
)
def test_what_is_no_list_of_prompts_is_refused_at_once(prompts: Any, says: str) -> None:
    """A text is a sequence of texts, and a conversation one of mappings, so both pass for prompts."""
    backends: list[Backend] = [TransformersBackend(None, None), ServerBackend("http://127.0.0.1:1", "m")]
    for each in backends:
        with pytest.raises(ConfigError, match=says):
            each.generate(prompts, Sampling())


class TestTransformersBackend:
    """Generation by a model in this process."""

    def test_greedy_is_what_the_model_writes_whatever_the_batch(
        self, backend: TransformersBackend, model: Any, tokenizer: Any
    ) -> None:
        """Padding, sorting and batching leave no trace."""
        import torch

        expected = []
        for prompt in PROMPTS:
            ids = torch.tensor([tokenizer(prompt)["input_ids"]])
            output = model.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=16, do_sample=False
            )
            expected.append(tokenizer.decode(output[0, ids.shape[1] :], skip_special_tokens=True))
        tokenizer.padding_side = "right"
        for size in (1, 3, 64):
            backend.batch_size = size
            groups = list(backend.generate(PROMPTS, GREEDY))
            assert [len(group) for group in groups] == [1] * len(PROMPTS)
            assert _flat(groups) == expected
        assert tokenizer.padding_side == "right"

    def test_k_completions_of_each_prompt(self, backend: TransformersBackend) -> None:
        """Also where they are spread over batches."""
        groups = list(backend.generate(PROMPTS, Sampling(k=6, max_tokens=12)))
        assert [len(group) for group in groups] == [6] * len(PROMPTS)
        assert all(len({each.text for each in group}) > 3 for group in groups)
        assert list(backend.generate([], Sampling(k=6))) == []

    def test_the_same_call_draws_the_same(self, backend: TransformersBackend) -> None:
        """Whatever ran before, and whatever the caller draws in between."""
        import torch

        sampling = Sampling(k=2, max_tokens=8, seed=3)
        first = list(backend.generate(PROMPTS, sampling))
        torch.manual_seed(5)
        again = []
        for group in backend.generate(PROMPTS, sampling):
            torch.rand(3)
            again.append(group)
        assert again == first
        assert list(backend.generate(PROMPTS, Sampling(k=2, max_tokens=8, seed=4))) != first

    def test_leaves_everything_as_it_was(self, backend: TransformersBackend, model: Any) -> None:
        """At every moment at which the caller has the turn."""
        import torch

        model.train()
        model.model.layers[0].train(False)
        model.gradient_checkpointing_enable()
        model.enable_input_require_grads()
        model.config.use_cache = False
        modes = [each.training for each in model.modules()]
        own, held = model.generation_config, model.generation_config.to_dict()
        torch.manual_seed(11)
        state = torch.get_rng_state()
        for _ in backend.generate(PROMPTS, Sampling(k=2, max_tokens=4)):
            assert [each.training for each in model.modules()] == modes
            assert model.generation_config is own
            assert torch.equal(torch.get_rng_state(), state)
            assert torch.is_grad_enabled()
        assert own.to_dict() == held
        assert model.config.use_cache is False
        assert model.is_gradient_checkpointing

    def test_training_mode_does_not_show(self, backend: TransformersBackend, model: Any) -> None:
        """Dropout is off, and checkpointing does not cost the cache."""
        expected = list(backend.generate(PROMPTS, GREEDY))
        model.train()
        model.gradient_checkpointing_enable()
        for layer in model.model.layers:
            layer.self_attn.attention_dropout = 0.9
        cached = []
        hook = model.model.register_forward_pre_hook(
            lambda module, args, kwargs: cached.append(kwargs["input_ids"].shape[1]), with_kwargs=True
        )
        assert list(backend.generate(PROMPTS, GREEDY)) == expected
        hook.remove()
        assert cached.count(1) > len(cached) / 2

    def test_the_mode_comes_back_after_an_error(
        self, backend: TransformersBackend, model: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A run that catches it continues training."""
        model.train()
        own = model.generation_config
        monkeypatch.setattr(model, "generate", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            list(backend.generate(PROMPTS, GREEDY))
        assert model.training
        assert model.generation_config is own

    def test_the_models_own_settings_do_not_leak_in(self, backend: TransformersBackend, model: Any) -> None:
        """Published models come with a temperature, limits and penalties of their own."""
        sampling = Sampling(k=2, max_tokens=12)
        expected = list(backend.generate(PROMPTS, sampling))
        greedy = list(backend.generate(PROMPTS, GREEDY))
        config = model.generation_config
        config.update(do_sample=True, temperature=0.01, top_k=1, top_p=0.1, min_p=0.9, repetition_penalty=9.0,
                      max_length=3)  # fmt: skip
        assert list(backend.generate(PROMPTS, sampling)) == expected
        records: list[logging.LogRecord] = []
        handler = logging.Handler()
        handler.emit = records.append  # type: ignore[method-assign]
        logging.getLogger("transformers").addHandler(handler)
        assert list(backend.generate(PROMPTS, GREEDY)) == greedy
        logging.getLogger("transformers").removeHandler(handler)
        assert [each.getMessage() for each in records] == []

    def test_limits_of_sampling_are_passed_on(self, backend: TransformersBackend) -> None:
        """With one token to choose from, sampling is greedy."""
        greedy = list(backend.generate(PROMPTS, GREEDY))
        for limited in ({"top_k": 1}, {"top_p": 1e-6}, {"temperature": 1e-4}):
            assert list(backend.generate(PROMPTS, Sampling(max_tokens=16, **limited))) == greedy  # type: ignore[arg-type]

    def test_tokens_and_finished(self, backend: TransformersBackend, model: Any, tokenizer: Any) -> None:
        """The end token counts, what fills the batch up does not."""
        [[whole]] = backend.generate(["2*3="], GREEDY)
        assert whole.tokens == 16
        assert not whole.finished
        # A further end token of the model's own: the fourth that it writes.
        ids = tokenizer(whole.text)["input_ids"]
        at = next(at for at in range(3, 16) if ids[at] not in ids[:at])
        model.generation_config.eos_token_id = [2, ids[at]]
        groups = list(backend.generate(["2*3=", *PROMPTS], GREEDY))
        assert groups[0] == [Generated(whole.text[: at + 1], at + 1, True)]
        assert any(not group[0].finished and group[0].tokens == 16 for group in groups)
        # The end token itself is skipped; so are other special tokens, which an untrained model writes too.
        model.generation_config.eos_token_id = 2
        drawn = [each for group in backend.generate(["a"], Sampling(k=16, max_tokens=60)) for each in group]
        assert {each.finished for each in drawn} == {True, False}
        assert all(each.tokens > len(each.text) for each in drawn if each.finished)
        assert all(each.tokens == 60 for each in drawn if not each.finished)

    def test_an_end_at_the_limit_is_an_end(
        self, backend: TransformersBackend, model: Any, tokenizer: Any
    ) -> None:
        """The last token that is allowed may be the end token."""
        [[whole]] = backend.generate(["2*3="], Sampling(temperature=0, max_tokens=1))
        model.generation_config.eos_token_id = tokenizer(whole.text)["input_ids"]
        [[ended]] = backend.generate(["2*3="], Sampling(temperature=0, max_tokens=1))
        assert (ended.tokens, ended.finished) == (1, True)

    def test_stop_texts(self, backend: TransformersBackend) -> None:
        """A completion ends before the first; the prompt does not count."""
        whole = list(backend.generate(PROMPTS, Sampling(max_tokens=16)))
        at, [first] = next((at, each) for at, each in enumerate(whole) if len(each[0].text) == 16)
        stop = first.text[7:9]
        assert [stop in each.text for [each] in whole].count(True) == 1
        for wanted in ((stop,), ("no such text", stop + "no", stop)):
            stopped = list(backend.generate(PROMPTS, Sampling(max_tokens=16, stop=wanted)))
            assert stopped.pop(at) == [Generated(first.text[:7], 9, True)]
            # The same random numbers are drawn for the others.
            assert stopped == [each for each in whole if each != [first]]
        everything = Sampling(max_tokens=16, stop=tuple(tiny.CHARACTERS))
        assert {(each.text, each.finished) for [each] in backend.generate(PROMPTS, everything)} == {
            ("", True)
        }
        # A text that begins in the prompt.
        [[greedy]] = backend.generate(["2*3="], GREEDY)
        begun = Sampling(temperature=0, max_tokens=16, stop=("=" + greedy.text[0],))
        assert list(backend.generate(["2*3="], begun)) == [[greedy]]

    def test_a_special_token_as_a_stop_text(self, tokenizer: Any) -> None:
        """Decoding skips it, so it is watched for as a token."""
        assert special_stops(tokenizer, ("<bos>", "a", "zzz")) == {"<bos>": 1}

    def test_streams(self, backend: TransformersBackend, model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is given has been made; most of the rest has not."""
        calls = []
        generate = model.generate
        monkeypatch.setattr(model, "generate", lambda **given: calls.append(1) or generate(**given))
        backend.batch_size = 1
        stream = backend.generate(
            [f"{number}" for number in range(40)], Sampling(temperature=0, max_tokens=2)
        )
        assert calls == []
        next(stream)
        assert 1 <= len(calls) <= 8
        assert len(list(stream)) == 39

    def test_long_prompts_are_whole(self, backend: TransformersBackend, tokenizer: Any) -> None:
        """Whatever length the tokenizer was made for, and was last asked to cut to."""
        expected = list(backend.generate(PROMPTS, GREEDY))
        tokenizer(PROMPTS, truncation=True, max_length=2)
        tokenizer.model_max_length = 3
        assert list(backend.generate(PROMPTS, GREEDY)) == expected

    def test_messages(self, backend: TransformersBackend, tokenizer: Any) -> None:
        """Through the chat template, with its arguments."""
        template = "{% for m in messages %}{{ m['content'] }}{% endfor %}{% if add_generation_prompt %}{{ end }}{% endif %}"
        tokenizer.chat_template = template
        backend.chat_template_kwargs = {"end": "="}
        mixed = list(backend.generate([_chat("2*3"), "2*3=", _chat("2*3=")], GREEDY))
        assert mixed[0] == mixed[1] != mixed[2]

    def test_no_chat_template(self, backend: TransformersBackend, tokenizer: Any) -> None:
        """Said when generation is asked for, not when it starts."""
        tokenizer.chat_template = None
        with pytest.raises(
            ConfigError, match=r"has no chat template.*set model\.chat_template to a file, or data\.format"
        ):
            backend.generate([_chat("2*3")], GREEDY)

    def test_a_template_that_refuses(self, backend: TransformersBackend, tokenizer: Any) -> None:
        """As those do that know no system message."""
        tokenizer.chat_template = "{{ raise_exception('no system role') }}"
        with pytest.raises(ConfigError, match="cannot take prompt 0: no system role"):
            list(backend.generate([_chat("2*3")], GREEDY))

    def test_a_prompt_without_tokens(self, backend: TransformersBackend) -> None:
        """There is nothing to continue."""
        with pytest.raises(ConfigError, match="prompt 1 has no tokens"):
            list(backend.generate(["a", ""], GREEDY))

    def test_memory_that_runs_out_halves_the_batch(
        self, backend: TransformersBackend, model: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """For the rest of the call, and down to one."""
        import torch

        expected = list(backend.generate(PROMPTS, GREEDY))
        generate, sizes, fit = model.generate, [], 1

        def limited(**given: Any) -> Any:
            sizes.append(len(given["input_ids"]))
            if sizes[-1] > fit:
                raise torch.OutOfMemoryError("CUDA out of memory")
            return generate(**given)

        monkeypatch.setattr(model, "generate", limited)
        assert list(backend.generate(PROMPTS, GREEDY)) == expected
        assert sizes == [4, 2, *[1] * len(PROMPTS)]
        assert backend.batch_size == 4
        fit = 0
        with pytest.raises(GenerationError, match="memory runs out with one completion of at most 16 tokens"):
            list(backend.generate(PROMPTS, GREEDY))
        assert not torch.is_inference_mode_enabled()

    def test_an_adapter(self, backend: TransformersBackend, model: Any) -> None:
        """A `PeftModel` keeps its settings in the model that it wraps."""
        peft = pytest.importorskip("peft")
        expected = list(backend.generate(PROMPTS, GREEDY))
        model.generation_config.repetition_penalty = 9.0
        own = model.generation_config
        backend.model = peft.get_peft_model(
            model, peft.LoraConfig(target_modules=["q_proj"], lora_dropout=0.9)
        )
        backend.model.train()
        assert list(backend.generate(PROMPTS, GREEDY)) == expected
        assert backend.model.training
        assert backend.model.generation_config is own
        assert model.generation_config is own


class Site:
    """A server with an OpenAI-compatible API, which fails as it is told to.

    Attributes:
        faults: What becomes of the next requests, one after another; None is a proper answer.
        always: What becomes of those after them, or a function that tells from what is asked.
        most: How many choices it gives at most.
        refuses: Fields that it answers with status 400.
        requests: What was asked of it.
    """

    def __init__(self, backend: TransformersBackend) -> None:
        self.faults: list[Any] = []
        self.always: Any = None
        self.most = 99
        self.refuses: tuple[str, ...] = ()
        self.requests: list[dict[str, Any]] = []
        self.over = threading.Event()
        self._backend, self._lock = backend, threading.Lock()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Or an answer's second part waits 40 ms for the first to be acknowledged.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                site.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            # With five, the default, some of sixteen connections at once are made a second later.
            request_queue_size = 64

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = False
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def close(self) -> None:
        """End every thread."""
        self.over.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer, or fail."""
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        with self._lock:
            seen = {"path": request.path, "body": body, "headers": request.headers, "at": time.monotonic()}
            self.requests.append(seen)
            fault = self.faults.pop(0) if self.faults else self.always
        refused = [name for name in self.refuses if (body["n"] > 1 if name == "n" else name in body)]
        if callable(fault):
            fault = fault(body)
        if refused:
            fault = (400, {"error": {"message": f"unknown argument {refused[0]}"}}, {})
        if fault == "hang":
            self.over.wait(2 * HANG)
            request.close_connection = True
            return
        if fault == "drop":
            request.close_connection = True
            return
        if fault == "drip":
            request.send_response(200)
            request.send_header("Content-Length", "1000")
            request.end_headers()
            try:
                while not self.over.wait(0.05):
                    request.wfile.write(b" ")
            except OSError:
                request.close_connection = True
            return
        status, answer, headers = fault or (200, self._completions(body), {})
        content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        request.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)

    def _completions(self, body: dict[str, Any]) -> dict[str, Any]:
        chat = "messages" in body
        sampling = Sampling(k=min(body["n"], self.most), temperature=body["temperature"], top_p=body["top_p"],
                            top_k=max(body.get("top_k", 0), 0), max_tokens=body["max_tokens"],
                            stop=tuple(body.get("stop", ())), seed=body["seed"])  # fmt: skip
        with self._lock:
            [group] = self._backend.generate([body["messages" if chat else "prompt"]], sampling)
        choices = [
            {
                "index": index,
                "finish_reason": "stop" if each.finished else "length",
                **({"message": {"role": "assistant", "content": each.text}} if chat else {"text": each.text}),
            }
            for index, each in enumerate(group)
        ]
        return {"choices": choices[::-1], "usage": {"completion_tokens": sum(each.tokens for each in group)}}


@pytest.fixture
def site(backend: TransformersBackend) -> Iterator[Site]:
    """A server that ends with the test."""
    site = Site(backend)
    yield site
    site.close()


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pauses, no proxy, no key of the user's."""
    monkeypatch.setattr(server_link, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def _server(site: Site, **options: Any) -> ServerBackend:
    return ServerBackend(site.url, "tiny", **{"timeout": 20.0, "retries": 2, **options})


class TestServerBackend:
    """Generation over HTTP."""

    @pytest.mark.parametrize(
        ("values", "says"),
        [
            ({"url": "127.0.0.1:8000"}, "url must be the base of an API"),
            ({"url": "ftp://host/v1"}, "url must be"),
            ({"model": ""}, "model must be a name"),
            ({"concurrency": 0}, "concurrency"),
            ({"timeout": 0.0}, "timeout"),
            ({"retries": -1}, "retries"),
        ],
    )
    def test_says_what_is_wrong(self, values: dict[str, Any], says: str) -> None:
        """Before a request is made."""
        with pytest.raises(ConfigError, match=says):
            ServerBackend(**{"url": "http://127.0.0.1:8000/v1", "model": "m", **values})

    def test_gives_what_the_model_behind_it_gives(self, site: Site, backend: TransformersBackend) -> None:
        """Texts and messages, each to its own address, in order."""
        prompts = [*PROMPTS, *map(_chat, PROMPTS)]
        groups = list(_server(site).generate(prompts, GREEDY))
        assert groups == list(backend.generate(prompts, GREEDY))
        assert {each["path"] for each in site.requests} == {"/v1/completions", "/v1/chat/completions"}
        assert all("Authorization" not in each["headers"] for each in site.requests)

    def test_k_in_one_request(self, site: Site, backend: TransformersBackend) -> None:
        """The seed is the call's and the prompt's; the tokens are shared out evenly."""
        sampling = Sampling(k=3, temperature=0.7, top_p=0.9, top_k=5, max_tokens=8, stop=("Q:",), seed=40)
        groups = list(_server(site, concurrency=1).generate(PROMPTS, sampling))
        assert [len(group) for group in groups] == [3] * len(PROMPTS)
        assert [each["body"] for each in site.requests] == [
            {
                "model": "tiny",
                "prompt": prompt,
                "n": 3,
                "temperature": 0.7,
                "top_p": 0.9,
                "top_k": 5,
                "max_tokens": 8,
                "stop": ["Q:"],
                "seed": 40 + index,
            }
            for index, prompt in enumerate(PROMPTS)
        ]
        [expected] = backend.generate(PROMPTS[:1], sampling)
        assert [each.text for each in groups[0]] == [each.text for each in expected]
        assert {each.tokens for each in groups[0]} == {round(sum(each.tokens for each in expected) / 3)}

    def test_fewer_choices_than_asked_for(self, site: Site) -> None:
        """The rest is asked for with other seeds, or it would be the same again."""
        site.most = 2
        groups = list(_server(site).generate(PROMPTS, Sampling(k=5, max_tokens=12)))
        assert [len(group) for group in groups] == [5] * len(PROMPTS)
        assert all(len({each.text for each in group}) > 3 for group in groups)
        asked = sorted(each["body"]["n"] for each in site.requests)
        assert asked == sorted([5, 3, 1] * len(PROMPTS))
        assert len({each["body"]["seed"] for each in site.requests}) == len(site.requests)

    @pytest.mark.parametrize("refuses", [("n",), ("top_k",), ("n", "top_k")])
    def test_fields_that_a_server_refuses(self, site: Site, refuses: tuple[str, ...]) -> None:
        """What can be done without is left out from then on."""
        site.refuses = refuses
        groups = list(_server(site, concurrency=1).generate(PROMPTS, Sampling(k=2, max_tokens=4)))
        assert [len(group) for group in groups] == [2] * len(PROMPTS)
        assert len(site.requests) <= len(PROMPTS) * (2 if "n" in refuses else 1) + len(refuses)

    @pytest.mark.parametrize(
        "faults",
        [
            [(500, "no", {}), (503, {"error": "busy"}, {})],
            [(408, "", {}), (409, "", {})],
            [(200, "{broken", {}), (200, "<html>", {})],
            [(200, {"choices": []}, {}), (200, [1], {})],
            [(200, {"choices": [{"message": {"content": 3}}]}, {}), (200, {"choices": [{"finish_reason": "abort"}]}, {})],
            ["drop", "drop"],
        ],
        ids=["5xx", "4xx", "no json", "no choices", "no text", "dropped"],
    )  # fmt: skip
    def test_what_passes_is_tried_again(self, site: Site, faults: list[Any]) -> None:
        """And nothing of it shows."""
        expected = list(_server(site).generate(PROMPTS[:2], GREEDY))
        site.faults, before = faults, len(site.requests)
        assert list(_server(site).generate(PROMPTS[:2], GREEDY)) == expected
        assert len(site.requests) == before + 4

    @pytest.mark.parametrize("fault", ["hang", "drip"])
    def test_a_request_that_hangs_is_made_again(self, site: Site, fault: str) -> None:
        """Also where bytes keep coming, and an answer does not."""
        site.faults = [fault]
        groups = list(_server(site, timeout=4.0).generate(["a"], GREEDY))
        assert len(groups) == 1
        assert len(site.requests) in (2, 3), "an answer may take as long on a busy machine"

    def test_retry_after_is_honoured(self, site: Site) -> None:
        """It is longer than our own pause."""
        site.faults = [(429, {"error": {"message": "slow down"}}, {"Retry-After": "0.3"})]
        list(_server(site).generate(["a"], GREEDY))
        first, second = (each["at"] for each in site.requests)
        assert second - first >= 0.3

    def test_a_server_that_never_answers(self, site: Site) -> None:
        """Is named; what came before the prompt is given, and there is no empty completion."""
        site.always = lambda body: "hang" if body["prompt"] == "b" else None
        stream = _server(site, timeout=3.0, concurrency=1).generate(["a", "b"], GREEDY)
        assert len(next(stream)) == 1
        with pytest.raises(GenerationError, match="for prompt 1 in 3 tries") as caught:
            next(stream)
        assert f"{site.url}/completions" in str(caught.value)
        assert "ReadTimeout" in str(caught.value)

    def test_a_server_that_is_not_there(self, site: Site) -> None:
        """Nothing listens at the address."""
        site.close()
        with pytest.raises(GenerationError, match="ConnectError"):
            list(_server(site).generate(["a"], GREEDY))

    def test_a_request_that_is_wrong_is_not_repeated(self, site: Site) -> None:
        """The server's own words say why."""
        site.always = (400, {"error": {"message": "this model's maximum context length is 8 tokens"}}, {})
        with pytest.raises(
            ConfigError, match=r"refuses prompt 0 with status 400: this model's maximum context"
        ):
            list(_server(site, concurrency=1).generate(["a"], GREEDY))
        assert len(site.requests) == 1

    def test_the_key(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        """Is sent, and never shown."""
        server = _server(site, key="sk-secret\n")
        assert "secret" not in repr(server)
        list(server.generate(["a"], GREEDY))
        site.always = (401, {"error": {"message": "Incorrect API key: sk-secret"}}, {})
        with pytest.raises(ConfigError, match=r"401: Incorrect API key: \*\*\*; set key, or") as caught:
            list(server.generate(["a"], GREEDY))
        assert "secret" not in str(caught.value)
        server.key = None
        monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
        site.always = None
        list(server.generate(["a"], GREEDY))
        server.key = ""
        list(server.generate(["a"], GREEDY))
        sent = [each["headers"].get("Authorization") for each in site.requests]
        assert sent == ["Bearer sk-secret", "Bearer sk-secret", "Bearer sk-env", None]
        with pytest.raises(ConfigError, match="copy it again"):
            _server(site, key="키").generate(["a"], GREEDY)

    def test_streams_in_order(self, site: Site) -> None:
        """The first prompt is the slowest; the server works ahead, but not far."""
        site.faults = [(503, "", {"Retry-After": "0.3"})]
        prompts = [f"{number}" for number in range(20)]
        server = _server(site, concurrency=2)
        stream = server.generate(prompts, Sampling(temperature=0, max_tokens=2))
        assert site.requests == []
        groups = [next(stream)]
        until(lambda: len(site.requests) > 2)
        time.sleep(0.2)
        assert 2 < len(site.requests) <= 10
        groups += stream
        assert groups == list(server.generate(prompts, Sampling(temperature=0, max_tokens=2)))

    def test_a_caller_that_has_enough(self, site: Site) -> None:
        """Requests under way end, and so do their threads."""
        site.always = lambda body: None if body["prompt"] == PROMPTS[0] else "hang"
        others = set(threading.enumerate())
        stream = _server(site, timeout=2 * HANG).generate([*PROMPTS], GREEDY)
        next(iter(stream))
        # All but the site's own.
        own = [each for each in set(threading.enumerate()) - others if "process_request" not in each.name]
        started = time.monotonic()
        stream.close()  # type: ignore[attr-defined]
        assert time.monotonic() - started < HANG, "what hangs would take twice as long"
        assert own
        assert not any(each.is_alive() for each in own)

    def test_ctrl_c(self, site: Site) -> None:
        """Does not wait for what the server may still say."""
        site.always = "hang"
        program = (
            "import signal, sys\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "from training.generation import Sampling, ServerBackend\n"
            "print('ready', flush=True)\n"
            f"list(ServerBackend({site.url!r}, 'tiny').generate(['a'] * 100, Sampling()))\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                until(lambda: len(site.requests) == 16)
                os.kill(process.pid, signal.SIGINT)
                _, complaint = process.communicate(timeout=HANG)
            finally:
                process.kill()
        assert "KeyboardInterrupt" in complaint
        assert process.returncode != 0


def test_answers_of_reasoning_models() -> None:
    """Their thinking is next to the text, which may be missing."""
    message = {"content": None, "reasoning_content": "hm"}
    answer = {"choices": [{"index": 1, "message": {"content": "a\nQ: b", "reasoning": "so"},
                           "finish_reason": "length", "token_ids": [1, 2]},
                          {"index": 0, "message": message, "finish_reason": "length"}],
              "usage": {"completion_tokens": 14}}  # fmt: skip
    assert completions(json.dumps(answer).encode(), stop=("\nQ:",)) == [
        Generated("", 7, False, "hm"),
        Generated("a", 2, True, "so"),
    ]
    del answer["usage"]
    assert [each.tokens for each in completions(json.dumps(answer).encode(), stop=())] == [0, 2]
