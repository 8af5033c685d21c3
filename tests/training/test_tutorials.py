"""The tutorials: their blocks run in order from an empty folder, and both languages hold the same ones."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from benchmarks.tutorials import DOCS, GPU, Block, blocks, names, page, programs
from tests import forks
from training.cli import app
from training.cli.shared_options import joined
from training.config import load_config

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

NAMES = names()
TRANSLATED = [name for name in NAMES if page(name).parent.name == "tutorials"]
FILE = re.compile(r"^cat > (\S+) <<'END'\n(.*?)^END\n", re.MULTILINE | re.DOTALL)
MODULES = {"verify-train": "training.cli", "verify-cli": "adapters.cli"}
NUMBER = re.compile(r"[\d,]*\d(\.\d+)?(e-\d+)?")
LANGUAGES = (".md", ".ko.md")


def lines(code: str) -> list[str]:
    """Return the commands of a block, one a line, without the files that it writes."""
    return [line for line in FILE.sub("", code).splitlines() if line and not line.startswith("#")]


def commands(code: str) -> Iterator[list[str]]:
    """Yield the words of each command of a block that calls our programs only."""
    for line in lines(code):
        words = shlex.split(line)
        assert words[0] in MODULES, line
        yield words


def said(block: Block, folder: Path, environment: dict[str, str]) -> str:
    """Return what a block prints, run as a reader would; it must succeed.

    Most pages call nothing but our two programs, which are then forks of one process.

    Args:
        block: The block.
        folder: Where it runs.
        environment: That of `programs` for a page that calls others; else empty.
    """
    if environment:
        ran = block.run(folder, environment)
        assert ran.returncode == 0, f"{block.code}\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout if block.language == "python" else ran.stdout + ran.stderr
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
    place, folder = tmp_path / "programs", tmp_path / "empty"
    place.mkdir()
    folder.mkdir()
    runnable = [block for block in blocks(page(name)) if not block.on_gpu]
    calls = {line.split()[0] for block in runnable if block.language == "bash" for line in lines(block.code)}
    environment = {} if calls <= MODULES.keys() else programs(place)
    for block in runnable:
        shown = said(block, folder, environment)
        folder = block.leaves(folder)
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
    marked = [block for block in blocks(page(name)) if block.on_gpu]
    assert all(GPU not in block.code for block in blocks(page(name)) if block not in marked)
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


@pytest.mark.parametrize("name", TRANSLATED)
def test_both_languages_hold_the_same_blocks(name: str) -> None:
    """With the same outputs, each of which has a block; and as many sections."""
    english, korean = (
        (DOCS / "tutorials" / f"{name}{ending}").read_text(encoding="utf-8") for ending in LANGUAGES
    )
    fenced = [re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL) for text in (english, korean)]
    assert fenced[0] == fenced[1]
    assert len(re.findall(r"^## ", english, re.MULTILINE)) == len(re.findall(r"^## ", korean, re.MULTILINE))
    found = blocks(page(name))
    assert len(fenced[0]) == len(found) + sum(bool(block.output) for block in found) >= 6
