"""Recipes as metrics of lighteval.

    LightevalTaskConfig(name=..., metrics=[recipe_metric("gsm8k_tags")], ...)

lighteval is imported when a metric is made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE

from ..host import Host, Need, Recipe
from ..unscored import FAULT, UNSCORED, Policy
from .evaluator_rows import EvaluatedRows

HOST = Host(
    "lighteval",
    frozenset({Need.PROMPT, Need.TOKENS}),
    ("mask", "zero", "raise"),
    cures={
        Need.GROUP: "lighteval's samples of a document are judged one by one; use a reward that judges each "
        "completion by itself",
        Need.MESSAGES: "lighteval passes the text of a completion; use a reward that reads the completion "
        "alone",
    },
)


def recipe_metric(
    recipe: Recipe, *, columns: Mapping[str, str] | None = None, unscored: Policy | None = None
) -> Any:
    """Return a metric of lighteval that pays by a recipe.

    It is a grouping of ``reward``, every part of the recipe, and the shares ``unscored`` and ``fault``. The
    references are the documents' golds; the columns in ``Doc.specific`` are the recipe's.

    Args:
        recipe: A preset's name, a recipe file, a verifier's name, a reward or a verifier.
        columns: The recipe's columns by the names in ``Doc.specific``, such as ``{"answer": "gold"}``.
        unscored: ``mask`` (the default): a document without a reward is NaN, and in no mean. ``zero``, or
            ``raise``.

    Raises:
        ConfigError: The recipe cannot be read, or paid in lighteval; the message has the cure.
    """
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
    from lighteval.tasks.requests import SamplingMethod

    documents = DocumentValues(recipe, columns, unscored)

    class RecipeComputation(SampleLevelComputation):  # type: ignore[misc]
        def __init__(self) -> None:
            self.recipe = documents.rows.reward.describe()

        def compute(self, doc: Any, model_response: Any, **_: Any) -> dict[str, float]:
            return documents(doc, model_response)

    names = [*documents.rows.names, UNSCORED, FAULT]
    return SampleLevelMetricGrouping(
        metric_name=names,
        higher_is_better={name: name not in (UNSCORED, FAULT) for name in names},
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=RecipeComputation(),
        corpus_level_fn=dict.fromkeys(names, over_scored),
    )


class DocumentValues:
    """The values of a document, whose samples are judged one by one; their mean is the document's."""

    def __init__(
        self, recipe: Recipe, columns: Mapping[str, str] | None = None, unscored: Policy | None = None
    ) -> None:
        self.rows = EvaluatedRows(recipe, HOST, columns, unscored)

    def __call__(self, doc: Any, response: Any) -> dict[str, float]:
        """Return the values, NaN where there are none.

        Raises:
            ConfigError: The first document cannot be judged as it is set up.
            UnscoredError: A completion has no reward, and that is to raise.
        """
        row = _row(doc)
        payments = [
            self.rows.pay(completion, {**row, **_tokens(response, place)})
            for place, completion in enumerate(_completions(response))
        ]
        means = self.rows.means(payments)
        return {name: math.nan if value is None else value for name, value in means.items()}


# lighteval takes whatever has "mean" in its name for a mean without NaN, whose error has a closed form.
def over_scored(values: Sequence[float]) -> float:
    """Return the mean of all values but NaN; NaN if there are none.

    >>> over_scored([1.0, float("nan"), 0.0])
    0.5
    """
    known = [float(value) for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def _row(doc: Any) -> dict[str, Any]:
    row = dict(doc.specific) if isinstance(doc.specific, Mapping) else {}
    golds = [str(gold) for gold in doc.get_golds()] if doc.choices else []
    if golds:  # else `specific` may hold the reference
        row[REFERENCE] = golds if len(golds) > 1 else golds[0]  # several are several accepted answers
    row["prompt"] = doc.original_query or doc.query
    return row


def _completions(response: Any) -> list[object]:
    """Return each sample as the model wrote it, with reasoning that came apart from it."""
    thoughts = list(response.reasonings or [])
    thoughts += [None] * (len(response.text) - len(thoughts))
    return [
        [{"role": "assistant", "content": text, "reasoning_content": thought}] if thought else text
        for text, thought in zip(response.text, thoughts, strict=False)
    ]


def _tokens(response: Any, place: int) -> dict[str, int]:
    """Return the number of a sample's tokens, where the backend gives them."""
    lists = response.output_tokens or []
    return {"completion_tokens": len(lists[place])} if place < len(lists) else {}
