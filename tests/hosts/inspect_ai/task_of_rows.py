"""A task of the shared rows, answered by inspect_ai's mock model."""

from __future__ import annotations

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import generate

from tests.hosts.common import ROWS


def samples() -> list[Sample]:
    """The shared rows as samples; the references are metadata, too."""
    return [
        Sample(input=row["prompt"], target=row["answer"], id=place, metadata={"gold": row["answer"]})
        for place, row in enumerate(ROWS)
    ]


def answering(completions: list[str]) -> Model:
    """The mock model with these answers; without usage it would ask the network for a tokenizer."""
    outputs = [ModelOutput.from_content("mockllm/model", each) for each in completions]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def task_with(scorer: Scorer | list[Scorer] | None, dataset: list[Sample] | None = None) -> Task:
    """A task over the shared rows."""
    return Task(dataset=MemoryDataset(dataset or samples()), solver=generate(), scorer=scorer)
