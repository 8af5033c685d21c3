"""What tests of several folders share, made once in a process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def ended_in_ranks(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder in which a program of `tests.ranks` has run in two processes, by its name."""
    from tests.ranks import run_all

    return run_all(tmp_path_factory.mktemp("ranks"))
