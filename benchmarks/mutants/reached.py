"""Which tests run which lines: measured once for a tree, in the processes that tests start, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CONFIGURATION = """\
[run]
relative_files = true
parallel = true
patch = subprocess
source = {source}
# In a process that a test started; in pytest's own, pytest-cov names the test.
context = ${{PYTEST_CURRENT_TEST-}}
data_file = {data}
"""


class Seconds:
    """A plug-in of pytest: how long each test took, without those that fail."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add one phase of one test."""
        self.taken[report.nodeid] = round(self.taken.get(report.nodeid, 0.0) + report.duration, 4)
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self, session: Any) -> None:
        """Write the file that `MUTANTS_SECONDS` names; workers of xdist report to their parent."""
        if not hasattr(session.config, "workerinput"):
            kept = {test: taken for test, taken in self.taken.items() if test not in self.failed}
            Path(os.environ["MUTANTS_SECONDS"]).write_text(json.dumps(kept), encoding="utf-8")


def measure(
    root: Path,
    packages: list[str],
    tests: dict[str, list[str]],
    workers: int,
    environment: dict[str, str],
) -> dict[str, float]:
    """Run the tests in a tree and leave `reached.coverage` in it; returns the seconds of each that passed.

    Raises:
        SystemExit: No test passed.
    """
    data, seconds = root / "reached.coverage", root / "seconds.json"
    configuration = root / "reached.rc"
    configuration.write_text(CONFIGURATION.format(source=",".join(packages), data=data), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "benchmarks.mutants.reached",
    ]
    command += ["--cov", f"--cov-config={configuration}", "--cov-context=test", "--cov-report="]
    command += ["-n", str(workers)] if workers > 1 else ["-p", "no:xdist"]
    command += [f"--ignore={path}" for path in tests["without"]] + tests["paths"]
    done = subprocess.run(
        command,
        cwd=root,
        env={**environment, "MUTANTS_SECONDS": str(seconds)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    taken: dict[str, float] = json.loads(seconds.read_text(encoding="utf-8")) if seconds.exists() else {}
    if not taken or not data.exists():
        raise SystemExit(f"no test passed:\n{done.stdout[-3000:]}")
    print(done.stdout.strip().splitlines()[-1], flush=True)
    return taken


def pytest_configure(config: Any) -> None:
    """Named by ``-p``, this module is the plug-in."""
    config.pluginmanager.register(Seconds())
