"""Loading of the reward that a user names: its calling form, and the constants in its source.

A function's own source says what it looks for: texts, patterns, and numbers to compare with.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Batch, Reward, load_recipe
from reward_verifiers.rewards.tree.pay import Pay
from reward_verifiers.verifiers import ConfigError, Verdict, Verifier, split_completion
from reward_verifiers.verifiers.core import load, nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE
from reward_verifiers.verifiers.core.function_verifier import waited_for
from reward_verifiers.verifiers.metrics.text_metric import TextMetric

from ..serve.client import RewardClient

LONGEST = 120
"""Characters of a text that is taken; longer ones are prompts and documentation."""
MOST = 60
"""Texts and numbers of a file."""
_TAG = re.compile(r"<(\w{1,20})>")
_PATTERN = re.compile(r"[\\()\[\]{}*+?|^$.]")
_GROUP = re.compile(r"\((?:\?[:=!<]{1,2}|\?P<\w{1,20}>)?[^()]{0,60}\)[*+?]?")
_CLASS = re.compile(r"(?:\[[^\]]{0,40}\]|\\[dwsDWSb]|\.)(?:[*+?]\??|\{\d{0,4},?\d{0,4}\})?")


def literals_of(file: str, name: str) -> dict[str, Any]:
    """Return texts, tags and numbers in the code of a function, and in the code of its file that it uses.

    Args:
        file: Python source.
        name: The function's name.
    """
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    texts: dict[str, None] = {}
    numbers: dict[float, None] = {}
    tags: dict[str, None] = {}
    for node in _constants(_reached(tree, name)):
        if isinstance(node.value, str) and 0 < len(node.value.strip()) <= LONGEST:
            tags.update(dict.fromkeys(_TAG.findall(node.value)))
            texts.update(dict.fromkeys(_written(node.value)))
        elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
            numbers[float(node.value)] = None
    return {
        "texts": list(texts)[:MOST],
        "tags": list(tags)[:8],
        "lengths": [int(each) for each in numbers if 3 < each <= 5000 and each == int(each)][:MOST],
    }


def _reached(tree: ast.Module, name: str) -> list[ast.stmt]:
    """Return the statements of a file that a function uses, itself first; all where it is not found."""
    by_name: dict[str, ast.stmt] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            by_name[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            by_name.update({each.id: statement for each in targets if isinstance(each, ast.Name)})
    if name not in by_name:
        return list(tree.body)
    found = [by_name[name]]
    for statement in found:  # which grows on the way
        used = [each.id for each in ast.walk(statement) if isinstance(each, ast.Name)]
        found += [
            by_name[each] for each in dict.fromkeys(used) if each in by_name and by_name[each] not in found
        ]
    return found


def _constants(statements: list[ast.stmt]) -> Iterator[ast.Constant]:
    """Their constants, without documentation."""
    for statement in statements:
        quoted = {id(each.value) for each in ast.walk(statement) if isinstance(each, ast.Expr)}
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and id(node) not in quoted:
                yield node


def _written(text: str) -> Iterator[str]:
    """Yield a text, and a match if it is a pattern."""
    yield text
    if not _PATTERN.search(text):
        return
    plain = text
    for _ in range(3):  # groups within groups
        plain = _GROUP.sub(lambda found: _first(found.group()), plain)
    plain = _CLASS.sub(lambda found: _sample(found.group()), plain)
    plain = re.sub(r"\\(.)", r"\1", plain).replace("^", "").replace("$", "")
    plain = re.sub(r"(?<=.)[*+?](?!\w)", "", plain)
    if plain.strip() and plain != text:
        yield plain


def _first(group: str) -> str:
    """Return the text that a group of a pattern matches: its first choice."""
    if group.startswith(("(?=", "(?!", "(?<=", "(?<!")):
        return ""
    inner = re.sub(r"^\((?:\?:|\?P<\w{1,20}>)?|\)[*+?]?$", "", group)
    return inner.split("|")[0]


def _sample(kind: str) -> str:
    """Return a character that a class of a pattern matches."""
    if kind.startswith(r"\s"):
        return " "
    if kind.startswith((r"\d", "[0-9", "[-+", "[-", r"[\d", "[+")):
        return "1"
    if kind.startswith(r"\b"):
        return ""
    if kind.startswith(("[^", r"\w", ".", "[a", r"\D", r"\S", r"[\s")):
        return "a"
    return kind[1:2] if kind.startswith("[") else "a"


CHARACTERS = 4
"""Characters of a token, for rewards that count tokens: there is no tokenizer here."""
Row = Mapping[str, Any]
Call = Callable[[str, Row], Any]
Together = Callable[[Sequence[str], Sequence[Row]], list[Any]]

_RESPONSES = ("response", "completion", "solution_str", "predict_str", "prediction", "output", "text")
_REFERENCES = ("reference", "ground_truth", "answer", "gold", "target", "label", "solution", "expected")


@dataclass(frozen=True)
class Loaded:
    """A reward, as it is called here.

    Args:
        call: Pays one completion.
        together: Pays several in one call, where the reward takes several.
        file: The user's file, whose lines can be followed; empty for what is typed.
        about: What it is, as plain data.
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
    if not callable(found):
        raise ConfigError(f"{spec}: {name} is neither a reward nor a verifier nor a function: {found!r:.60}")
    return _function(found, name)


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
    code = inspect.unwrap(function)
    file = getattr(getattr(code, "__code__", None), "co_filename", "")
    literals = literals_of(file, getattr(code, "__name__", name)) if os.path.isfile(file) else {}
    call: Call
    together: Together | None = None
    if "completions" in parameters:
        kind, together = "trl", _trl(function, parameters)
        call = _one_of(together)
    else:
        thinking = any("think" in text for text in literals.get("texts", ()))
        kind, call = "function", _positional(function, parameters, reads_thinking=thinking)
    about = {
        "kind": kind,
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
    function: Callable[..., Any], parameters: Mapping[str, inspect.Parameter], *, reads_thinking: bool
) -> Call:
    """Adapt a function of one completion, by its known parameter names, else in this order.

    One that looks for thinking in its ``response`` is written for all that the model wrote, and gets that.
    """
    named = [
        each
        for each in parameters.values()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    ]
    rest = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    known = {*_RESPONSES, *_REFERENCES, "thinking", "messages", "prompt", "question", "data_source"}
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
                given[each.name] = "certify"
            elif each.default is each.empty:
                raise TypeError(f"the rows have no column {each.name!r}")
        if rest:
            given.update({name: value for name, value in row.items() if name not in given})
        only = [each.name for each in named if each.kind is each.POSITIONAL_ONLY]
        return _plain(function(*[given.pop(name) for name in only], **given))

    return call


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


def _as_chat(texts: Sequence[str], chat: bool) -> list[Any]:
    return [[{"role": "assistant", "content": each}] for each in texts] if chat else list(texts)


def _plain(answer: Any) -> Any:
    """Return a verdict as its score and reason, and any other value unchanged, awaited if asynchronous."""
    answer = waited_for(answer)
    if isinstance(answer, Verdict):
        return (answer.score, answer.reason, None)
    return answer
