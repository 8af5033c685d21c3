"""[ray]: a file is scored by the actors of a Ray that is started for it, as this process scores it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """A right row and a wrong one, by the command; both by a data set."""
    from adapters.cluster.dataset import score_dataset

    rows = [{"completion": rf"\boxed{{{number}}}", "answer": "4"} for number in (4, 5)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "rows.jsonl")
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("verify-cli")), "score", str(source)]
        written = []
        for engine in ("local", "ray"):
            output = Path(folder, f"{engine}.jsonl")
            subprocess.run([*command, "--engine", engine, "-o", str(output), "--workers", "1"], check=True)
            written.append(output.read_bytes())
    assert written[0] == written[1], written
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False)
    scored = score_dataset(ray.data.from_items(rows), "MathEquivalence", actors=1).take_all()
    ray.shutdown()
    assert sorted(row["reward"] for row in scored) == [0.0, 1.0], scored
    print("two rows were scored by actors, with the same bytes")


if __name__ == "__main__":
    main()
