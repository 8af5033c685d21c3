"""The training guide says what is so."""

from __future__ import annotations

import re

from tests.support import ROOT
from training.config import config_names
from training.config.algorithms import ALGORITHMS

GUIDE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")


def algorithm_rows() -> str:
    """The table of algorithms as the guide holds it."""
    rows = ["| `algorithm` | options of the trainer | source |", "|---|---|---|"]
    for name, each in ALGORITHMS.items():
        options = ", ".join(f"`{key}={value}`" for key, value in each.options.items())
        rows.append(
            f"| `{name}` | {options or 'none: the trainer is RLOOTrainer'} | {each.source}. {each.note}".rstrip(
                ". "
            )
            + " |"
        )
    return "\n".join(rows)


def test_the_table_of_algorithms_is_the_librarys() -> None:
    """Printed from it: ``python -c "from tests.training.test_docs import *; print(algorithm_rows())"``."""
    assert algorithm_rows() in GUIDE


def test_every_configuration_is_in_the_guide() -> None:
    """And none that is not there."""
    assert set(re.findall(r"^\| `(\w+)` \| (?!`)", GUIDE, re.MULTILINE)) >= set(config_names())


def test_every_alarm_is_explained() -> None:
    """By its name."""
    source = (ROOT / "adapters" / "audit" / "alarms.py").read_text(encoding="utf-8")
    names = set(
        re.findall(
            r'"(hacking|format_drift|length_drift|collapse|zero_variance|unscored|not_finite|cut_off|kl_jump)"',
            source,
        )
    )
    assert len(names) == 9
    assert all(f"`{name}`" in GUIDE for name in names)
