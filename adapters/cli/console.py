"""Printing and failing, shared by all verbs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from reward_verifiers.verifiers import ConfigError, VerifierError
from reward_verifiers.verifiers.runtime.packages import missing_module

from ..files.scored_output import FaultsError, RunError

DONE, ROWS_FAILED, USAGE, FAULTED, INTERRUPTED = 0, 1, 2, 3, 130

UNWRAPPED = 1 << 16
"""Columns of what is no terminal: a path or a command that is cut there cannot be copied."""
DEFAULT_RECIPE = "MathEquivalence"

Recipe = Annotated[
    str,
    typer.Option("--recipe", "-r", help="A preset, a recipe file, a verifier's name, or file.py:function."),
]
RecipeOrAuto = Annotated[
    str,
    typer.Option(
        "--recipe",
        "-r",
        help="A preset, a recipe file, a verifier's name, or file.py:function; auto chooses one by the rows.",
    ),
]
FailOn = Annotated[
    list[str] | None,
    typer.Option(
        help="End with status 1 if this condition holds, such as accuracy<0.8 or unscored>2%; repeatable.",
        show_default=False,
    ),
]
ProgressOption = Annotated[
    float, typer.Option("--progress", help="Progress of training for scheduled weights: 0 to 1.")
]


def find_own_modules() -> None:
    """Let recipes name functions of the current folder, after everything that is installed."""
    here = os.getcwd()
    if not {"", here} & set(sys.path):
        sys.path.append(here)


def check_progress(progress: float) -> None:
    """Refuse a progress that is not a share.

    Raises:
        ConfigError: It is not in [0, 1].
    """
    if not 0.0 <= progress <= 1.0:
        raise ConfigError(f"--progress is a share of training from 0 to 1, got {progress:g}")


def stdout() -> Console:
    """Return a new console for results, wrapped on a terminal alone: tests and pipes replace stdout."""
    console = Console(soft_wrap=False, highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=UNWRAPPED)


def stderr() -> Console:
    """Return a console for progress and problems."""
    console = Console(stderr=True, highlight=False)
    return console if console.is_terminal else Console(stderr=True, highlight=False, width=UNWRAPPED)


def say(sentence: str) -> None:
    """Print one line on standard error, whatever characters are in it."""
    line = sentence.encode("utf-8", "backslashreplace").decode()
    sys.stderr.write("".join(char if char.isprintable() else repr(char)[1:-1] for char in line) + "\n")


def literal(text: str, style: str = "") -> Text:
    """Text from data: no markup, no control characters that could steer the terminal."""
    safe = "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text)
    return Text(safe.encode("utf-8", "backslashreplace").decode(), style=style)


@contextmanager
def failing_clearly() -> Iterator[None]:
    """Turn expected failures into one sentence and an exit status."""
    try:
        yield
    except VerifierError as error:
        say(f"error: {error}")
        raise SystemExit(USAGE) from None
    except ModuleNotFoundError as error:
        said = missing_module(error.name)
        if said is None:
            raise
        say(f"error: {said}")
        raise SystemExit(USAGE) from None
    except FaultsError as error:
        say(f"error: {error}")
        raise SystemExit(FAULTED) from None
    except RunError as error:
        say(f"error: {error}")
        raise SystemExit(ROWS_FAILED) from None
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(ROWS_FAILED) from None
    except KeyboardInterrupt:
        say("interrupted")
        raise SystemExit(INTERRUPTED) from None
