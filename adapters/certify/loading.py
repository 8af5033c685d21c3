"""Loading of the reward that a user names, and its calling form."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from reward_verifiers.rewards import Batch, Reward, load_recipe
from reward_verifiers.rewards.tree.pay import Pay
from reward_verifiers.verifiers import ConfigError, Verdict, Verifier, split_completion
from reward_verifiers.verifiers.core import load, nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE
from reward_verifiers.verifiers.core.function_verifier import waited_for
from reward_verifiers.verifiers.metrics.text_metric import TextMetric

from ..serve.client import RewardClient
from .source import literals_of

CHARACTERS = 4
"""Characters of a token, for rewards that count tokens: there is no tokenizer here."""
Row = Mapping[str, Any]
Call = Callable[[str, Row], Any]
Together = Callable[[Sequence[str], Sequence[Row]], list[Any]]

_OF_TRAINER: Mapping[str, Any] = {
    "trainer_state": SimpleNamespace(global_step=0, max_steps=1000, epoch=0.0, num_train_epochs=1),
    "log_extra": lambda column, values: None,
    "log_metric": lambda name, value: None,
}
"""What TRL's trainers give besides the columns, at the beginning of a run."""
_RESPONSES = ("response", "completion", "solution_str", "predict_str", "prediction", "output", "text")
_REFERENCES = ("reference", "ground_truth", "answer", "gold", "target", "label", "solution", "expected")


@dataclass(frozen=True)
class Loaded:
    """A reward, as it is called here.

    Args:
        call: Pays one completion.
        together: Pays several in one call, where the reward takes several.
        file: The user's file, whose lines can be followed; empty for what is typed.
        about: Its description, as plain data.
    """

    call: Call
    together: Together | None
    file: str
    about: dict[str, Any]


def loaded(spec: str | Reward) -> Loaded:
    """Load the reward that a user names.

    Args:
        spec: A recipe, a verifier, ``file.py:name``, ``package.module:name``, a server's address; a reward.

    Raises:
        ConfigError: There is no such thing.
    """
    if isinstance(spec, Reward):
        return _typed(spec)
    if spec.startswith(("http://", "https://")):
        return _served(spec)
    path, _, name = spec.rpartition(":")
    if path.endswith(".py"):
        found = _from_file(Path(path), name)
    elif path and not Path(spec).is_file():
        found = load(spec)
    else:
        found = load_recipe(spec)
    if isinstance(found, type) and issubclass(found, Verifier):
        found = found()
    if isinstance(found, Verifier):
        found = Pay(found)
    if isinstance(found, Reward):
        return _typed(found)
    if isinstance(found, type):
        found = _made(found, spec)
    if not callable(found):
        raise ConfigError(f"{spec}: {name} is neither a reward nor a verifier nor a function: {found!r:.60}")
    return _function(found, name)


def _made(kind: type, spec: str) -> Any:
    """Return an instance of a class that needs no arguments."""
    try:
        return kind()
    except TypeError as error:
        raise ConfigError(
            f"{spec} is a class that cannot be made without arguments ({error}); name an instance of it"
        ) from None


def _from_file(path: Path, name: str) -> Any:
    if not path.is_file():
        raise ConfigError(f"there is no file {path}")
    # Behind everything else and under another name: a file that is called rewards.py must not stand for ours.
    sys.path.append(os.fspath(path.resolve().parent))
    called = f"certified_{path.stem}"
    spec = importlib.util.spec_from_file_location(called, path.resolve())
    assert spec is not None  # noqa: S101
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    sys.modules[called] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ConfigError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    if not hasattr(module, name):
        raise ConfigError(f"{path} has no {name!r}{nearest(name, vars(module))}")
    return getattr(module, name)


def _typed(reward: Reward) -> Loaded:
    """Load a reward of this library: its outcome is the result of its parts with a reference."""
    reading = {
        name: node.weight if hasattr(node, "weight") else 1.0
        for name, node in reward.parts()
        if node.reads_references()
    }
    readers = [each for each in reward.verifiers() if each.reads_reference()]
    graded = any(each.graded or isinstance(each, TextMetric) for each in readers)
    counted = "completion_tokens" in reward.columns()

    def pay(texts: Sequence[str], rows: Sequence[Row]) -> list[Any]:
        names = {name for row in rows for name in row}
        columns: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in names}
        if counted:
            columns["completion_tokens"] = [max(1, len(text) // CHARACTERS) for text in texts]
        payments = Batch(list(texts), columns, group_size=1).pay(reward)
        return [_paid(each) for each in payments]

    def _paid(payment: Any) -> tuple[float | None, str, float | None]:
        values = payment.values()
        found = [values[name] for name in reading if values.get(name) is not None]
        why = [verdict.reason for verdict in payment.verdicts]
        faults = [verdict.reason for verdict in payment.verdicts if verdict.status.value == "fault"]
        if payment.value is None and faults:
            raise RuntimeError(f"a verifier is at fault: {faults[0]}")
        return payment.value, " ".join(why)[:100], max(found, default=None)

    def together(texts: Sequence[str], rows: Sequence[Row]) -> list[Any]:
        return [each[0] for each in pay(texts, rows)]

    about = {
        "kind": "recipe",
        "typed": True,
        "reads_reference": bool(reading),
        "graded": graded,
        "runs_programs": any(each.runs_programs for each in reward.verifiers()),
        "columns": reward.columns(),
        "signature": reward.signature(),
        "tags": _tags(reward),
        "literals": {},
    }
    return Loaded(lambda text, row: pay([text], [row])[0], together, "", about)


def _tags(reward: Reward) -> list[list[str]]:
    """Return the tags that a form requires, in order, and those in which an answer is searched."""
    found: list[list[str]] = []
    for each in reward.verifiers():
        tags = getattr(each, "tags", None)
        if isinstance(tags, tuple):
            found.append([str(tag) for tag in tags])
        tag = getattr(getattr(each, "extract", None), "tag", None)
        if isinstance(tag, str):
            found.append([tag])
    return found


def _served(url: str) -> Loaded:
    """Load the reward of a server, of which only its numbers are known."""
    client = RewardClient(url)

    def together(texts: Sequence[str], rows: Sequence[Row]) -> list[Any]:
        return [
            each.reward
            for each in client.score(
                [{**row, "completion": text} for text, row in zip(texts, rows, strict=True)]
            )
        ]

    about = {
        "kind": "server",
        "typed": False,
        "reads_reference": True,
        "graded": False,
        "runs_programs": False,
        "columns": [],
        "signature": url,
        "tags": [],
        "literals": {},
    }
    return Loaded(_one_of(together), together, "", about)


def _function(function: Callable[..., Any], name: str) -> Loaded:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise ConfigError(f"{name} does not say what its parameters are called") from None
    file, inner = _source_of(function, name)
    literals = literals_of(file, inner) if os.path.isfile(file) else {}
    call: Call
    together: Together | None = None
    if "completions" in parameters:
        kind, together = "trl", _trl(function, parameters)
        call = _one_of(together)
    elif "solution_strs" in parameters:
        kind, together = "verl", _verl(function, parameters, literals)
        call = _one_of(together)
    else:
        thinking = any("think" in text for text in literals.get("texts", ()))
        kind = "function"
        call = _positional(function, parameters, _source_name(literals), reads_thinking=thinking)
    about = {
        "kind": kind,
        "two": _takes_two(function, parameters),
        "typed": False,
        "reads_reference": True,
        "graded": False,
        "runs_programs": False,
        "columns": [],
        "signature": f"{name}({', '.join(parameters)})#{_digest(file)}",
        "tags": [],
        "literals": literals,
    }
    return Loaded(call, together, file, about)


def paid(spec: str, completion: str, **row: Any) -> Any:
    """Return what a reward pays for a completion, called as `certify` calls it."""
    return loaded(spec).call(completion, row)


def _takes_two(function: Any, parameters: Mapping[str, inspect.Parameter]) -> bool:
    """Return whether a completion and a reference are all that a function takes, and it returns at once."""
    plain = inspect.isfunction(function) and not inspect.iscoroutinefunction(function)
    return plain and len(parameters) == 2 and "completions" not in parameters


def _source_of(function: Any, name: str) -> tuple[str, str]:
    """Return the file of a function's code and its name there: an instance's is its class's."""
    while isinstance(function, functools.partial):
        function = function.func
    code = inspect.unwrap(function)
    if hasattr(code, "__code__"):  # a method is found by its class
        owner = type(code.__self__).__name__ if hasattr(code, "__self__") else code.__name__
        return code.__code__.co_filename, owner
    inner = getattr(type(code).__call__, "__code__", None)
    return getattr(inner, "co_filename", ""), type(code).__name__ if inner is not None else name


def _source_name(literals: Mapping[str, Any]) -> str:
    """Return a ``data_source`` that a function knows, for it may raise on others."""
    return str(next(iter(literals.get("sources", ())), "certify"))


def _extra(row: Row) -> dict[str, Any]:
    """Return what verl gives as ``extra_info``: the row's own, or the row."""
    own = row.get("extra_info")
    return dict(own) if isinstance(own, Mapping) else {"index": 0, "split": "train", **row}


def _digest(file: str) -> str:
    """Return the digest of a file's text, without other code that a function reaches."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except OSError:
        return "unknown"


def _one_of(together: Together) -> Call:
    def call(text: str, row: Row) -> Any:
        answer = together([text], [row])
        if len(answer) != 1:
            raise ValueError(f"{len(answer)} values for one completion")
        return answer[0]

    return call


def _positional(
    function: Callable[..., Any],
    parameters: Mapping[str, inspect.Parameter],
    source: str,
    *,
    reads_thinking: bool,
) -> Call:
    """Adapt a function of one completion, by its known parameter names, else in this order.

    One that looks for thinking in its ``response`` is written for all that the model wrote, and gets that.
    """
    named = [
        each
        for each in parameters.values()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    ]
    names = [each.name for each in named]
    rest = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    positional = any(each.kind is each.VAR_POSITIONAL for each in parameters.values())
    known = {*_RESPONSES, *_REFERENCES, "thinking", "messages", "prompt", "question", "data_source"}
    known |= {"extra_info"}
    strange = [each.name for each in named if each.name not in known and each.default is each.empty]
    roles = dict(zip(strange, _roles(named), strict=False))

    def call(text: str, row: Row) -> Any:
        split = split_completion(text)
        given: dict[str, Any] = {}
        for each in named:
            part = roles.get(each.name, each.name)
            if part == "response" and split is not None and not reads_thinking:
                given[each.name] = split.response
            elif part == "thinking" and split is not None:
                given[each.name] = split.thinking
            elif part == "messages":
                given[each.name] = [{"role": "assistant", "content": text}]
            elif part in _RESPONSES:
                given[each.name] = text
            elif part in row:
                given[each.name] = row[part]
            elif part in _REFERENCES:
                given[each.name] = row[REFERENCE]
            elif part == "question" and "prompt" in row:
                given[each.name] = row["prompt"]
            elif part == "data_source":
                given[each.name] = source
            elif part == "extra_info":
                given[each.name] = _extra(row)
            elif each.default is each.empty:
                raise TypeError(f"the rows have no column {each.name!r}")
        if not named and positional:
            return _plain(function(split.response if split is not None else text, row[REFERENCE]))
        if rest:
            given = {**_by_name(text, row, names), **row, **given}
        only = [each.name for each in named if each.kind is each.POSITIONAL_ONLY]
        return _plain(function(*[given.pop(name) for name in only], **given))

    return call


def _by_name(text: str, row: Row, names: Sequence[str]) -> dict[str, Any]:
    """Return completion and reference by their usual names, where a function names neither."""
    split, given = split_completion(text), {}
    if not set(names) & set(_RESPONSES):
        given = {"completion": text, "response": text if split is None else split.response}
    if not set(names) & set(_REFERENCES):
        given |= {"reference": row[REFERENCE], "ground_truth": row[REFERENCE]}
    return given


def _roles(named: Sequence[inspect.Parameter]) -> list[str]:
    """Return the roles of parameters with unknown names, in order: response and reference, if not named."""
    names = {each.name for each in named}
    roles = [] if names & set(_RESPONSES) else ["completion"]
    return roles if names & set(_REFERENCES) else [*roles, REFERENCE]


def _trl(function: Callable[..., Any], parameters: Mapping[str, inspect.Parameter]) -> Together:
    """Adapt a function in TRL's form, passing conversations where it expects them."""
    rest = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    chat = [False]

    def together(texts: Sequence[str], rows: Sequence[Row]) -> list[Any]:
        names = {name for row in rows for name in row}
        columns: dict[str, Any] = {name: [row.get(name) for row in rows] for name in names}
        columns["prompts"] = columns.get("prompt", [""] * len(texts))
        columns["completion_ids"] = [list(range(max(1, len(text) // CHARACTERS))) for text in texts]
        columns |= _OF_TRAINER
        for each in _REFERENCES:
            columns.setdefault(each, columns.get(REFERENCE))
        given = {name: value for name, value in columns.items() if rest or name in parameters}
        try:
            return list(waited_for(function(completions=_as_chat(texts, chat[0]), **given)))
        except (TypeError, KeyError, AttributeError):
            if chat[0]:
                raise
            answer = list(waited_for(function(completions=_as_chat(texts, True), **given)))
            chat[0] = True
            return answer

    return together


def _verl(
    function: Callable[..., Any], parameters: Mapping[str, inspect.Parameter], literals: Mapping[str, Any]
) -> Together:
    """Adapt a function in the form of verl's batches."""

    def together(texts: Sequence[str], rows: Sequence[Row]) -> list[Any]:
        columns: dict[str, Any] = {
            "data_sources": [row.get("data_source", _source_name(literals)) for row in rows],
            "solution_strs": list(texts),
            "ground_truths": [row[REFERENCE] for row in rows],
            "extra_infos": [_extra(row) for row in rows],
        }
        given = {name: value for name, value in columns.items() if name in parameters}
        return [_plain(each) for each in waited_for(function(**given))]

    return together


def _as_chat(texts: Sequence[str], chat: bool) -> list[Any]:
    return [[{"role": "assistant", "content": each}] for each in texts] if chat else list(texts)


def _plain(answer: Any) -> Any:
    """Return a verdict as its score and reason, and any other value unchanged, awaited if asynchronous."""
    answer = waited_for(answer)
    if isinstance(answer, Verdict):
        return (answer.score, answer.reason, None)
    return answer
