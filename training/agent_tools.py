"""Tools and environments of a run: found, checked, given their rows, and used outside the trainer."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from .config import RunConfig
from .config.config_files import imported
from .data import Row
from .generation import Generated, Sampling, TransformersBackend

NEEDED = {"tools": (5, 0), "environment_factory": (5, 2)}
"""The transformers that each needs, for TRL to work with it."""
OWN = ("reset", "get_reward")
"""Methods of an environment that are no tools."""


@dataclass(frozen=True)
class GivenTools:
    """Tools for a run's completions.

    Args:
        tools: Functions for every row.
        environments: Makes an environment; several by name, for the column ``environment`` to choose from.
        rollout: Generates in the trainer's place.
    """

    tools: Sequence[Callable[..., Any]] = ()
    environments: Callable[[], Any] | Mapping[str, Callable[[], Any]] | None = None
    rollout: Callable[..., Any] | None = None

    def __bool__(self) -> bool:
        return bool(self.tools or self.environments or self.rollout)

    @property
    def calls(self) -> bool:
        """Whether completions call tools."""
        return bool(self.tools or self.environments)

    def environment(self, row: Mapping[str, Any]) -> Any:
        """Return a new environment for a row; None without one."""
        if isinstance(self.environments, Mapping):
            return self.environments[str(row.get("environment"))]()
        return None if self.environments is None else self.environments()

    def of(self, environment: Any) -> list[Callable[..., Any]]:
        """Return the tools of a row with this environment."""
        return [*self.tools, *([] if environment is None else tool_methods(environment))]


def tool_methods(environment: Any) -> list[Callable[..., Any]]:
    """Return the methods of an environment that are tools, as TRL finds them."""
    return [
        getattr(environment, name)
        for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)
        if name not in OWN and not name.startswith("_")
    ]


def given_tools(config: RunConfig) -> GivenTools:
    """Return the tools that a configuration names.

    Raises:
        ConfigError: One of them cannot be imported, or is no function.
    """
    factory = config.environment_factory
    made = (
        {name: _callable(path, f"environment_factory.{name}") for name, path in factory.items()}
        if isinstance(factory, Mapping)
        else None if factory is None else _callable(factory, "environment_factory")
    )  # fmt: skip
    rollout = None if config.rollout_func is None else _callable(config.rollout_func, "rollout_func")
    return GivenTools([_callable(path, "tools") for path in config.tools], made, rollout)


def _callable(path: str, key: str) -> Callable[..., Any]:
    if ":" not in path:
        module, _, name = path.rpartition(".")
        path = f"{module}:{name}"
    found = imported(path, key)
    if not callable(found):
        raise ConfigError(f"{key}: {path} is no function or class, but {found!r:.80}")
    function: Callable[..., Any] = found
    return function


def check_tools(kind: str, config: RunConfig, given: GivenTools, tokenizer: Any, rows: Sequence[Row]) -> None:
    """Refuse tools that TRL would refuse later, or would silently mishandle.

    Args:
        kind: Kind of the stage.
        config: Its configuration.
        given: Inputs that it names.
        tokenizer: The model's; how its calls are read is set where that is known.
        rows: With their prompts.

    Raises:
        ConfigError: Something is missing; the message says what cures it.
    """
    if not given:
        return
    keys = [key for key in ("tools", "environment_factory", "rollout_func") if getattr(config, key)]
    if kind != "grpo":
        raise ConfigError(f"{keys[0]}: TRL has it for grpo only, and this stage is {kind}; leave it out")
    trainer = require("trl", extra="train").GRPOTrainer
    for key in keys:
        if key not in inspect.signature(trainer.__init__).parameters:
            raise ConfigError(
                f"{key}: GRPOTrainer of trl {version('trl')} does not take it; pip install --upgrade trl"
            )
        installed = tuple(int(part) for part in version("transformers").split(".")[:2])
        if installed < NEEDED.get(key, installed):
            wanted = ".".join(map(str, NEEDED[key]))
            raise ConfigError(
                f"{key}: needs transformers {wanted} or newer, and {version('transformers')} is installed; "
                "pip install --upgrade transformers"
            )
    for other in ("dynamic_sampling", "group_size", "steps"):
        if getattr(config, other) is not None:
            raise ConfigError(f"{other} does not work with {keys[0]}; leave one of them out")
    if given.calls:
        _check_calls(config, given, tokenizer, rows)


def _check_calls(config: RunConfig, given: GivenTools, tokenizer: Any, rows: Sequence[Row]) -> None:
    key = "tools" if given.tools else "environment_factory"
    if any(isinstance(row["prompt"], str) for row in rows):
        raise ConfigError(
            f"{key}: tools are offered by a chat template, and the prompts are plain text; set data.format: "
            "chat, and model.chat_template if the tokenizer has none"
        )
    if config.model.special_tokens:
        raise ConfigError(
            f"model.special_tokens: with {key} completions are messages, whose calls are read already; "
            "leave it out"
        )
    set_response_template(tokenizer, key)
    for row in rows:
        name = row.get("environment")
        if isinstance(given.environments, Mapping) and name not in given.environments:
            known = [str(each) for each in given.environments]
            raise ConfigError(
                f"environment_factory: a row's column 'environment' is {name!r:.60}, and there are "
                f"{', '.join(known)}{nearest(str(name), known)}"
            )
    many = given.environments.values() if isinstance(given.environments, Mapping) else [given.environments]
    for factory in many:
        environment = None if factory is None else factory()
        if environment is not None and not callable(getattr(environment, "reset", None)):
            raise ConfigError(
                f"environment_factory: {type(environment).__name__} has no method reset(**row), which "
                f"starts a row and "
                "clears the previous one's state"
            )
        _check_described(given.of(environment), key)


def _check_described(tools: Sequence[Callable[..., Any]], key: str) -> None:
    if not tools:
        raise ConfigError(f"{key}: there is no tool: every public method besides reset and get_reward is one")
    from transformers.utils import get_json_schema

    for tool in tools:
        try:
            get_json_schema(tool)
        except Exception as error:
            raise ConfigError(
                f"{key}: {getattr(tool, '__name__', tool)}: {' '.join(str(error).split())[:200]} (a tool has "
                "annotations, and a docstring with a line for each argument under Args:)"
            ) from None


def set_response_template(tokenizer: Any, key: str = "tools") -> None:
    """Ensure that a tokenizer renders tools and reads calls.

    Raises:
        ConfigError: Its chat template renders no calls, or nobody knows how they are read.
    """
    require("trl", extra="train")
    from trl.chat_template_utils import add_response_schema, supports_tool_calling

    if not supports_tool_calling(tokenizer):
        raise ConfigError(
            f"{key}: the model's chat template does not render tool "
            "calls and results; choose a model whose template does, such as Qwen/Qwen3-0.6B, or set "
            "model.chat_template to a file with one"
        )
    if any(getattr(tokenizer, name, None) for name in ("response_template", "response_schema")):
        return
    try:
        add_response_schema(tokenizer)
    except ValueError:
        raise ConfigError(
            f"{key}: TRL does not know how calls of this chat template are read; write response_template "
            "into the model's tokenizer_config.json (transformers: chat response parsing), or take a "
            "template that TRL knows, such as that of Qwen/Qwen3-0.6B"
        ) from None


MOST_TURNS = 32
"""Turns of a conversation, where the configuration does not limit them."""


@dataclass
class _Rollout:
    """A conversation in progress."""

    prompt: list[dict[str, Any]]
    environment: Any
    tools: list[Any]
    name: str
    start: int = 0
    said: list[dict[str, Any]] = field(default_factory=list)
    used: int = 0
    over: bool = False
    finished: bool = False


@dataclass
class ToolBackend:
    """Completions of a model that calls tools, with their conversations and environments.

    Turns are generated and calls answered as TRL's GRPOTrainer does it: a tool that is missing or raises
    answers with its error, and all turns together have `Sampling.max_tokens`, what tools say included.

    Args:
        inner: Generates turns.
        given: The tools.
        turns: Most turns with calls; None for `MOST_TURNS`.
    """

    inner: TransformersBackend
    given: GivenTools
    turns: int | None = None

    def generate(self, prompts: Sequence[Any], sampling: Sampling) -> Iterator[list[Generated]]:
        """See `Backend.generate`; for environments, which need rows, there is `converse`."""
        return self.converse([{"prompt": prompt} for prompt in prompts], sampling)

    def converse(self, rows: Sequence[Row], sampling: Sampling) -> Iterator[list[Generated]]:
        """Draw completions of rows.

        Returns:
            `sampling.k` completions for each row, in order.
        """
        window = max(1, self.inner.batch_size // sampling.k)
        for start in range(0, len(rows), window):
            ahead = rows[start : start + window]
            rollouts = [self._begin(row) for row in ahead for _ in range(sampling.k)]
            self._play(rollouts, replace(sampling, k=1, seed=(sampling.seed + start) % 2**31))
            done = [
                Generated(
                    str(each.said[-1].get("content") or "") if each.said else "",
                    each.used,
                    each.finished,
                    messages=tuple(each.said),
                    environment=each.environment,
                )
                for each in rollouts
            ]
            for place in range(0, len(done), sampling.k):
                yield done[place : place + sampling.k]

    def _begin(self, row: Row) -> _Rollout:
        environment = self.given.environment(row)
        prompt = [dict(message) for message in row["prompt"]]
        if environment is not None:
            told = environment.reset(**row)
            if told is not None:
                prompt[-1]["content"] += told
        name = str(row.get("environment")) if isinstance(self.given.environments, Mapping) else ""
        rollout = _Rollout(prompt, environment, self.given.of(environment), name)
        rollout.start = len(self._ids(rollout))
        return rollout

    def _ids(self, rollout: _Rollout) -> list[int]:
        found: list[int] = self.inner.tokenizer.apply_chat_template(
            [*rollout.prompt, *rollout.said],
            tools=rollout.tools,
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            **self.inner.chat_template_kwargs,
        )["input_ids"]
        return found

    def _play(self, rollouts: list[_Rollout], sampling: Sampling) -> None:
        most = MOST_TURNS if self.turns is None else self.turns
        for turn in range(most + 1):
            playing = [each for each in rollouts if not each.over]
            for name in dict.fromkeys(each.name for each in playing):
                self._turn([each for each in playing if each.name == name], sampling, turn == most)
            sampling = replace(sampling, seed=(sampling.seed + 7919) % 2**31)

    def _turn(self, rollouts: list[_Rollout], sampling: Sampling, last: bool) -> None:
        left = [sampling.max_tokens - each.used for each in rollouts]
        kwargs = {**self.inner.chat_template_kwargs, "tools": rollouts[0].tools}
        backend = replace(self.inner, chat_template_kwargs=kwargs, read=self._raw)
        prompts = [[*each.prompt, *each.said] for each in rollouts]
        generated = list(backend.generate(prompts, replace(sampling, max_tokens=max(left))))
        for rollout, [one], tokens in zip(rollouts, generated, left, strict=True):
            ids = self.inner.tokenizer(one.text, add_special_tokens=False)["input_ids"]
            message = self._read(rollout, ids[:tokens])
            rollout.said.append(message)
            calls = message.get("tool_calls") or []
            rollout.used += min(one.tokens, tokens)
            rollout.finished = one.finished and one.tokens <= tokens
            rollout.over = not calls or last or not rollout.finished
            if not rollout.over:
                self._answer(rollout, calls, sampling.max_tokens)

    def _answer(self, rollout: _Rollout, calls: Sequence[Mapping[str, Any]], most: int) -> None:
        before = len(rollout.said)
        rollout.said += [_told(rollout.tools, call["function"]) for call in calls]
        used = len(self._ids(rollout)) - rollout.start
        if used >= most:  # what tools say does not fit, and the completion ends with the calls
            del rollout.said[before:]
            rollout.over, rollout.finished = True, False
        else:
            rollout.used = used

    def _raw(self, ids: Sequence[int]) -> str:
        """Return a turn's text with the marks of its calls."""
        tokenizer = self.inner.tokenizer
        kept = list(ids)
        while kept and kept[-1] in (tokenizer.eos_token_id, tokenizer.pad_token_id):
            kept.pop()
        return str(tokenizer.decode(kept, skip_special_tokens=False))

    def _read(self, rollout: _Rollout, ids: list[int]) -> dict[str, Any]:
        from trl.chat_template_utils import parse_response

        takes = inspect.signature(parse_response).parameters
        given = {"prefix": self._ids(rollout), "tools": rollout.tools}
        known = {name: value for name, value in given.items() if name in takes}
        message: dict[str, Any] = parse_response(self.inner.tokenizer, ids, **known)
        return message


def _told(tools: Sequence[Any], function: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool's reply to a call, as a message."""
    name = function["name"]
    tool = next((each for each in tools if each.__name__ == name), None)
    try:
        if tool is None:
            raise ValueError(f"Tool {name} not found.")
        result = tool(**function["arguments"])
        if inspect.iscoroutine(result):
            result = asyncio.run(result)
    except Exception as error:
        result = {"error": str(error)}
    return {"role": "tool", "name": name, "content": result if isinstance(result, list) else str(result)}


Factory = Callable[[], Any]


def with_rows(
    environments: Factory | Mapping[str, Factory] | None, rows: Sequence[Row]
) -> Factory | dict[str, Factory] | None:
    """Return the same environments, whose `reset` gets all columns of the row.

    The trainer's data set holds prompts and row numbers only, since an Arrow table changes what rows hold.
    """
    if environments is None:
        return None
    if isinstance(environments, Mapping):
        return {name: _made(factory, rows) for name, factory in environments.items()}
    return _made(environments, rows)


def _made(factory: Factory, rows: Sequence[Row]) -> Factory:
    kinds: dict[type, type] = {}

    def make() -> Any:
        environment = factory()
        kind = type(environment)
        # One class for all: TRL tells environments apart by it, and finds tools on it.
        environment.__class__ = kinds.setdefault(kind, _reading(kind, rows))
        return environment

    return make


def _reading(kind: type, rows: Sequence[Row]) -> type:
    reset = kind.reset  # type: ignore[attr-defined]

    @functools.wraps(reset)
    def of_row(self: Any, **given: Any) -> Any:
        return reset(self, **{**rows[given["row"]], "prompt": given["prompt"]})

    # No slots of its own, so that an instance of the class can become one of this.
    return type(kind.__name__, (kind,), {"reset": of_row, "__slots__": (), "__doc__": kind.__doc__})
