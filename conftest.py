"""What holds for every test and doctest: nothing is asked of a network; and what makes the suite quick."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.network import refuse_other_machines
from tests.timing import SOAK, examples
from training.environment import OFFLINE

# Before anything imports Hugging Face's libraries, which read these once; processes of tests inherit them.
os.environ.update(OFFLINE)
refuse_other_machines()

# A shell without job control starts `make test &` with Ctrl-C ignored, and so would be all programs of tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Else every process of the tests that start Python would compile every module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Collecting makes a million objects that all stay: none of them need be looked at for garbage, then or later.
gc.disable()

pytest_plugins = ["tests.processor_time"]
collect_ignore = [
    # ms-swift imports it, and only it can: tests/hosts/ms_swift has its test.
    "adapters/hosts/trainers/swift_plugin/reward_verifiers_presets.py",
    # It loads torch, which most processes of the suite need not.
    "tests/training/tiny_gguf.py",
]

# A law is tried on the same examples until its test changes, so that a red suite is the change's doing and
# can be had again; ``make soak`` draws new ones each time. The deadline and the health check go by the clock
# on the wall, which says nothing on a busy machine.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=examples(50),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not SOAK,
)
settings.load_profile("suite")
if not SOAK:
    # Hypothesis mixes in constants of all loaded modules: other tests would change the examples.
    providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Only a file with an example is searched for examples: most have none, and to search imports them."""
    found = yield
    if file_path.suffix == ".py" and b">>>" not in file_path.read_bytes():
        return [each for each in found if not isinstance(each, DoctestModule)]
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What trains comes first: begun last, it would keep one process busy when the others are done.

    What else loads torch follows at once, with all tests of training, so that few processes take the time to
    load it. A group of rows is selected by the name of any of them (`tests.support.in_groups`).
    """
    for item in items:
        if (rows_from := getattr(getattr(item, "function", None), "rows_from", None)) is not None:
            item.extra_keyword_matches.update(rows_from[item.callspec.params["start"]])  # type: ignore[attr-defined]

    def loads_torch(item: pytest.Item) -> bool:
        return item.get_closest_marker("torch") is not None or "training" in item.path.parts

    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, not loads_torch(item)))


_frozen = {"modules": 0}


def _freeze() -> None:
    gc.freeze()
    _frozen["modules"] = len(sys.modules)


def pytest_collection_finish() -> None:
    """From here on garbage is looked for again, among what the tests themselves make, and more rarely."""
    _freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


def pytest_runtest_logfinish() -> None:
    """What a test has loaded stays, too: every trainer looks for garbage at its end, in all of torch."""
    if len(sys.modules) > _frozen["modules"] + 300:
        gc.collect()
        _freeze()
