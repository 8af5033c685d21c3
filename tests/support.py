"""What several test files share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL fixture."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def peak_memory(command: list[str], **options: Any) -> tuple[subprocess.CompletedProcess[str], int]:
    """Run a command; also return the peak memory of its largest process, in bytes.

    A small process starts it: a child's figure never falls below the size of its parent.
    """
    code = (
        "import json, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024\n"
        "print(json.dumps([done.returncode, done.stdout, done.stderr, peak]))"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", code, *command], capture_output=True, text=True, check=True, **options
    )
    status, stdout, stderr, peak = json.loads(run.stdout)
    return subprocess.CompletedProcess(command, status, stdout, stderr), peak
