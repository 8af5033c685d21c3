"""A certificate as a page or a badge; its changes since an older one; its findings as case rows."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .certificate import Certificate
from .certificate_findings import SECTIONS, Found

WRITERS = (".json", ".md", ".html", ".svg")
"""Endings of the files that a certificate is written to."""
LONGEST = 400
"""Characters of an example on a page."""
_COLOURS = {"A": "#2e7d32", "B": "#33691e", "C": "#b26a00", "F": "#b00020"}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}"
    "h1,h3,td{overflow-wrap:anywhere}h1{font-size:1.6rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .9rem .2rem 0;text-align:left;vertical-align:top}"
    "pre{background:#f4f4f4;padding:.6rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".alarm{color:#b00020}.warning{color:#b26a00}.note{color:#555}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#e8e8e8}pre{background:#262626}"
    ".alarm{color:#ff8a80}.warning{color:#ffb74d}.note{color:#aaa}}"
)


def write(certificate: Mapping[str, Any], path: Path) -> None:
    """Write a certificate in the form that a file's ending names.

    Args:
        certificate: As `Certificate.to_dict` gives it.
        path: Ends in .json, .md, .html or .svg (a badge).

    Raises:
        ConfigError: It ends otherwise, or cannot be written.
    """
    check(path)
    text = {".json": _json, ".md": markdown, ".html": page, ".svg": badge}[path.suffix](certificate)
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error}") from error


def check(path: Path) -> None:
    """Refuse a file whose ending names no form.

    Raises:
        ConfigError: It names none.
    """
    if path.suffix not in WRITERS:
        raise ConfigError(f"{path}: a certificate is written to {', '.join(WRITERS)}")


def worst_grade(certificate: Mapping[str, Any]) -> str:
    """Return the worst grade of all sections."""
    return str(max(certificate["grades"].values()))


def markdown(certificate: Mapping[str, Any]) -> str:
    """Return the page in Markdown."""
    lines = [f"# Certificate of {certificate['reward']}", "", "| section | grade |", "|---|---|"]
    lines += [f"| {name} | {certificate['grades'][name]} |" for name in SECTIONS]
    lines += ["", *(f"- {name}: {said}" for name, said in _facts(certificate)), ""]
    for each in certificate["findings"]:
        lines += [f"## {each['level']}: {each['name']}", "", _sentence(each), ""]
        if each["reproduce"]:
            lines += ["```", _short(each["reproduce"]), "```", ""]
        if each["cure"]:
            lines += [f"What to do: {each['cure']}.", ""]
    lines += [] if certificate["findings"] else ["Nothing was found.", ""]
    lines += ["## Not tried", "", *(f"- {each}" for each in certificate["untried"])]
    return "\n".join(lines) + "\n"


def page(certificate: Mapping[str, Any]) -> str:
    """Return the page in HTML, which needs no other file."""
    title = html.escape(f"Certificate of {certificate['reward']}")
    rows = "".join(
        f'<tr><td>{name}</td><td style="color:{_COLOURS[grade]}"><b>{grade}</b></td></tr>'
        for name, grade in certificate["grades"].items()
    )
    facts = "".join(
        f"<tr><td>{name}</td><td>{html.escape(str(said))}</td></tr>" for name, said in _facts(certificate)
    )
    found = "".join(_block(each) for each in certificate["findings"]) or "<p>Nothing was found.</p>"
    untried = "".join(f"<li>{html.escape(each)}</li>" for each in certificate["untried"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<h1>{title}</h1><table>{rows}</table><h2>What was certified</h2><table>{facts}</table>"
        f"<h2>Findings</h2>{found}<h2>Not tried</h2><ul>{untried}</ul></html>\n"
    )


def badge(certificate: Mapping[str, Any]) -> str:
    """Return a badge with the worst grade."""
    grade = worst_grade(certificate)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="112" height="20" role="img" '
        f'aria-label="reward certificate: {grade}"><rect width="84" height="20" fill="#444"/>'
        f'<rect x="84" width="28" height="20" fill="{_COLOURS[grade]}"/>'
        '<g fill="#fff" font-family="sans-serif" font-size="11"><text x="8" y="14">reward cert.</text>'
        f'<text x="94" y="14">{grade}</text></g></svg>\n'
    )


def read(path: Path) -> dict[str, Any]:
    """Read an older certificate.

    Raises:
        ConfigError: It is none.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as a certificate: {error}") from error
    if not isinstance(found, dict) or not {"certificate", "findings", "signature", "digest"} <= found.keys():
        raise ConfigError(f"{path} is no certificate: write one with --output {path.name}")
    return found


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes since an older certificate.

    Returns:
        ``new`` and ``gone``: names of findings with their levels; ``levels``: those whose level changed;
        ``reward`` and ``data``: whether these are still the same.
    """
    before, after = ({each["name"]: each["level"] for each in found["findings"]} for found in (old, new))
    return {
        "new": {name: level for name, level in after.items() if name not in before},
        "gone": {name: level for name, level in before.items() if name not in after},
        "levels": {
            name: [before[name], level] for name, level in after.items() if before.get(name, level) != level
        },
        "reward": old["signature"] == new["signature"],
        "data": old["digest"] == new["digest"],
    }


def case_rows(certificate: Certificate) -> Iterator[dict[str, Any]]:
    """Yield the alarms as case rows, which ``verify-cli test`` runs: none of these texts is right."""
    path, _, name = certificate.reward.rpartition(":")
    spec = f"{Path(path).stem}:{name}" if path.endswith(".py") else certificate.reward
    key = re.sub(r"\W+", "-", spec.casefold()).strip("-")
    wrong = [each for each in certificate.findings if each.level == "alarm" and each.section != "steadiness"]
    for number, each in enumerate(wrong, 1):
        if each.example is not None:
            yield {
                "id": f"{key}-{number:03}",
                "spec": spec,
                "completion": each.example,
                "reference": each.reference,
                **_prompt(each),
                "score": 0.0,
                "note": each.name,
            }


def write_cases(certificate: Certificate, path: Path) -> None:
    """Write the alarms as case rows, one a line.

    Raises:
        ConfigError: The file cannot be written.
    """
    lines = [json.dumps(row, ensure_ascii=True, default=str) for row in case_rows(certificate)]
    try:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error}") from error


def _prompt(found: Found) -> dict[str, Any]:
    return {"prompt": found.columns["prompt"]} if "prompt" in found.columns else {}


def _json(certificate: Mapping[str, Any]) -> str:
    return json.dumps(certificate, ensure_ascii=True, indent=1, default=str) + "\n"


def _facts(certificate: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [
        ("reward", f"{certificate['reward']}, {certificate['signature']}"),
        (
            "data",
            f"{', '.join(certificate['data'])}: {certificate['rows']:,} rows, digest {certificate['digest']}",
        ),
        ("spent", f"{certificate['calls']:,} calls, {certificate['seconds']} s"),
        ("version", certificate["version"]),
    ]


def _sentence(found: Mapping[str, Any]) -> str:
    said = f"{found['message'][:1].upper()}{found['message'][1:]}."
    if found["paid"]:
        said += f" {found['paid']} of {found['tried']} show it"
        said += f"; rows {', '.join(map(str, found['rows'][:8]))}." if found["rows"] else "."
    if found["reward"] is not None and found["right"] is not None:
        said += f" It earns {found['reward']:.4g}, a right answer {found['right']:.4g}."
    return said


def _block(found: Mapping[str, Any]) -> str:
    line = f"<pre>{html.escape(_short(found['reproduce']))}</pre>" if found["reproduce"] else ""
    cure = f"<p>What to do: {html.escape(found['cure'])}.</p>" if found["cure"] else ""
    return (
        f'<h3><span class="{found["level"]}">{found["level"]}</span> {html.escape(found["name"])}</h3>'
        f"<p>{html.escape(_sentence(found))}</p>{line}{cure}"
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ... ({len(text):,} characters)"
