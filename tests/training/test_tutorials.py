"""The tutorials: their blocks run in order from an empty folder, and both languages hold the same ones."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from benchmarks.tutorials import GPU, PAGES, Block, blocks, names
from tests import forks
from training.cli import app
from training.cli.shared_options import joined
from training.config import load_config

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

NAMES = names()
FILE = re.compile(r"^cat > (\S+) <<'END'\n(.*?)^END\n", re.MULTILINE | re.DOTALL)
MODULES = {"verify-train": "training.cli", "verify-cli": "adapters.cli"}
NUMBER = re.compile(r"[\d,]*\d(\.\d+)?(e-\d+)?")
LANGUAGES = (".md", ".ko.md")


def commands(code: str) -> Iterator[list[str]]:
    """The commands of a block, words each; what they may be is as plain as that."""
    for line in FILE.sub("", code).splitlines():
        if line.startswith("#"):
            continue
        words = shlex.split(line)
        assert words[0] in MODULES, line
        yield words


def said(block: Block, folder: Path) -> str:
    """What a block prints, run as a reader would; it must succeed."""
    if block.language == "python":
        script = folder / "block.py"
        script.write_text(block.code, encoding="utf-8")
        done = forks.run(script, loaded=forks.TRAINING, cwd=folder)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)
    for name, text in FILE.findall(block.code):
        (folder / name).write_text(text, encoding="utf-8")
    shown = ""
    for program, *arguments in commands(block.code):
        done = forks.run(MODULES[program], *arguments, loaded=forks.TRAINING, cwd=folder)
        assert done.returncode == 0, f"{program} {arguments}\n{done.stdout}\n{done.stderr}"
        shown += done.stdout + done.stderr
    return shown


def shape(line: str) -> str:
    """A line without its numbers, which differ between machines, and white space."""
    return NUMBER.sub("0", " ".join(line.split()))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_does_what_it_says(name: str, tmp_path: Path) -> None:
    """Python prints what stands under it; commands print the lines that do, their numbers aside."""
    for block in blocks(PAGES / f"{name}.md"):
        if block.on_gpu:
            continue
        shown = said(block, tmp_path)
        if block.language == "python":
            assert shown == block.output
        else:
            found = {shape(line) for line in shown.splitlines()}
            assert [line for line in block.output.splitlines() if shape(line) not in found] == [], shown


@pytest.mark.parametrize("name", NAMES)
def test_commands_for_a_gpu_name_what_there_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their verbs, and configurations with changes that can be read."""
    verbs = get_command(app).commands  # type: ignore[attr-defined]
    marked = [block for block in blocks(PAGES / f"{name}.md") if block.on_gpu]
    assert all(GPU not in block.code for block in blocks(PAGES / f"{name}.md") if block not in marked)
    monkeypatch.chdir(tmp_path)
    for block in marked:
        for file, text in FILE.findall(block.code):
            Path(file).write_text(text, encoding="utf-8")
        if block.language == "python":
            compile(block.code, name, "exec")
            continue
        for program, verb, *arguments in commands(block.code):
            assert program == "verify-train"
            options = {option for each in verbs[verb].params for option in each.opts}
            given = [each for each in arguments if each.startswith("-")]
            assert set(given) <= options, given
            config = arguments[arguments.index("--config") + 1]
            changes = [each for each in arguments if re.match(r"[\w.]+=", each)]
            load_config(config, joined(changes))


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_hold_the_same_blocks(name: str) -> None:
    """With the same outputs, each of which has a block; and as many sections."""
    english, korean = ((PAGES / f"{name}{ending}").read_text(encoding="utf-8") for ending in LANGUAGES)
    fenced = [re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL) for text in (english, korean)]
    assert fenced[0] == fenced[1]
    assert len(re.findall(r"^## ", english, re.MULTILINE)) == len(re.findall(r"^## ", korean, re.MULTILINE))
    page = blocks(PAGES / f"{name}.md")
    assert len(fenced[0]) == len(page) + sum(bool(block.output) for block in page) >= 6
