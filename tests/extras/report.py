"""[report]: the page of a run has its curves as a picture."""

from __future__ import annotations

import tempfile
from pathlib import Path


def main() -> None:
    """A history of three steps, drawn."""
    from training.watch.curves import draw_curves

    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "curves.png"
        history = [{"step": step, "reward": step / 3, "loss": 1 - step / 3} for step in range(3)]
        assert draw_curves({"grpo": history}, picture)
        content = picture.read_bytes()
    assert content.startswith(b"\x89PNG"), content[:8]
    print(f"a picture of {len(content):,} bytes")


if __name__ == "__main__":
    main()
