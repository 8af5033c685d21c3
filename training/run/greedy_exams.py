"""The exam of a model before and after training: greedy accuracy on held-out rows and on training rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..config import RunConfig
from ..data import Row
from ..environment import gathered, rank, world_size
from ..generation import Backend, Sampling
from .accuracy_measures import Measured, answer, summary
from .run_inputs import Prepared
from .sampled_rows import local_backend

SHOWN_SAMPLES = 8


def measuring_sampling(config: RunConfig) -> Sampling:
    """Greedy, as long as the trainer's completions."""
    tokens = config.evaluation.max_tokens or config.trainer.get("max_completion_length") or 512
    return Sampling(k=1, temperature=0.0, max_tokens=int(tokens), seed=config.seed)


def exam(config: RunConfig, prepared: Prepared, model: Any) -> dict[str, Any]:
    """Greedy accuracy on held-out rows, and on rows of training; with samples.

    Several processes share the rows out, and each has the same figures. Empty where there is nothing to
    measure with, and where the weights are sharded over processes: then the trainer's own evaluation is what
    there is.
    """
    if prepared.strict is None or not (prepared.heldout or config.evaluation.seen) or not is_whole(model):
        return {}
    backend = local_backend(config, prepared, model)
    sampling = measuring_sampling(config)
    found: dict[str, Any] = {}
    seen = prepared.train[: config.evaluation.seen]
    # Supervised rows may hold no answers to compare with.
    seen = [
        row
        for row in seen
        if all(name in row for name in prepared.strict.columns() if name != "completion_tokens")
    ]
    for name, rows in (("heldout", prepared.heldout), ("seen", seen)):
        if rows:
            measured = _shared_out(backend, rows, prepared, sampling)
            found[name] = {**measured.to_dict(), "samples": samples(measured)}
            if name == "heldout":  # of each row, which later stages are compared with
                found[name]["outcomes"] = [each.outcomes(prepared.outcome)[0] for each in measured.answered]
    return found


def _shared_out(backend: Backend, rows: Sequence[Row], prepared: Prepared, sampling: Sampling) -> Measured:
    """Each process answers every so-manieth row, and all have the figures of all rows."""
    assert prepared.strict is not None  # noqa: S101  (the caller has looked)
    count = world_size()
    found = gathered(list(answer(backend, rows[rank() :: count], prepared.strict, sampling)))
    return summary([found[place % count][place // count] for place in range(len(rows))], prepared.outcome)


def is_whole(model: Any) -> bool:
    """Whether this process has all weights: ZeRO-3 and FSDP leave it a shard of each."""
    if world_size() == 1:
        return True
    sharded = {"DTensor", "FlatParameter"}
    return not any(hasattr(each, "ds_id") or type(each).__name__ in sharded for each in model.parameters())


def samples(measured: Measured) -> list[dict[str, Any]]:
    """The first few completions, for a report."""
    return [
        {
            "prompt": each.row["prompt"],
            "answer": each.row.get("answer"),
            "completion": each.completions[0].text,
            "reward": each.payments[0].value,
        }
        for each in measured.answered[:SHOWN_SAMPLES]
    ]


def accuracy_line(name: str, found: Mapping[str, Any]) -> str:
    """What an exam found, on a line."""
    shown = []
    for part, measured in found.items():
        if measured["accuracy"] is None:
            shown.append(f"{part}: no row could be judged")
        else:
            judged = measured["n"] - measured["unscored"]
            shown.append(f"{part} {measured['accuracy']:.3f} ± {measured['error']:.3f} (n={judged})")
    return f"{name}: greedy accuracy {', '.join(shown)}"
