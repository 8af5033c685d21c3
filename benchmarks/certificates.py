"""A certificate of each bundled preset, on rows that are made here.

python -m benchmarks.certificates FOLDER [--only NAME]

Presets that need models, programs or instructions are named and left out: see docs/certify.md.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from adapters.certify import pages
from adapters.certify.certificate import certify
from benchmarks.certify import rows_of
from rewards import preset_names

DATA = {"mcq": "options", "short_answer": "words"}
LEFT_OUT = {
    "code_pass_rate": "programs",
    "instructions": "instructions",
    "malpyeong": "models",
    "malpyeong_format": "models",
    "malpyeong_rouge": "references of the contest",
}


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
            print(f"{name:20} left out: it needs {LEFT_OUT[name]}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / f"{DATA.get(name, 'numbers')}.jsonl"
            rows = "".join(json.dumps(row) + "\n" for row in rows_of(DATA.get(name, "numbers")))
            data.write_text(rows, encoding="utf-8")
            found = certify(name, [str(data)]).to_dict()
        found["data"] = [data.name]
        for ending in (".json", ".md"):
            pages.write(found, options.folder / f"{name}{ending}")
        grades = ", ".join(f"{section} {grade}" for section, grade in found["grades"].items())
        print(f"{name:20} {grades}", flush=True)


if __name__ == "__main__":
    main()
