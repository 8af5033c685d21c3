"""LanguageConsistency on completions of real models: in the language they were asked in, and in no other.

A file is JSONL with a completion to a row, given with its language: ``ko=completions.jsonl``. For each pair
of a language and a file the table says how many completions are in the language (0.9 and above), and how
many have as much as a tenth of it. ``--show`` prints what is below 0.9 in its own language.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from verifiers import LanguageConsistency


def completions(path: Path, column: str) -> list[str]:
    """The completions of a file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [row[column] for row in rows if isinstance(row.get(column), str)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="LANGUAGE=FILE")
    parser.add_argument("--column", default="completion", help="the column with the completions")
    parser.add_argument("--show", type=int, default=0, help="how many to print of those that are mixed")
    options = parser.parse_args()
    named = [(name, Path(path)) for name, _, path in (each.partition("=") for each in options.files)]
    texts = {path: completions(path, options.column) for _, path in named}
    print(f"{'language':10} {'completions of':14} {'rows':>6} {'in language':>12} {'a tenth':>8} {'mean':>7}")
    for asked in dict.fromkeys(name for name, _ in named):
        for name, path in named:
            started = time.process_time()
            verdicts = LanguageConsistency(asked).verify_batch(texts[path], [None] * len(texts[path]))
            spent = time.process_time() - started
            scores = [verdict.score or 0.0 for verdict in verdicts]
            inside, some = (sum(score >= least for score in scores) for least in (0.9, 0.1))
            print(
                f"{asked:10} {name:14} {len(scores):6,} {inside / len(scores):12.2%}"
                f" {some / len(scores):8.2%} {sum(scores) / len(scores):7.4f}"
                f"  {1000 * spent / len(scores):.1f} ms each"
            )
            mixed = [pair for pair in zip(verdicts, texts[path], strict=True) if (pair[0].score or 0.0) < 0.9]
            for verdict, text in mixed[: options.show] if asked == name else []:
                print(f"--- {verdict} {verdict.detail}\n{text[:600]}")


if __name__ == "__main__":
    main()
