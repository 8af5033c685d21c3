"""A report as one HTML page that needs no network and runs nothing that a row holds.

Rows are data: packed and in base64, so that no character of theirs is ever markup; scripts put them into the
page as text. The policy in the page's head allows our two scripts by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from reward_verifiers.verifiers import __version__
from reward_verifiers.verifiers.runtime.packages import deferred
from reward_verifiers.verifiers.runtime.worker_process import kept_file

from .report_data import TEXT_BYTES, Report
from .report_table import STATUSES

_RECIPES = deferred("reward_verifiers.adapters.files.recipe_files")  # for pages: figures alone need none
SCRIPTS = (
    *("words.js", "rows.js", "texts.js", "evidence.js", "diff.js", "filters.js", "labels.js"),
    *("pages.js", "runs.js", "detail.js", "overview.js", "compared.js", "charts.js", "served.js", "main.js"),
)
"""In the order in which they are read."""
_POLICY = (
    "default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
    "connect-src {connect}; base-uri 'none'; form-action 'none'"
)


@cache
def chart_library() -> str:
    """Return Vega-Lite and its renderer as one script: from vl-convert-python, the extra ``report``.

    To put it together takes more than a second, so it is kept for later processes.

    Raises:
        ModuleNotFoundError: It is not installed.
    """
    import vl_convert

    # Its own loader would fetch from a network; the policy forbids that, and no chart asks for it.
    def made() -> bytes:
        bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        return bundle.encode()

    kept = kept_file(f"charts-{version('vl-convert-python')}.js", made)
    return (made() if kept is None else kept.read_bytes()).decode()


@dataclass(frozen=True)
class Packed:
    """Packed figures and numbers of a page, besides its texts.

    Args:
        about: Figures, names and charts.
        columns: The numbers of all rows.
    """

    about: str
    columns: str

    @classmethod
    def of(cls, report: Report, version: int | None) -> Packed:
        """Pack the current report."""
        return cls(packed_about(report, version), _packed_columns(report))


def page(
    report: Report, library: str, version: int | None = None, packed: Packed | None = None
) -> Iterator[str]:
    """Yield the page, piece by piece.

    Args:
        report: The report.
        library: Library that draws its charts.
        version: Version of a report that is served while its files grow, which the page asks for; None for a
            file.
        packed: Data of the report at some time; None for now.
    """
    scripts = [_inline(library), _inline(_own_script())]
    values = {
        "policy": html.escape(policy(scripts, version), quote=True),
        "title": html.escape(_visible(report.title), quote=True),
        "style": _part("style.css"),
    }
    head, tail = _part("page.html").split("{{data}}")
    yield _filled(head, values)
    yield from _data(report, version, packed or Packed.of(report, version))
    yield "".join(f"<script>{script}</script>\n" for script in scripts)
    yield _filled(tail, values)


def policy(scripts: Sequence[str], version: int | None = None) -> str:
    """Return the page's policy: it may run these scripts, and ask its own server where it has one."""
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return _POLICY.format(hashes=hashes, connect="'none'" if version is None else "'self'")


def _data(report: Report, version: int | None, packed: Packed) -> Iterator[str]:
    """Yield elements that hold data; no browser runs a script of an unknown type."""
    yield _element("about", packed.about)
    yield _element("words", _packed(_part("words.json").encode()))
    yield _element("columns", packed.columns)
    left = TEXT_BYTES
    for number, block in enumerate(report.blocks.blocks if report.blocks is not None else ()):
        left -= len(block)
        if version is not None and left < 0:
            break  # the page asks for them one by one
        yield _element(f"texts-{number}", block)


def _packed_columns(report: Report) -> str:
    """Return the numbers of all rows, as the page unpacks them."""
    swapped = sys.byteorder == "big"
    columns = bytearray()
    for _, values in report.table.arrays():
        each = values[:]
        if swapped:
            each.byteswap()
        columns += each.tobytes()
    return _packed(bytes(columns))


def packed_about(report: Report, version: int | None = None) -> str:
    """Return the packed figures, names and charts of the page."""
    return _packed(json.dumps({**_about(report), "served": version}).encode())


def _about(report: Report) -> dict[str, Any]:
    table, blocks, logs = report.table, report.blocks, report.logs
    return {
        "version": __version__,
        "title": _visible(report.title),
        "files": [_visible(path) for path in report.files],
        "size": len(table),
        "columns": [{"name": name, "type": values.typecode} for name, values in table.arrays()],
        "parts": list(table.parts),
        "verifiers": table.verifiers,
        "specs": _RECIPES.part_specs(*table.recipe),
        "reasons": list(table.reasons),
        "statuses": STATUSES,
        "sources": list(table.source_names),
        "sourceColumn": table.source_column,
        "signatures": table.signatures,
        "figures": report.figures,
        "charts": [{"name": chart.name, "spec": chart.spec} for chart in report.charts],
        "texts": {
            "places": [] if blocks is None else _steps(blocks.places),
            "starts": [] if blocks is None else blocks.starts,
            "readingsLeftOut": 0 if blocks is None else blocks.readings.left_out,
        },
        "run": None
        if logs is None
        else {"alarms": logs.alarms, "notes": logs.notes, "metrics": _measured(logs.metrics)},
        "compared": report.compared,
        "runs": list(table.run_names) if table.several_runs else [],
        "unreadable": report.unreadable,
        "problems": [_visible(each) for each in report.problems],
        "withoutPrompt": table.without_prompt,
        "moreParts": table.more_parts,
    }


def _steps(places: list[int]) -> list[int]:
    """Return differences, which pack better: nearly all of them are 1."""
    return [after - before for before, after in zip([-1, *places], places, strict=False)]


def _measured(metrics: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a run's accuracies before and after, as ``verify-train`` measured them on whole sets."""
    rows = []
    for when in ("start", "end"):
        found = metrics.get(when) if isinstance(metrics.get(when), dict) else None
        for name, each in (found or {}).items():
            if isinstance(each, dict) and isinstance(each.get("accuracy"), int | float):
                about = {key: each.get(key) for key in ("accuracy", "error", "n", "unscored", "tokens")}
                rows.append({"when": when, "set": str(name), **about})
    return rows


def _element(name: str, data: str) -> str:
    return f'<script type="application/octet-stream" id="{name}">{data}</script>\n'


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()


def _inline(script: str) -> str:
    # In a script "</script" can only stand in a string or a pattern, where the backslash changes nothing.
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _visible(text: str) -> str:
    """Return a name without lone surrogates, which no page can hold."""
    return text.encode("utf-8", "backslashreplace").decode()


@cache
def _own_script() -> str:
    return "'use strict';\n(() => {\n" + "\n".join(_part(name) for name in SCRIPTS) + "\n})();\n"


@cache
def _part(name: str) -> str:
    return (files("reward_verifiers.adapters.report") / "assets" / name).read_text(encoding="utf-8")


def _filled(template: str, values: dict[str, str]) -> str:
    # In one pass: a value that looks like a place to fill is none.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)
