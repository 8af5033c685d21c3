"""Sampling completions of rows into a file of scored lines, which a kill does not lose."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig
from ..data import Row
from ..generation import Backend, Sampling, ServerBackend, TransformersBackend
from ..models.model_loading import load_model, reader
from ..tools.given_tools import given_tools, set_response_template
from ..tools.tool_turns import ToolBackend
from .accuracy_measures import Answered, answer, completion_text
from .kept_completions import scored_line
from .run_inputs import Prepared

WINDOW = 64
"""Prompts that are given to the backend at a time: it orders them by length within."""


def backend_of(config: RunConfig, prepared: Prepared) -> Backend:
    """What generates: the configured server, or the model, loaded here."""
    sample = config.sample
    if sample.server is not None:
        return ServerBackend(sample.server, sample.server_model or config.model.name)
    return local_backend(config, prepared)


def local_backend(config: RunConfig, prepared: Prepared, model: Any = None) -> Backend:
    """The model in this process, given prompts and read as the trainer would.

    Args:
        config: The run.
        prepared: Its tokenizer, and where its model is.
        model: A model that is loaded already.
    """
    backend = TransformersBackend(
        load_model(config.model, prepared.place) if model is None else model,
        prepared.tokenizer,
        batch_size=config.sample.batch_size,
        chat_template_kwargs=config.model.chat_template_kwargs,
        read=reader(config.model, prepared.tokenizer),
    )
    given = given_tools(config)
    if not given.calls or not prepared.chat:
        return backend
    set_response_template(prepared.tokenizer)
    return ToolBackend(backend, given, config.trainer.get("max_tool_calling_iterations"))


def sampling_of(config: RunConfig, k: int | None = None) -> Sampling:
    """How completions are sampled."""
    sample = config.sample
    tokens = sample.max_tokens or config.trainer.get("max_completion_length") or 512
    return Sampling(
        k=k or sample.k,
        temperature=sample.temperature,
        top_p=sample.top_p,
        top_k=sample.top_k,
        max_tokens=int(tokens),
        stop=tuple(sample.stop),
        seed=config.seed,
    )


def sample_rows(
    backend: Backend,
    rows: Sequence[Row],
    prepared: Prepared,
    sampling: Sampling,
    path: Path,
    say: Callable[[str], object] = lambda line: None,
) -> Iterator[Answered]:
    """Answer rows, and write every completion as a line that `verify-cli` reads; what is there is kept.

    Args:
        backend: What generates.
        rows: With their prompts.
        prepared: Its reward judges: the one that pays.
        sampling: How many, and how.
        path: The file; a row whose completions are all in it is not sampled again.
        say: Told now and then how many rows are done.

    Raises:
        ConfigError: The file holds other rows, or another number of completions.
    """
    reward = prepared.reward
    assert reward is not None  # noqa: S101  (sampling stages need a reward)
    sampler = f"{prepared.name} {dataclasses.replace(sampling, seed=0)}"
    # From the start of a window: a seed belongs to a whole one.
    _check_same(path, sampler, reward.signature())
    done = _done(path, rows, sampling.k)
    if done < len(rows):
        done -= done % WINDOW
        _truncate(path, done * sampling.k)
    told = done
    if done:
        say(f"{done}/{len(rows)} prompts were sampled before")
    with open(path, "ab") as file:
        while done < len(rows):
            part = rows[done : done + WINDOW]
            for each in answer(backend, part, reward, _seeded(sampling, done)):
                file.write(
                    "".join(_lines(each, reward.signature(), sampler)).encode("utf-8", "backslashreplace")
                )
                file.flush()
                yield each
                done += 1
            if done == len(rows) or done - told >= len(rows) / 5:
                say(f"sampled {done}/{len(rows)} prompts")
                told = done


def _seeded(sampling: Sampling, first: int) -> Sampling:
    """A seed for each window, so that a resumed run samples like one that was not interrupted."""
    return dataclasses.replace(sampling, seed=sampling.seed + first)


def _check_same(path: Path, sampler: str, signature: str) -> None:
    """Refuse to continue with another model, other sampling or another reward than the file was begun with.

    Raises:
        ConfigError: It was.
    """
    if not path.exists():
        return
    with open(path, "rb") as file:
        first = _parsed(file.readline())
    for name, now in (("sampler", sampler), ("signature", signature)):
        before = None if first is None else first.get(name)
        if before not in (None, now):
            raise ConfigError(
                f"{path} was begun by {before!s:.160}, and this is {now!s:.160}; choose another file, or "
                "delete it"
            )


def _lines(each: Answered, signature: str, sampler: str) -> Iterator[str]:
    for generated, payment in zip(each.completions, each.payments, strict=True):
        extra = {"completion_tokens": generated.tokens, "finished": generated.finished, "sampler": sampler}
        yield scored_line(each.row, completion_text(generated), payment, signature, **extra)


def _done(path: Path, rows: Sequence[Row], k: int) -> int:
    """Rows that the file already answers; what a kill has torn is cut off."""
    if not path.exists():
        return 0
    complete = count = 0
    prompt: Any = None
    with open(path, "rb") as file:
        for line in file:
            found = _parsed(line)
            if found is None:
                break
            if count % k == 0:
                prompt = found.get("prompt")
                if complete >= len(rows) or _plain(rows[complete]["prompt"]) != prompt:
                    raise ConfigError(
                        f"{path} holds the completions of other prompts; choose another file, or delete it"
                    )
            elif found.get("prompt") != prompt:
                raise ConfigError(f"{path} holds another number of completions than {k} of each prompt")
            count += 1
            if count % k == 0:
                complete += 1
    _truncate(path, complete * k)
    return complete


def _truncate(path: Path, lines: int) -> None:
    if not path.exists():
        return
    end = 0
    with open(path, "rb") as file:
        for _ in range(lines):
            end += len(file.readline())
    with open(path, "r+b") as file:
        file.truncate(end)


def _parsed(line: bytes) -> Mapping[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        found: Mapping[str, Any] = json.loads(line)
    except ValueError:
        return None
    return found


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
