"""The list of verbs imports none of them, and each verb is one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import typer

from adapters.cli import app
from adapters.cli.verbs import VERBS


def test_the_list_of_verbs_imports_none_of_them() -> None:
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom adapters.cli import app\n"
        "assert 'doctor' in CliRunner().invoke(app, ['--help']).stdout\n"
        "print(*(name for name in sys.modules if name.removeprefix('reward_verifiers.').startswith(('rewards.', 'verifiers.maths', 'adapters.serve'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_what_is_listed_is_what_each_verb_says() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert list(commands) == list(VERBS)
    for name, verb in VERBS.items():
        assert commands[name].name == name
        assert verb.listed(name).get_short_help_str() == commands[name].get_short_help_str() != ""


def test_what_reads_scored_rows_loads_nothing_that_scores(tmp_path: Path) -> None:
    """No recipes, known data sets or judges: they would take longer than many a file."""
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom adapters.cli import app\n"
        "verb, scored, out = sys.argv[1:]\n"
        "more = {'diff': [scored], 'report': ['-o', out]}.get(verb, [])\n"
        "assert CliRunner().invoke(app, [verb, scored, *more]).exit_code == 0\n"
        "print(*(name for name in sys.modules if name.removeprefix('reward_verifiers.')"
        ".startswith(('rewards.recipe', 'adapters.known_sets', 'verifiers.judge', 'adapters.cli.taking'))))"
    )
    source, scored = tmp_path / "in.jsonl", tmp_path / "scored.jsonl"
    source.write_text('{"prompt": "2+2?", "completion": "It is 4.", "answer": "4"}\n')
    score = (
        "import sys\nfrom typer.testing import CliRunner\nfrom adapters.cli import app\n"
        "assert CliRunner().invoke(app, ['score', sys.argv[1], '-r', 'r1_zero', '-o', sys.argv[2]]).exit_code == 0\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'pydantic', 'pydantic_core', 'numpy', 'sympy'})"
    )
    command = [sys.executable, "-c", score, str(source), str(scored)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [], "to score a row takes none of the heavy packages either"
    for verb in ("groups", "audit", "diff", "report"):
        command = [sys.executable, "-c", code, verb, str(scored), str(tmp_path / f"{verb}.md")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [], verb


def test_values_are_converted_as_typer_does() -> None:
    """Only where a value has another type than it should is typer's own conversion asked for."""
    options = {each.name: each for each in typer.main.get_command(app).commands["score"].params}  # type: ignore[attr-defined]
    context = typer.main.get_command(app).make_context("verify-cli", ["list"])
    values: dict[str, list[object]] = {
        "files": [["a.jsonl", "b.jsonl"], ("a.jsonl",)], "recipe": ["r1_zero", ""], "workers": [None, "3", 3],
        "progress": [1.0, "0.5"], "input_format": ["auto", "csv"], "fail_on": [None, ["a<1"], ()],
        "resume": [True, False],
    }  # fmt: skip
    for name, each in values.items():
        param = options[name]
        own = getattr(type(param), "get_runtime_param", None)
        for value in each:
            if own is None:  # a release of typer that converts without pydantic
                continue
            quick = param.get_runtime_param().coerce(value, param=param, ctx=context)
            assert quick == own(param).coerce(value, param=param, ctx=context), (name, value)
