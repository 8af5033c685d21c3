"""Recipes in lm-eval's tasks: ``process_results`` for rewards, a filter for majority votes.

    process_results: !function adapters.hosts.evaluators.lm_eval.gsm8k_tags
    metric_list:
      - {metric: reward, aggregation: mean, higher_is_better: true}
      - {metric: unscored, aggregation: mean, higher_is_better: false}

A preset or a verifier is named so; whatever else takes a line in a Python file beside the task,
``process_results = recipe_results("mine.yaml", columns={"answer": "gold"})``. lm-eval is not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from reward_verifiers.rewards import preset_names
from reward_verifiers.rewards.select.vote import majority as vote
from reward_verifiers.verifiers import ConfigError, Verifier
from reward_verifiers.verifiers.core import verifier_names

from ..host import Host, Need, Recipe
from ..unscored import Policy
from .evaluator_rows import EvaluatedRows

_CURES = {
    Need.GROUP: "repeats of a document are judged one by one; use a reward that judges each completion "
    "by itself",
    Need.PROMPT: "lm-eval passes the document and not the prompt: name its column, "
    'columns={"prompt": "question"}',
    Need.MESSAGES: "lm-eval passes the text of a completion; use a reward that reads the completion alone",
    Need.TOKENS: "measure lengths with unit='characters' or unit='words'",
}
_POLICIES: tuple[Policy, ...] = ("drop", "zero", "raise")
HOST = Host("lm-eval", frozenset(), _POLICIES, cures=_CURES)
HOST_WITH_PROMPT = Host("lm-eval", frozenset({Need.PROMPT}), _POLICIES, cures=_CURES)


class RecipeResults:
    """A ``process_results`` for lm-eval, made by `recipe_results`."""

    def __init__(
        self, recipe: Recipe, columns: Mapping[str, str] | None = None, unscored: Policy | None = None
    ) -> None:
        host = HOST_WITH_PROMPT if "prompt" in (columns or {}) else HOST
        self.rows = EvaluatedRows(recipe, host, columns, unscored)

    def __call__(self, doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
        """Return the metrics of a document.

        Args:
            doc: Its columns.
            results: Result of the filters: one completion or several, whose mean is the document's value.

        Raises:
            ConfigError: The first document cannot be judged as it is set up.
            UnscoredError: A completion has no reward, and that is to raise.
        """
        payments = [self.rows.pay(each, doc) for each in _completions(results)]
        # A metric that a document leaves out counts for nothing in lm-eval's mean and its error.
        return {name: value for name, value in self.rows.means(payments).items() if value is not None}

    def __repr__(self) -> str:
        return f"<{self.rows.reward.describe()}>"


def recipe_results(
    recipe: Recipe, *, columns: Mapping[str, str] | None = None, unscored: Policy | None = None
) -> RecipeResults:
    """Return a ``process_results`` for lm-eval that pays by a recipe.

    Its metrics are ``reward``, every part of the recipe, and the shares ``unscored`` and ``fault``. The
    references are the document's ``answer``, or the column that stands for it.

    Args:
        recipe: A preset's name, a recipe file, a verifier's name, a reward or a verifier.
        columns: The recipe's columns by the names that the documents have, such as ``{"answer": "gold"}``.
        unscored: ``drop`` (the default): a document without a reward is in no mean. ``zero``, or ``raise``.

    Raises:
        ConfigError: The recipe cannot be read, or paid in lm-eval; the message has the cure.
    """
    return RecipeResults(recipe, columns, unscored)


def majority(
    resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]], verifier: Verifier | None = None
) -> list[list[str]]:
    r"""Filter ``repeats``: keep, of each document's completions, one with the most common answer.

        filter: [{function: custom, filter_fn: !function adapters.hosts.evaluators.lm_eval.majority}]

    Answers vote together if they are equal, however they are written; nothing is known of the reference.
    Where no completion has an answer, the first stands.

    Args:
        resps: The completions of each document.
        docs: The documents; they are not read.
        verifier: Finds answers and compares them; `MathEquivalence` by default.

    >>> majority([[r"\boxed{3}", r"\boxed{\frac12}", "The answer is 0.5."]], [{}])
    [['\\boxed{\\frac12}']]
    """
    winners = []
    for completions in resps:
        winner = vote(completions, verifier).winner
        winners.append([completions[winner or 0]])
    return winners


def majority_by(verifier: Verifier) -> Callable[..., list[list[str]]]:
    """Return the filter `majority` with another verifier than `MathEquivalence`.

    Args:
        verifier: Finds answers and compares them, such as `MultipleChoice`.
    """

    def by(resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
        return majority(resps, docs, verifier)

    return by


def _completions(results: Sequence[Any]) -> list[str]:
    """Return the texts generated for a document: one request, whose filtered answer is one or several."""
    found: list[str] = []
    for each in results:
        if isinstance(each, str):
            found.append(each)
        elif isinstance(each, list | tuple) and all(isinstance(text, str) for text in each):
            found.extend(each)
        else:
            raise ConfigError(
                f"a recipe judges generated text, and lm-eval passes {each!r:.60}: it needs "
                "output_type: generate_until, and filters that leave text"
            )
    return found


@cache
def _named(name: str) -> RecipeResults:
    return recipe_results(name)


def __getattr__(name: str) -> Any:
    """Return a preset or a verifier by its name, as a task's YAML file can ask for it."""
    if name in preset_names() or name in verifier_names():
        return _named(name)
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}, and no preset or verifier has that name"
    )
