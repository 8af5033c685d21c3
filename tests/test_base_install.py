"""The base install, without any extra: what it does, and what it says of what it does not.

Every verb and option of both command lines is tried, every public name, every adapter and preset, in an
environment that has what pyproject.toml requires and nothing else.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import typer

from tests import base_install, forks
from tests.base_calls import CALLS, FILES, calls
from tests.base_install import DISTRIBUTION, brought, folded, is_here
from tests.support import ROOT, first_of_each
from verifiers.core import load
from verifiers.runtime.packages import MODULES, extras_with

PROGRAMS = ("adapters.cli", "training.cli")
LOADED = (*forks.COMMANDS, "training.cli")
STATUSES = {0, 1, 2, 3}
"""docs/cli.md: done, some rows failed or a condition holds, wrong usage, too many faults."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment without extras."""
    return base_install.make(tmp_path_factory.mktemp("base") / "environment")


@pytest.fixture(scope="module")
def prepared(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that the calls name."""
    folder = tmp_path_factory.mktemp("prepared")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = forks.run(
        "adapters.cli", "score", "rows.jsonl", "-o", "scored.jsonl", python=python, loaded=LOADED, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return folder


def _verbs(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    below = getattr(command, "commands", {})
    if not below:
        yield " ".join(path), command
    for name, each in below.items():
        yield from _verbs(each, (*path, name))


VERBS = {
    (program, verb): command
    for program in PROGRAMS
    for verb, command in _verbs(typer.main.get_command(load(f"{program}:app")))
}


def _kind(names: tuple[str, str]) -> str:
    """What a verb does without extras, and what it needs one for."""
    return " ".join(sorted({call.extra for call in calls(*names, VERBS[names])}))


def test_no_verb_is_forgotten_and_none_is_left_over() -> None:
    """The table of calls has the verbs of both command lines."""
    assert {*VERBS} == {(program, verb) for program in CALLS for verb in CALLS[program]}


@pytest.mark.parametrize(("program", "verb"), first_of_each(VERBS, _kind), ids=map(" ".join, VERBS))
def test_a_verb_and_each_of_its_options(
    program: str, verb: str, python: Path, prepared: Path, tmp_path: Path
) -> None:
    """It works, or one sentence names the extra, with a command that really brings what is missing."""
    wrong = []
    for number, call in enumerate(calls(program, verb, VERBS[program, verb])):
        folder = tmp_path / str(number)
        shutil.copytree(prepared, folder)
        done = forks.run(call.program, *call.words, python=python, loaded=LOADED, cwd=folder)
        if problem := _problem(done, call.extra):
            wrong.append(f"{call.name}: {problem}")
    assert not wrong, "\n".join(wrong)


def _problem(done: subprocess.CompletedProcess[str], extra: str) -> str:
    said = f"status {done.returncode}, {done.stderr[-1500:]}"
    if "Traceback" in done.stderr or done.returncode not in STATUSES:
        return said
    missing = re.search(r"^error: .*?([\w.-]+) (?:\(needed by \S+\) )?is not installed", done.stderr)
    if not extra:
        return said if missing or done.returncode == 2 else ""
    if not missing or done.returncode != 2 or done.stderr.count("\n") != 1 or done.stdout:
        return f"nothing says that it needs [{extra}]: {said}"
    cures = re.findall(r"pip install \S.*?\[(\w+)\]", done.stderr)
    cures += re.findall(r"pip install (\w+)$", done.stderr.strip())  # a client that is no extra of ours
    return "" if extra in cures else f"the cure is not [{extra}]: {said}"


EVERYTHING = """
import importlib, json, pkgutil, sys, traceback
import verifiers, rewards, adapters.trl_rewards
from rewards import load_recipe, preset_names
problems, foreign = {}, json.loads(sys.argv[1])

def attempt(name, work):
    try:
        work()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in foreign.get(name, ()):
            problems[name] = repr(error)
    except BaseException as error:
        problems[name] = "".join(traceback.format_exception(error)[-2:])

for top in ("verifiers", "rewards", "adapters", "training"):
    package = importlib.import_module(top)
    for info in pkgutil.walk_packages(package.__path__, top + "."):
        if not info.name.endswith("__main__"):
            attempt(info.name, lambda: importlib.import_module(info.name))
for package in (verifiers, rewards):
    for name in package.__all__:
        attempt(f"from {package.__name__} import {name}", lambda: getattr(package, name))
for name in preset_names():
    attempt(f"preset {name}", lambda: load_recipe(name))
    attempt(f"adapters.trl_rewards.{name}", lambda: getattr(adapters.trl_rewards, name))
print(json.dumps(problems))
"""
OTHERS = {
    "adapters.cases.pytest_plugin": ["pytest"],
    "adapters.hosts.trainers.swift_plugin.reward_verifiers_presets": ["swift"],
}
"""What only a host imports, and so after itself."""


def test_every_name_module_and_preset_is_there_without_extras(python: Path) -> None:
    """What needs a package imports it when it is used, or never."""
    command = [str(python), "-c", EVERYTHING, json.dumps(OTHERS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


HOSTS = {"inspect_ai", "lighteval", "lm_eval", "openenv", "pytest", "ray", "skyrl_gym", "verl"}
"""Whose plug-ins ours are: there they are never missing."""
OURS = ("verifiers", "rewards", "adapters", "training", "reward_verifiers")


def _imports() -> Iterator[tuple[str, str, str | None]]:
    """Where a package of others is imported, its module, and the extra that is named there."""
    for path in (path for package in OURS for path in (ROOT / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            each.targets[0].id: each.value.value
            for each in tree.body
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
            and isinstance(each.value, ast.Constant)
        }  # fmt: skip
        name = path.relative_to(ROOT)
        for node in ast.walk(tree):
            place = f"{name}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Import):
                yield from ((place, alias.name, None) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                yield place, node.module, None
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("require", "deferred"):
                module, *_ = node.args
                if isinstance(module, ast.Constant):
                    yield place, module.value, _extra_of(node, constants)


def _extra_of(call: ast.Call, constants: dict[str, Any]) -> str | None:
    for keyword in call.keywords:
        if keyword.arg == "extra":
            if isinstance(keyword.value, ast.Constant):
                return str(keyword.value.value)
            # Names that come from other modules are constants there; what is handed over is named by callers.
            return constants.get(getattr(keyword.value, "id", ""))
    return None


@pytest.fixture(scope="module")
def foreign() -> list[tuple[str, str, str | None]]:
    """Those that are none of Python's, of ours and of hosts."""
    known = {*sys.stdlib_module_names, *OURS, *HOSTS}
    return [each for each in _imports() if each[1].partition(".")[0] not in known]


Foreign = list[tuple[str, str, str | None]]


def test_whatever_is_imported_belongs_to_the_distribution_or_to_an_extra(foreign: Foreign) -> None:
    """So its lack is one sentence; and an extra that is named brings what it is named for."""
    assert len(foreign) > 150
    for place, module, extra in sorted(foreign, key=str):
        known = extras_with(module)
        assert known, f"{place}: nothing says which of our requirements brings {module}: see MODULES"
        assert extra is None or extra in known, f"{place}: [{extra}] does not bring {module}, but {known}"


def test_the_table_of_modules_is_true_and_short(foreign: Foreign) -> None:
    """Each entry is needed, and what is said to bring a module does so here."""
    used = {module.partition(".")[0] for _, module, _ in foreign}
    owners = packages_distributions()
    for module, requirements in MODULES.items():
        assert {*requirements} != {module}, f"{module} needs no entry"
        own = {folded(each) for each in owners.get(module, ())}
        if own:  # an interpreter may have no wheel of it
            for requirement in requirements:
                if is_here(requirement):  # Ray, for one, need not be
                    assert own & brought(requirement), f"{requirement} does not bring {module}"
    assert used & {*MODULES} >= {"flint", "numpy", "referencing", "starlette", "vl_convert", "yaml"}


def test_an_extra_that_is_named_brings_the_module(foreign: Foreign) -> None:
    """By the requirements of what is installed here, all the way down."""
    owners = packages_distributions()
    for module in sorted({module.partition(".")[0] for _, module, _ in foreign}):
        own = {folded(each) for each in owners.get(module, ())}
        for extra in extras_with(module) if own else ():
            found = brought(DISTRIBUTION, frozenset() if extra is None else frozenset({extra}))
            if all(map(is_here, found)):
                assert own & found, f"[{extra}] does not bring {module}"
