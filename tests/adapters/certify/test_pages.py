"""Certificates as pages, what changed since an older one, and findings as case rows."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from adapters.certify import pages
from adapters.certify.certificate import Certificate
from adapters.certify.certificate_findings import Found
from tests.adapters.cli.commands import cli
from verifiers import ConfigError

ALARM = Found(
    *("floor", "empty_paid", "alarm", "an empty completion is paid", [1, 2], 2, 2),
    *("<script>", "42", 1.0, 1.0, "pay nothing"),
)
NOTE = Found("golden", "forms_unpaid", "note", "right answers earn less")
CERTIFICATE = Certificate(
    *(
        "ExactMatch", {"signature": "ExactMatch"}, ["rows.jsonl"], 2, "abc", [ALARM, NOTE], 10, 1.5,
        ["the question"],
    )
)  # fmt: skip


class _Open(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_form_is_written(tmp_path: Path) -> None:
    said = CERTIFICATE.to_dict()
    for ending in pages.WRITERS:
        pages.write(said, tmp_path / f"page{ending}")
    assert json.loads((tmp_path / "page.json").read_text()) == said
    assert pages.read(tmp_path / "page.json") == said
    assert "| floor | F |" in (tmp_path / "page.md").read_text()
    assert ">F</text>" in (tmp_path / "page.svg").read_text()
    html = (tmp_path / "page.html").read_text()
    parser = _Open()
    parser.feed(html)
    assert not parser.open
    assert "<script>" not in html


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\.json, \.md, \.html, \.svg"):
        pages.write(CERTIFICATE.to_dict(), tmp_path / "page.pdf")


def test_what_changed_is_told() -> None:
    warned = replace(ALARM, level="warning")
    worse = replace(CERTIFICATE, findings=[ALARM, replace(NOTE, name="prints")])
    found = pages.changes(replace(CERTIFICATE, findings=[warned, NOTE]).to_dict(), worse.to_dict())
    assert (found["new"], found["gone"]) == ({"prints": "note"}, {"forms_unpaid": "note"})
    assert found["levels"] == {"empty_paid": ["warning", "alarm"]}
    assert found["reward"]
    assert found["data"]


def test_alarms_become_case_rows_that_run(tmp_path: Path) -> None:
    """`ExactMatch` pays the text nothing, as the case asks for."""
    [row] = pages.case_rows(CERTIFICATE)
    assert (row["completion"], row["score"], row["note"]) == ("<script>", 0.0, "empty_paid")
    path = tmp_path / "found.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert cli("test", path, text=True).returncode == 0


def test_a_file_that_is_no_certificate_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ConfigError, match="is no certificate"):
        pages.read(tmp_path / "old.json")
