"""A certificate of each bundled preset, on rows that are made here.

python -m benchmarks.certificates FOLDER [--only NAME]

What is left out is named, with what it lacks: see docs/certify.md.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from adapters.certify import pages
from adapters.certify.certificate import certify
from benchmarks.certify import rows_of
from rewards import preset_names

DATA = {"mcq": "options", "short_answer": "words", "code_pass_rate": "calls", "malpyeong_rouge": "sentences"}
LEFT_OUT = {
    "instructions": "right and wrong texts of instructions: any text that follows them is right",
    "malpyeong": "the models bert-base-multilingual-cased and BLEURT",
    "malpyeong_format": "the model bert-base-multilingual-cased",
}
SENTENCES = Path(__file__).parents[1] / "fixtures" / "cases" / "korean" / "templates.jsonl"


def _rows(kind: str) -> list[dict[str, Any]]:
    if kind != "sentences":
        return list(rows_of(kind))
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    golds = dict.fromkeys(row["gold"] for row in rows if row["kind"] == "template_malpyeong" and row["gold"])
    return [{"answer": gold} for gold in golds]


def main() -> None:
    """Write the certificates, and print their grades."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="one preset")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in preset_names():
        if options.only not in (None, name):
            continue
        if name in LEFT_OUT:
            print(f"{name:20} not tried: it needs {LEFT_OUT[name]}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / f"{DATA.get(name, 'numbers')}.jsonl"
            rows = "".join(json.dumps(row) + "\n" for row in _rows(DATA.get(name, "numbers")))
            data.write_text(rows, encoding="utf-8")
            found = certify(name, [str(data)]).to_dict()
        found["data"] = [data.name]
        for ending in (".json", ".md"):
            pages.write(found, options.folder / f"{name}{ending}")
        grades = ", ".join(f"{section} {grade}" for section, grade in found["grades"].items())
        print(f"{name:20} {grades}", flush=True)


if __name__ == "__main__":
    main()
