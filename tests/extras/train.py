"""[train]: TRL's trainer takes rewards of recipes, and `verify-train` trains from a file, with an adapter (peft)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "grpo_trainer.py"


def main() -> None:
    """The example, and a run of two steps with LoRA."""
    from tests.training.runs import write

    subprocess.run([sys.executable, "-I", str(EXAMPLE), "3"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        lora = {"r": 4, "target_modules": ["q_proj", "v_proj"]}
        run = write(
            Path(folder) / "run.yaml", model={"lora": lora}, trainer={"max_steps": 2, "use_cpu": True}
        )
        command = str(Path(sys.executable).with_name("verify-train"))
        subprocess.run([command, "grpo", "--config", str(run)], check=True)
        assert list(Path(folder).rglob("adapter_model.safetensors"))
    print("the trainer and verify-train made their steps")


if __name__ == "__main__":
    main()
