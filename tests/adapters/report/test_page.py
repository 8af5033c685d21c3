"""The page as a file: what is in it, and that nothing in it is more than data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from array import array
from pathlib import Path
from typing import Any

import pytest

from adapters.report.page import page
from adapters.report.report_data import Report, made_report
from adapters.report.scored_rows import Columns
from tests.adapters.report.made_rows import HOSTILE, hostile_rows, made_rows, write

LIBRARY = "window.vegaEmbed = () => null; const s = '</script>';"


def made(path: Path, **more: Any) -> Report:
    return made_report([str(path)], Columns(), **more)


def text_of(report: Report) -> str:
    return "".join(page(report, LIBRARY))


def unpacked(text: str, name: str) -> bytes:
    found = re.search(rf'<script type="application/octet-stream" id="{name}">([^<]*)</script>', text)
    assert found is not None, name
    return gzip.decompress(base64.b64decode(found[1]))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return text_of(made(write(tmp_path_factory.mktemp("rows") / "<b>{{style}}.jsonl", hostile_rows())))


def test_no_character_of_a_row_is_markup(hostile: str) -> None:
    """Rows, names of parts, reasons and sources stand in the page only packed."""
    scripts = re.findall(r"<script>(.*?)</script>", hostile, re.DOTALL)
    assert len(scripts) == 2
    for text in HOSTILE.values():
        assert text.encode("utf-8", "replace").decode() not in hostile
    assert "<title>&lt;b&gt;{{style}}.jsonl</title>" in hostile


def test_the_policy_allows_two_scripts_and_no_connection(hostile: str) -> None:
    """By the hashes of what stands there."""
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', hostile)[1])  # type: ignore[index]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    scripts = re.findall(r"<script>(.*?)</script>", hostile, re.DOTALL)
    hashes = {
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in scripts
    }
    assert set(rules["script-src"].split()) == hashes
    assert (
        rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    )
    assert "unsafe-eval" not in policy


def test_hostile_texts_come_back_as_they_are(hostile: str) -> None:
    block = json.loads(unpacked(hostile, "texts-0"))
    assert [row["c"] for row in block["rows"]] == [*HOSTILE.values()]
    assert [block["prompts"][row["p"]] for row in block["rows"]] == [*HOSTILE.values()]


def test_columns_are_those_of_the_rows(tmp_path: Path) -> None:
    """Numbers by name, in the order in which `about` lists them."""
    rows = list(made_rows(400))
    text = text_of(made(write(tmp_path / "rows.jsonl", rows)))
    about = json.loads(unpacked(text, "about"))
    data, columns, start = unpacked(text, "columns"), {}, 0
    for each in about["columns"]:
        values = array(each["type"])
        assert start % values.itemsize == 0
        values.frombytes(data[start : start + about["size"] * values.itemsize])
        start += about["size"] * values.itemsize
        columns[each["name"]] = values
    assert (start, about["size"]) == (len(data), 400)
    given = [row["reward"] for row in rows]
    assert [None if value != value else value for value in columns["reward"]] == given
    accuracy = about["parts"].index("accuracy")
    reasons = [about["reasons"][each] for each in columns[f"reason.{accuracy}"]]
    assert reasons == [row["verdicts"][0]["reason"] for row in rows]
    assert [about["sources"][each] for each in columns["sources"]] == [row["source"] for row in rows]


def test_every_text_is_there_and_where_it_belongs(tmp_path: Path) -> None:
    rows = list(made_rows(700))
    text = text_of(made(write(tmp_path / "rows.jsonl", rows)))
    about = json.loads(unpacked(text, "about"))
    found = [
        row
        for number in range(len(about["texts"]["starts"]))
        for row in json.loads(unpacked(text, f"texts-{number}"))["rows"]
    ]
    assert [row["c"] for row in found] == [row["completion"] for row in rows]
    assert about["texts"]["places"] == [1] * 700
    assert len(about["texts"]["starts"]) > 1


def test_a_sample_holds_all_that_is_flagged_and_rare(tmp_path: Path) -> None:
    rows = list(made_rows(2000))
    rows[1234]["verdicts"][0]["reason"] = "once_only"
    report = made(write(tmp_path / "rows.jsonl", rows), limit=60_000)
    assert report.blocks is not None
    kept = set(report.blocks.places)
    assert 100 < len(kept) < 2000
    assert report.blocks.bytes_out < 90_000
    flagged = {place for place, flags in enumerate(report.table.flags) if flags}
    assert flagged
    assert flagged | {1234} <= kept
    assert len(report.table) == 2000


def test_how_sides_were_read_is_told(tmp_path: Path) -> None:
    [row] = made_rows(1)
    row["verdicts"][0] |= {
        "extracted": r"\frac12", "expected": "0.5", "reason": "equal_rational", "score": 1.0,
    }  # fmt: skip
    text = text_of(made(write(tmp_path / "rows.jsonl", [row])))
    [[_, verdict], _] = json.loads(unpacked(text, "texts-0"))["rows"][0]["v"]
    assert verdict["read"] == {"extracted": "1/2", "expected": "1/2"}


def test_messages_are_shown_with_the_text_in_which_spans_count(tmp_path: Path) -> None:
    """The assistant's last one, and its thinking beside it."""
    [row] = made_rows(1)
    last = {"role": "assistant", "content": "It is 4.", "reasoning_content": "two and two"}
    row["completion"] = [
        {"role": "assistant", "content": "first"}, {"role": "user", "content": "sure?"}, last,
    ]  # fmt: skip
    text = text_of(made(write(tmp_path / "rows.jsonl", [row])))
    [found] = json.loads(unpacked(text, "texts-0"))["rows"]
    assert (found["c"], found["t"]) == ("It is 4.", "two and two")
    assert found["m"] == ["assistant: first", "user: sure?"]
