"""Rewards in every form are called, what their source says is read, and certificates are pages."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from adapters.certify import pages
from adapters.certify.certificate import Certificate
from adapters.certify.certificate_findings import Found
from adapters.certify.child import _told
from adapters.certify.loading import loaded
from adapters.certify.source import SLOT, literals_of
from benchmarks.certify import PLANTED
from tests.adapters.cli.commands import cli
from verifiers import ConfigError

FORMS = Path(__file__).with_name("calling_forms.py")
NAMES = [
    *("two", "two_strange", "any_positions", "any_names", "awaited", "trl", "trl_chat", "trl_of_a_trainer"),
    *("trl_awaited", "verl", "verl_batch", "Made", "instance", "method", "part"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_reward_is_called_in_its_form(name: str) -> None:
    found = loaded(f"{FORMS}:{name}")
    row = {"answer": "12", "prompt": "5 + 7?"}
    assert [_told(found.call(text, row))["value"] for text in (" 12", "13")] == [1.0, 0.0]
    if found.together is not None:
        assert [_told(each)["value"] for each in found.together(["13", "12"], [row, row])] == [0.0, 1.0]


@pytest.mark.parametrize("name", ["two", "trl_chat", "verl", "awaited", "instance"])
def test_the_line_of_a_finding_can_be_run(name: str, tmp_path: Path) -> None:
    found = Found("floor", "x", "alarm", "it is paid", example="12", reference="12", columns={"prompt": "$5"})
    line = found.reproduce(f"{FORMS}:{name}", two=loaded(f"{FORMS}:{name}").about["two"])
    own = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if not line.startswith("PYTHONPATH"):
        own["PYTHONPATH"] = str(Path(__file__).parents[3])
    said = subprocess.run(line, shell=True, cwd=tmp_path, env=own, capture_output=True, text=True, check=True)
    assert "1.0" in said.stdout


def test_a_class_that_needs_arguments_is_one_sentence() -> None:
    with pytest.raises(ConfigError, match="cannot be made without arguments"):
        loaded(f"{FORMS}:Needs")


def _patterns() -> Iterator[str]:
    """Patterns of the planted functions: what is read from a public reward looks like them."""
    for path in sorted(PLANTED.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                first = node.args[0]
                if (
                    isinstance(node.func.value, ast.Name)
                    and node.func.value.id == "re"
                    and isinstance(first, ast.Constant)
                ):
                    yield str(first.value)


@pytest.mark.parametrize("pattern", [*dict.fromkeys(_patterns()), r"(?i)answer\W{1,3}(?P<a>\d+)(?=\n|$)"])
def test_what_is_written_for_a_pattern_matches_it(pattern: str, tmp_path: Path) -> None:
    """With and without a place for the answer, of which a number or a letter is tried."""
    path = tmp_path / "own.py"
    path.write_text(
        f"import re\ndef own(response, reference):\n    return re.search({pattern!r}, response)\n"
    )
    found = literals_of(str(path), "own")
    for text in found["texts"]:
        assert text == pattern or re.search(pattern, text)
    for form in found["forms"]:
        assert any(re.search(pattern, form.replace(SLOT, each)) for each in ("1", "A", "a"))


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("response.split('=> ')[1]", "=> {}"),
        ("response.partition('[[')[2].partition(']]')[0]", "[[{}]]"),
        ("json.loads(response)['result']", '{"result": "{}"}'),
        ("json.loads(response).get('final')", '```json\n{"final": "{}"}\n```'),
        ("'why' in (found := json.loads(response)) and found['so']", '{"why": "I work'),
        ("re.search(r'\\[\\[(.*?)\\]\\]', response)[1]", "[[{}]]"),
    ],
)
def test_marks_keys_and_patterns_give_forms(code: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"import json, re\ndef own(response, reference):\n    return {code} == reference\n")
    assert any(each.startswith(form) for each in literals_of(str(path), "own")["forms"])


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
