"""Settings of a model, and random numbers, that generation changes and puts back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from reward_verifiers.verifiers.runtime.packages import require


@contextmanager
def generating(model: Any, config: Any) -> Iterator[None]:
    """Put a model into inference mode under a generation configuration of ours.

    Its own configuration is set aside rather than overridden: `generate` fills in from it whatever ours
    leaves at None, so that a published `repetition_penalty` or `min_p` would otherwise leak in.

    Gradient checkpointing needs no switch: transformers recomputes in training mode alone, and the cache
    is asked for by `config`, which counts for more than `model.config.use_cache`.

    Args:
        model: A causal language model, or a `PeftModel` around one.
        config: A `GenerationConfig`.
    """
    # `PeftModel.generate` hands the base model the base model's own configuration, so ours goes there.
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    # Module by module: a model in training mode may hold parts, such as frozen ones, that are not.
    training = [module for module in model.modules() if module.training]
    own = base.generation_config
    model.train(False)
    base.generation_config = config
    try:
        yield
    finally:
        base.generation_config = own
        for module in training:
            module.training = True


@contextmanager
def seeded(seed: int, model: Any) -> Iterator[None]:
    """Draw from a seed, and leave the global random numbers as they were.

    Generators are seeded one by one, since `torch.manual_seed` also reseeds every accelerator that the
    model does not use.

    Args:
        seed: Any number below 2**63.
        model: On whose devices numbers are drawn.
    """
    torch = require("torch", extra="train")
    used = {parameter.device for parameter in model.parameters()} - {
        torch.device("cpu"),
        torch.device("meta"),
    }
    kinds: dict[str, list[int]] = {}
    for device in used:
        kinds.setdefault(device.type, []).append(device.index or 0)
    with ExitStack() as stack:
        stack.enter_context(torch.random.fork_rng(devices=[], device_type="cuda"))  # the CPU's
        torch.default_generator.manual_seed(seed)
        for kind, indices in kinds.items():
            stack.enter_context(torch.random.fork_rng(devices=indices, device_type=kind))
            if kind == "cuda":
                for index in indices:
                    torch.cuda.default_generators[index].manual_seed(seed)
            else:
                getattr(torch, kind).manual_seed(seed)
        yield
