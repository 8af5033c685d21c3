"""[dev]: the tools that `make test` runs are there: style, types, tests side by side, coverage, a built wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    ("ruff", "check", "verifiers/core"),
    ("mypy", "--version"),
    (
        "pytest",
        "-q",
        "-n",
        "2",
        "-p",
        "no:cacheprovider",
        "tests/verifiers/test_registry.py",
    ),
    ("coverage", "--version"),
    ("pytest", "--version", "--cov"),
)


def main() -> None:
    """In the repository, as a developer runs them."""
    import hypothesis

    for command in COMMANDS:
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
    print(f"the tools run; hypothesis {hypothesis.__version__}")


if __name__ == "__main__":
    main()
