"""The rows that `verdict_changes` freezes: completions and references out of fixtures/, over all verifiers.

Whether a row is drawn depends on its own id and on nothing else, so that those drawn before stay when a file
grows.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.verdicts import Row, rows_of, written_out
from verifiers import verifier_names

SHARES = {
    "math_equivalence": 4,
    "units": 3,
    "code_pass_rate": 4,
    "multiple_choice": 2,
    "first": 2,
    "exploits": 2,
}
"""Of these files, which are large or slow, one row in so many is drawn."""
OWN = {"id", "spec", "completion", "reference", "score", "reason", "note"}
"""What a case says of itself; the rest are columns of the row."""
CHARACTERS = 3000
"""Rows longer than this, as JSON, are left out: long texts are tested for what they cost, elsewhere."""
ON_COMPLETIONS = ("MathEquivalence", "TagFormat", "Repetition", "TokenF1")
ON_PAIRS = ("Rouge", "Bleu", "Chrf", "TokenF1")


def drawn_rows(fixtures: Path) -> list[Row]:
    """Rows with ``id``, ``spec``, ``completion``, ``reference``, some with further columns; each once."""
    found: dict[str, Row] = {}
    asked: set[str] = set()
    for row in (
        *_cases(fixtures),
        *_korean(fixtures),
        *_attacks(fixtures),
        *_own(fixtures),
        *_texts(fixtures),
    ):
        key = json.dumps({name: value for name, value in row.items() if name != "id"}, sort_keys=True)
        if key not in asked and len(key) <= CHARACTERS:
            asked.add(key)
            found[row["id"]] = row
    return list(found.values())


def _row(row_id: str, spec: Any, completion: Any, reference: Any, **columns: Any) -> Row:
    there = {name: value for name, value in columns.items() if value is not None}
    return {"id": row_id, "spec": spec, "completion": completion, "reference": reference, **there}


def _some(rows: list[Row], of: int) -> list[Row]:
    """One row in so many."""
    return [row for row in rows if zlib.crc32(row["id"].encode()) % of == 0]


def _cases(fixtures: Path) -> Iterator[Row]:
    names = {name.casefold(): name for name in verifier_names()}
    for path in sorted((fixtures / "cases").glob("*.jsonl")):
        for row in _some(rows_of(path), SHARES.get(path.stem, 1)):
            spec = row["spec"] if "spec" in row else names[path.stem.replace("_", "")]
            columns = {name: value for name, value in row.items() if name not in OWN}
            yield _row(row["id"], spec, row["completion"], row["reference"], **columns)


def _korean(fixtures: Path) -> Iterator[Row]:
    folder = fixtures / "cases" / "korean"
    for row in rows_of(folder / "answers.jsonl"):
        verifier = "MathEquivalence" if zlib.crc32(row["id"].encode()) % 2 else "MultipleChoice"
        yield _row(row["id"], verifier, row["input"], row["gold"])
    for row in rows_of(folder / "languages.jsonl"):
        yield _row(row["id"], {"LanguageConsistency": row["gold"]}, row["input"], None)
    for row in _some(rows_of(folder / "templates.jsonl"), 3):
        official = zlib.crc32(row["id"].encode()) % 2
        spec = {"KoreanAnswerTemplate": {"mode": "official"}} if official else "KoreanAnswerTemplate"
        yield _row(row["id"], spec, row["input"], row["gold"])


def _attacks(fixtures: Path) -> Iterator[Row]:
    for row in _some(rows_of(fixtures / "attacks" / "text.jsonl"), 2):
        yield _row(f"attack {row['id']}", row["spec"], row["completion"], row["reference"])
    for row in _some(rows_of(fixtures / "attacks" / "maths.jsonl"), 2):
        answer = written_out(row, "answer", "pieces")
        reference = written_out(row, "reference", "reference_pieces")
        yield _row(f"attack {row['id']}", "MathEquivalence", f"<answer>{answer}</answer>", reference)


def _own(fixtures: Path) -> Iterator[Row]:
    for path in sorted((fixtures / "own_rows").glob("*.jsonl")):
        for row in _some(rows_of(path), SHARES.get(path.stem, 1)):
            verifier, prompt = row["verifier"], row.get("prompt") or None
            if verifier not in verifier_names():
                continue  # a function
            for reference in row.get("references", []):
                yield _row(
                    f"{row['id']} for {reference}", verifier, row["completion"], reference, prompt=prompt
                )
            if "reference" in row:
                # There the reference is the language that is asked for.
                asked = {verifier: row["reference"]} if verifier == "LanguageConsistency" else verifier
                yield _row(
                    f"{path.stem} {row['id']}", asked, row["completion"], row["reference"], prompt=prompt
                )


def _texts(fixtures: Path) -> Iterator[Row]:
    for number, row in enumerate(rows_of(fixtures / "completions" / "math_mixed.jsonl"), 1):
        for name in ON_COMPLETIONS:
            yield _row(f"math_mixed-{number:02} {name}", name, row["completion"], row["answer"])
    for row in _some(rows_of(fixtures / "pairs" / "korean.jsonl"), 2):
        for name in ON_PAIRS:
            yield _row(f"{row['id']} {name}", name, row["left"], row["right"])
