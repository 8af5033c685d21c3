"""Recipes as scorers of inspect_ai, in evaluations and for logs that are there already.

    Task(dataset=..., solver=generate(), scorer=recipe("gsm8k_tags"))

    inspect score LOG --scorer reward_verifiers/recipe -S recipe=gsm8k_tags

inspect_ai is imported when a scorer is made, or when it looks for this one itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.rewards.recipe.load import to_recipe
from reward_verifiers.verifiers import ConfigError, Verifier
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, STAND_INS

from ..host import Host, Need, Recipe, reward_of
from ..unscored import Policy, is_fault, why
from .evaluator_rows import EvaluatedRows


def model_messages(state: Any) -> list[Mapping[str, Any]]:
    """Return the conversation from the model's first message on, ending in its answer.

    Messages of the input are no words of the model's, examples with an assistant's answers included. What
    solvers put in place of an answer (``state.output``) is the answer, as for inspect_ai's own scorers.
    """
    own = _own(state.messages, state.input)
    found = [_message(message) for message in own]
    if getattr(state.output, "choices", None):
        answered = state.output.completion
        said = next((message for message in reversed(own) if message.role == "assistant"), None)
        if said is None or said.text != answered:
            found.append(_message(state.output.message) if said is None else _text(answered))
    return found or [_text("")]


def _own(messages: Sequence[Any], asked: Any) -> Sequence[Any]:
    given = set() if isinstance(asked, str) else {message.id for message in asked} - {None}
    start = 0
    for place, message in enumerate(messages):
        if message.source == "input" or message.id in given:
            start = place + 1
    while start < len(messages) and messages[start].role != "assistant":
        start += 1
    return messages[start:]


def _text(text: str) -> Mapping[str, Any]:
    return {"role": "assistant", "content": text}


def _message(message: Any) -> Mapping[str, Any]:
    found: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == "tool":
        if message.tool_call_id:
            found["tool_call_id"] = message.tool_call_id
        if message.function:
            found["name"] = message.function
    if message.role != "assistant":
        return found
    thinking = _thinking(message.content)
    if thinking:
        found["reasoning_content"] = thinking
    if message.tool_calls:
        found["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    return found


def _thinking(content: Any) -> str:
    """Return the thinking that a provider passed on; redacted thinking has only a summary."""
    if isinstance(content, str):
        return ""
    parts = [part for part in content if part.type == "reasoning"]
    return "".join((part.summary or "") if part.redacted else part.reasoning for part in parts)


HOST = Host(
    "inspect_ai",
    frozenset({Need.PROMPT, Need.MESSAGES}),
    ("mask", "zero", "raise"),
    cures={
        Need.GROUP: "inspect_ai scores each epoch of a sample by itself; use a reward that judges each "
        "completion by itself, and an epochs reducer such as pass_at for several",
        Need.TOKENS: "measure lengths with unit='characters' or unit='words'",
    },
)


def recipe(
    recipe: Recipe, *, columns: Mapping[str, str] | None = None, unscored: Policy | None = None
) -> Any:
    """Return a scorer of inspect_ai that pays by a recipe.

    A score has ``reward`` and every part of the recipe; a row without a reward is unscored. The references
    are the samples' targets, or a column of their metadata where they have none; all metadata are columns.

    Args:
        recipe: A preset's name, a recipe file, a verifier's name, a reward or a verifier.
        columns: The recipe's columns by the names that the samples' metadata have, such as
            ``{"answer": "solution"}``.
        unscored: ``mask`` (the default), ``zero``, or ``raise``, which fails the sample.

    Raises:
        ConfigError: The recipe cannot be read or paid here, or inspect_ai is too old.
    """
    # A log holds what a scorer was made of: as data, so that it can be made again from the log.
    if isinstance(recipe, Reward | Verifier):
        recipe = _as_data(reward_of(recipe))
    options = {name: value for name, value in (("columns", columns), ("unscored", unscored)) if value}
    return _registered()(recipe if isinstance(recipe, Mapping | Reward) else str(recipe), **options)


class SampleScorer:
    """Scorer of the state of a sample."""

    def __init__(
        self, recipe: Recipe, columns: Mapping[str, str] | None = None, unscored: Policy | None = None
    ) -> None:
        self.rows = EvaluatedRows(recipe, HOST, columns, unscored)

    def fields(self, state: Any, target: Sequence[str]) -> dict[str, Any]:
        """Return the fields of a sample's `Score`, without ``value`` where it is unscored.

        Args:
            state: inspect_ai's `TaskState`.
            target: Its `Target`.
        """
        payment = self.rows.pay(model_messages(state), row_of(state, target))
        values = self.rows.values(payment)
        fields: dict[str, Any] = {
            "answer": _extracted(payment),
            "explanation": str(payment) if payment.value is not None else f"{why(payment)}\n{payment}",
            "metadata": {"verdicts": _verdicts(payment)},
        }
        if payment.value is None:
            # One of its own codes: what is to blame is neither the model nor its answer.
            fields["reason"] = "scoring_failed" if is_fault(payment) else _code(payment)
        if values["reward"] is None:
            return fields
        # The names are the same in all scores, as its reducers want; what is NaN they leave out.
        value = {name: float("nan") if each is None else each for name, each in values.items()}
        return {"value": value, **fields}


def row_of(state: Any, target: Sequence[str]) -> dict[str, Any]:
    """Return the columns of a sample: its metadata, its target as the reference, its input as the prompt."""
    row = dict(state.metadata or {})
    texts = [text for text in target if text.strip()]
    if texts or not any(name in row for name in (REFERENCE, *STAND_INS)):
        # Several targets are several accepted answers.
        row[REFERENCE] = texts if len(texts) > 1 else "".join(texts)
    asked = state.input
    row["prompt"] = asked if isinstance(asked, str) else [_question(message) for message in asked]
    return row


def _question(message: Any) -> dict[str, str]:
    return {"role": message.role, "content": message.text}


def _as_data(reward: Reward) -> Recipe:
    try:
        return to_recipe(reward)
    except ConfigError:  # functions of the user's own, which no recipe can name
        return reward


def _extracted(payment: Payment) -> str | None:
    return next((each.extracted for each in payment.verdicts if each.extracted is not None), None)


def _verdicts(payment: Payment) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, verdict in payment.judged():
        found.setdefault(name, verdict.to_dict())
    return found


def _code(payment: Payment) -> str:
    return next((each.reason for each in payment.verdicts if each.score is None), "no_reward")


@cache
def _registered() -> Any:
    """Return the scorer as inspect_ai knows it, by the name reward_verifiers/recipe."""
    import anyio.to_thread
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState

    if not hasattr(Score, "unscored"):
        raise ConfigError("this inspect_ai has no Score.unscored for rows without a reward; upgrade it")

    def recipe(recipe: Any, columns: dict[str, str] | None = None, unscored: Policy | None = None) -> Scorer:
        judge = SampleScorer(recipe, columns, unscored)

        async def score(state: TaskState, target: Target) -> Score:
            fields = await anyio.to_thread.run_sync(
                partial(judge.fields, state, target), abandon_on_cancel=True
            )
            return Score(**fields) if "value" in fields else Score.unscored(**fields)

        return score

    recipe.__doc__ = SampleScorer.__doc__
    # inspect_ai looks for a name with a slash among the entry points, by what is before it. It would put the
    # package of an installed function there by itself, and nothing for one that runs from a source tree.
    recipe.__module__ = "reward_verifiers.scorers"
    return scorer(metrics={"*": [mean(), stderr()]}, name="reward_verifiers/recipe")(recipe)


def __getattr__(name: str) -> Any:
    """Return the attribute that the entry point loads, registering the scorer."""
    if name == "registered":
        return _registered()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
