"""What the READMEs and the pages of docs/ show is what the examples print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from benchmarks.tutorials import TOGETHER
from tests import forks
from tests.support import ROOT, in_groups

READMES = ["README.md", "README.ko.md"]
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
OTHERS = ["CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md", "fixtures/README.md"]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
FOLDERS = "adapters|benchmarks|docs|examples|fixtures|rewards|tests|training|verifiers"
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
PATH = re.compile(rf"`((?:{FOLDERS})/(?:[\w./-]*\.(?:py|md|toml|yaml|jsonl?|ipynb)|[\w./-]*/))(?:::\w+)?`")
TO_BE_MADE = {
    "verifiers/text/starts_with.py", "fixtures/cases/starts_with.jsonl", "rewards/presets/NAME.yaml", "docs/presets/NAME.md",
    "verifiers/language/spoken_languages/NAME.py",
}  # fmt: skip
# No line of a block begins with a fence, so that a block without output does not reach into the next one.
EXAMPLE = re.compile(
    r"^```python\n(?P<code>(?:(?!```).*\n)*)```\n```text\n(?P<output>(?:(?!```).*\n)*)```", re.MULTILINE
)
COMMAND = re.compile(r"^```console\n\$ (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```", re.MULTILINE)
# What depends on the machine, how long it took and the versions that scored, and the padding of a table's last column.
MACHINE = re.compile(r"^\d[\d,]* rows in .*\n|^signature:.*\n(.+\n)*| +$", re.MULTILINE)


def _found(pattern: re.Pattern[str]) -> list[tuple[str, re.Match[str]]]:
    return [
        (name, match)
        for name in [*READMES, *PAGES]
        if not name.startswith(
            "docs/tutorials/"
        )  # tests/training/test_tutorials.py runs these in one folder,
        # and what follows `TOGETHER` in other pages
        for match in pattern.finditer((ROOT / name).read_text(encoding="utf-8").partition(TOGETHER)[0])
    ]


@pytest.mark.parametrize(("name", "example"), _found(EXAMPLE))
def test_an_example_prints_what_stands_under_it(name: str, example: re.Match[str], tmp_path: Path) -> None:
    """Run as a script, as a reader would."""
    script = tmp_path / "example.py"
    script.write_text(example["code"], encoding="utf-8")
    done = forks.run(script)
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == example["output"], name


@pytest.mark.parametrize(("name", "example"), _found(COMMAND))
def test_a_command_prints_what_stands_under_it(name: str, example: re.Match[str]) -> None:
    """The lines with the time and the versions aside, and white space at line ends."""
    program, *arguments = shlex.split(example["command"])
    assert program == "verify-cli"
    done = forks.run("adapters.cli", *arguments, cwd=ROOT)
    assert MACHINE.sub("", done.stdout) == example["output"], name


def test_both_readmes_hold_examples() -> None:
    """So that the tests above have something to read."""
    for name in READMES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert len(EXAMPLE.findall(text)) >= 3, name
        assert COMMAND.search(text), name


@in_groups([*READMES, *PAGES, *OTHERS], repr)
def test_links_lead_to_files(name: str) -> None:
    """Those within the repository; the site makes the reference, of which it says itself what is not there."""
    page = ROOT / name
    links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    made = "reference/" if page.parent.name == "docs" else "docs/reference/"
    assert [link for link in links if not (page.parent / link).exists() and not link.startswith(made)] == []


@in_groups([*READMES, *PAGES, "CONTRIBUTING.md"], repr)
def test_paths_are_those_of_files(name: str) -> None:
    """Paths of the repository in backticks, but for what a reader would make."""
    text = FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    paths = {path for path in PATH.findall(text) if path not in TO_BE_MADE}
    assert [path for path in paths if not (ROOT / path).exists()] == []
