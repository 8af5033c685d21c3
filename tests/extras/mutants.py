"""[mutants]: Cosmic Ray finds places of a module to change, as `make mutants` asks it."""

from __future__ import annotations

import contextlib
import os
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """The mutants of one module, without those that our settings leave out."""
    from cosmic_ray.work_db import use_db

    from benchmarks.mutants.sample import candidates

    settings = tomllib.loads((ROOT / "benchmarks" / "mutants" / "settings.toml").read_text(encoding="utf-8"))
    module = Path("verifiers/code/suites/run_verdicts.py")
    with (
        contextlib.chdir(ROOT),
        tempfile.TemporaryDirectory() as folder,
        use_db(os.path.join(folder, "session.sqlite")) as database,
    ):
        found = candidates(database, [module], settings)
    assert len(found[module]) > 20, found
    print(f"{len(found[module])} places of {module} to change")


if __name__ == "__main__":
    main()
