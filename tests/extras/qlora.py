"""[qlora]: quantised weights under an adapter: they load, answer and take a step; how fast is a matter for a GPU."""

from __future__ import annotations

import tempfile
from pathlib import Path


def main() -> None:
    """Both kinds, on whatever there is; without a GPU bitsandbytes computes on the processor."""
    import torch

    from tests.training.runs import config
    from training.stages import train_policy

    where = "a GPU" if torch.cuda.is_available() else "a processor (no GPU here: its kernels were not tried)"
    for kind in ("nf4", "int8"):
        with tempfile.TemporaryDirectory() as folder:
            model = {"quantize": kind, "lora": {"r": 4, "target_modules": ["q_proj", "v_proj"]}}
            metrics = train_policy("grpo", config(Path(folder), model=model, trainer={"max_steps": 1}))
            assert metrics["steps"] == 1
        print(f"{kind}: a step on {where}")


if __name__ == "__main__":
    main()
