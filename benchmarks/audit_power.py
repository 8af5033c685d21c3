"""How often an audit warns of healthy runs, and how often it finds what is planted, by its name.

python -m benchmarks.audit_power [--runs 100] [--planted 20] [--keep FOLDER]

Runs are simulated (`benchmarks/planted_runs.py`): 1,440 rows in 40 steps of 6 prompts and 6 completions,
judged by this library. Power is also shown for runs of half and a quarter of the steps. Each run is audited
whole, as a file, and every ten steps, as while it trains: the more often one looks the more one sees. Judging
takes most of the time; what is judged is kept in FOLDER, for detectors that change after it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from adapters.audit.auditing import RecentRows, audit
from adapters.audit.findings import Finding

from . import planted_runs
from .planted_runs import HEALTHY, PLANTED, healthy, planted

DOSES = (1.0, 0.5, 0.25)
HOW = ("whole", "live")
EVERY = 10
"""Steps between two looks while a run trains."""


def main() -> None:
    """Simulate, audit, and print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=100, help="healthy runs of each kind")
    parser.add_argument("--planted", type=int, default=20, help="runs with each fault")
    parser.add_argument("--keep", type=Path, help="a folder for judged runs, which are judged once")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # a judge that likes length does take all of a completion
    false: Counter[str] = Counter()
    runs = 0
    for name in HEALTHY:
        named: Counter[str] = Counter()
        warned: Counter[str] = Counter()
        for seed in range(options.runs):
            found = _above_notes(kept(options.keep, healthy(name, seed), "healthy", name, seed))
            for how, names in found.items():
                named.update(names)
                warned[how] += bool(names)
        false, runs = false + warned, runs + options.runs
        shown = ", ".join(f"{warned[how]} of {options.runs} {how}" for how in HOW)
        print(f"healthy, {name}: warned of {shown} {dict(named) or ''}", flush=True)
    shown = ", ".join(f"{false[how]} of {runs} {how} ({false[how] / max(runs, 1):.2%})" for how in HOW)
    print(f"false alarms: {shown}", flush=True)
    for name, (expected, *_) in PLANTED.items():
        shares = []
        for dose in DOSES:
            hits: Counter[str] = Counter()
            for seed in range(options.planted):
                found = _above_notes(kept(options.keep, planted(name, seed, dose), name, seed, dose))
                hits.update(how for how, names in found.items() if expected in names)
            counts = "/".join(str(hits[how]) for how in HOW)
            shares.append(f"{counts} of {options.planted} at {dose:.0%} of the steps")
        print(f"planted, {name} ({expected}; {'/'.join(HOW)}): {', '.join(shares)}", flush=True)


def kept(folder: Path | None, rows: Iterable[dict[str, Any]], *key: object) -> Iterator[dict[str, Any]]:
    """The rows of a run, from a folder where they are in it, and put into it where they are not.

    Args:
        folder: None to keep nothing.
        rows: Of the run; they are not asked for where the folder has them.
        *key: What the run is. The source of the simulation belongs to it, so another one is judged anew.
    """
    if folder is None:
        yield from rows
        return
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(str(planted_runs.__file__)).read_text(encoding="utf-8")
    path = folder / f"{blake2b(repr((source, *key)).encode(), digest_size=12).hexdigest()}.jsonl.gz"
    if not path.exists():
        part = path.with_suffix(".part")
        with gzip.open(part, "wt", encoding="utf-8", compresslevel=1) as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        part.replace(path)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _above_notes(rows: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """What is named above a note, in the whole file and while it grows."""
    taken = RecentRows(window=2048)
    live: set[str] = set()
    looked = EVERY
    for row in rows:
        if row.get("step", 0) >= looked:
            looked += EVERY
            live |= _named(taken.look())
        taken.add(row)
    live |= _named(taken.look())
    return {"whole": _named(audit(taken)), "live": live}


def _named(findings: Iterable[Finding]) -> set[str]:
    return {each.name for each in findings if each.level != "note"}


if __name__ == "__main__":
    main()
