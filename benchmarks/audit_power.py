"""How often an audit warns of healthy runs, and how often it finds what is planted, by its name.

python -m benchmarks.audit_power [--runs 100] [--planted 20]

Runs are simulated (`benchmarks/planted_runs.py`): 1,440 rows in 40 steps of 6 prompts and 6 completions,
judged by this library. Power is also shown for runs of half and a quarter of the steps.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter

from adapters.audit.audited_rows import Rows
from adapters.audit.auditing import audit
from adapters.audit.findings import Finding

from .planted_runs import HEALTHY, PLANTED, healthy, planted

DOSES = (1.0, 0.5, 0.25)


def main() -> None:
    """Simulate, audit, and print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=100, help="healthy runs of each kind")
    parser.add_argument("--planted", type=int, default=20, help="runs with each fault")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # a judge that likes length does take all of a completion
    false, runs = 0, 0
    for name in HEALTHY:
        named: Counter[str] = Counter()
        for seed in range(options.runs):
            found = {each.name for each in _findings(healthy(name, seed)) if each.level != "note"}
            named.update(found)
            false += bool(found)
        runs += options.runs
        print(f"healthy, {name}: {sum(named.values())} of {options.runs} above a note {dict(named) or ''}")
    print(f"false alarms: {false} of {runs} healthy runs ({false / max(runs, 1):.2%})")
    for name, (expected, *_) in PLANTED.items():
        shares = []
        for dose in DOSES:
            hits = sum(
                any(
                    each.name == expected and each.level != "note"
                    for each in _findings(planted(name, seed, dose))
                )
                for seed in range(options.planted)
            )
            shares.append(f"{hits} of {options.planted} at {dose:.0%} of the steps")
        print(f"planted, {name} ({expected}): {', '.join(shares)}")


def _findings(rows: object) -> list[Finding]:
    taken = Rows()
    for row in rows:  # type: ignore[attr-defined]
        taken.add(row)
    return audit(taken)


if __name__ == "__main__":
    main()
