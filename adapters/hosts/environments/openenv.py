"""OpenEnv: a rubric that pays a recipe.

    SumsRubric = openenv_rubric("gsm8k_tags")

    class Sums(Environment):
        def __init__(self):
            super().__init__(rubric=SumsRubric())

and in ``step``: ``observation.reward = self._apply_rubric(action, observation)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..host import Host, Need, reward_of
from ..row_calls import RowCalls
from ..unscored import Policy

OPENENV = Host(
    "OpenEnv",
    frozenset({Need.PROMPT, Need.MESSAGES}),
    ("zero", "mask", "raise"),
    cures={Need.GROUP: "a rubric sees one action; use a reward that judges each completion by itself"},
)
_OF_THE_HOST = ("done", "reward", "metadata")
"""What every observation has, besides what its environment's author gave it."""

Written = Callable[[Any, Any], object]
"""What the model wrote, found in an action and the observation that came of it."""


class RecipeForward:
    """Mixin that `openenv_rubric` adds to OpenEnv's own class, with one subclass for each environment.

    ``last_row`` has the parts of the last reward as floats, ``unscored`` and ``fault`` among them; OpenEnv's
    own ``named_rubrics`` shows the parts under ``parts``.
    """

    calls: ClassVar[RowCalls]
    written: ClassVar[Any]
    part: ClassVar[Any]
    together: ClassVar[Any]

    def __init__(self) -> None:
        super().__init__()
        self.parts = self.together({name: self.part() for name in self.calls.reward.part_names()})
        self.last_row: dict[str, float] = {}

    def forward(self, action: Any, observation: Any) -> Any:
        """Return the reward of a completion."""
        return self._settled(self.calls.rows([self.written(action, observation)], [_row(observation)]))

    def _settled(self, payments: list[Payment]) -> float | None:
        values = payments[0].values()
        for name in self.parts:
            self.parts[name].last_score = values.get(name)
        self.last_row = self.calls.logs.row(payments[0])
        return self.calls.settled(payments).values[0]


class AsyncRecipeForward(RecipeForward):
    """The same for ``step_async``: the event loop goes on while a completion is judged."""

    async def forward(self, action: Any, observation: Any) -> float | None:
        """Return the reward of a completion."""
        rows = [_row(observation)]
        return self._settled(await self.calls.rows_async([self.written(action, observation)], rows))


class PartForward:
    """A part of a recipe in OpenEnv's ``named_rubrics``, with its value for the last action."""

    last_score: float | None

    def forward(self, action: Any, observation: Any) -> float | None:
        """Return the value that the rubric above computed."""
        return self.last_score


def openenv_rubric(
    recipe: str | Path | Reward,
    *,
    completion: str | Written = "message",
    columns: Mapping[str, str] | None = None,
    unscored: Policy | None = None,
    progress: float | None = None,
    asynchronous: bool = False,
) -> type[Any]:
    """Return a class of rubrics that pay a recipe; each environment gets one of its own.

    What the recipe reads besides the completion comes from the observation: from its fields, which the model
    is shown, and from its ``metadata``, which OpenEnv's server keeps to itself, and where references belong.
    Nothing is read from the action but what the model wrote. Actions of environments that step at the same
    time are judged together.

    Args:
        recipe: A recipe's name or file, or a reward.
        completion: The action's field that the model wrote, or a function of action and observation that
            returns it: text, or chat messages.
        columns: The recipe's columns by the names that the observation has for them.
        unscored: Policy for actions without a reward: "zero" (by default), "raise", or "mask": the reward is
            None, which OpenEnv's server and clients pass on, but on which `WeightedSum` and `Gate` fail.
        progress: The progress at which schedules are read; OpenEnv does not say how far training is.
        asynchronous: Make rubrics that are awaited, for ``step_async`` and ``_apply_rubric_async``.

    Raises:
        ConfigError: The reward cannot be paid in OpenEnv; the message has the cure.
        ImportError: OpenEnv is not installed.
    """
    from openenv.core.rubrics import Rubric, RubricDict

    made = {
        "calls": RowCalls(reward_of(recipe), OPENENV, unscored, columns=columns, progress=progress),
        "written": staticmethod(_field(completion) if isinstance(completion, str) else completion),
        "part": type("RecipePart", (PartForward, Rubric), {"__doc__": PartForward.__doc__}),
        "together": staticmethod(RubricDict),
        "__doc__": RecipeForward.__doc__,
    }
    steps = AsyncRecipeForward if asynchronous else RecipeForward
    return type("RecipeRubric", (steps, Rubric), made)


def _field(name: str) -> Written:
    def written(action: Any, observation: Any) -> object:
        if isinstance(action, str | list):
            return action
        try:
            return getattr(action, name)
        except AttributeError:
            fields = vars(action)
            raise ConfigError(
                f"{type(action).__name__} has no field {name!r}{nearest(name, fields)}; say which one the "
                f"model wrote: completion='FIELD', one of {', '.join(fields)}"
            ) from None

    return written


def _row(observation: Any) -> dict[str, Any]:
    """Return the columns of an observation; its metadata, which the model does not see, takes precedence."""
    if isinstance(observation, Mapping):
        return dict(observation)
    shown = {name: value for name, value in vars(observation).items() if name not in _OF_THE_HOST}
    return {**shown, **(getattr(observation, "metadata", None) or {})}
