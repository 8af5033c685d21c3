"""The tools, environments and rollout function that a configuration names, and whether they can work."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..config import RunConfig
from ..config.user_functions import imported
from ..data import Row

NEEDED = {"tools": (5, 0), "environment_factory": (5, 2)}
"""The transformers that each needs, for TRL to work with it."""
OWN = ("reset", "get_reward")
"""Methods of an environment that are no tools."""


@dataclass(frozen=True)
class GivenTools:
    """What a run's completions can use.

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
        """A new environment for a row; None without one."""
        if isinstance(self.environments, Mapping):
            return self.environments[str(row.get("environment"))]()
        return None if self.environments is None else self.environments()

    def of(self, environment: Any) -> list[Callable[..., Any]]:
        """The tools of a row with this environment."""
        return [*self.tools, *([] if environment is None else tool_methods(environment))]


def tool_methods(environment: Any) -> list[Callable[..., Any]]:
    """The methods of an environment that are tools, as TRL finds them."""
    return [
        getattr(environment, name)
        for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)
        if name not in OWN and not name.startswith("_")
    ]


def given_tools(config: RunConfig) -> GivenTools:
    """What a configuration names.

    Raises:
        ConfigError: It cannot be imported, or is no function.
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
    """Refuse what TRL would refuse later, or would do without a word.

    Args:
        kind: Of the stage.
        config: Its configuration.
        given: What it names.
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
            "chat, and model.chat_template where the tokenizer has none"
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
                f"environment_factory: {type(environment).__name__} has no method reset(**row), which begins "
                "a row and clears what the previous row left"
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
    """See to it that a tokenizer renders tools and reads calls.

    Raises:
        ConfigError: Its chat template renders no calls, or nobody knows how they are read.
    """
    require("trl", extra="train")
    from trl.chat_template_utils import add_response_schema, supports_tool_calling

    if not supports_tool_calling(tokenizer):
        raise ConfigError(
            f"{key}: the model's chat template does not render calls and what tools say; take a model whose "
            "template does, such as Qwen/Qwen3-0.6B, or set model.chat_template to a file with one"
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
