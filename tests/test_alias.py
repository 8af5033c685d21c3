"""`reward_verifiers`: the same library under a name of its own."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import reward_verifiers
import rewards
import verifiers


def test_every_name_is_the_same_object() -> None:
    """So that instances, registries and pickles do not come in two kinds."""
    assert set(verifiers.__all__) <= set(dir(reward_verifiers))
    for name in verifiers.__all__:
        assert getattr(reward_verifiers, name) is getattr(verifiers, name)
    assert reward_verifiers.rewards is rewards


def test_every_module_is_the_same_module() -> None:
    """However deep, whichever name comes first, and for what is pickled."""
    code = (
        "import pickle\n"
        "from reward_verifiers.rewards import Pay\n"
        "import reward_verifiers.rewards.tree.reward as long, rewards.tree.reward as short\n"
        "import reward_verifiers.adapters.trl, adapters.trl, rewards\n"
        "from reward_verifiers.verifiers.korean import josa\n"
        "assert long is short and rewards.Pay is Pay and reward_verifiers.adapters.trl is adapters.trl\n"
        "assert pickle.loads(pickle.dumps(Pay)) is Pay and long.__spec__.name == short.__name__\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'reward_verifiers\.rewards\.nothing'"):
        importlib.import_module("reward_verifiers.rewards.nothing")


def test_its_programs_run() -> None:
    """``python -m`` finds the command line under the long name."""
    command = [sys.executable, "-m", "reward_verifiers.adapters.cli", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_star_and_stranger() -> None:
    """`import *` brings the public names; what is not there is said under the name that was asked."""
    names: dict[str, object] = {}
    exec("from reward_verifiers import *", names)
    assert names["MathEquivalence"] is verifiers.MathEquivalence
    with pytest.raises(AttributeError, match="module 'reward_verifiers' has no attribute 'Nothing'"):
        _ = reward_verifiers.Nothing  # type: ignore[attr-defined]


def test_it_loads_nothing_more() -> None:
    """As cheap as `import verifiers`."""
    code = (
        "import sys, reward_verifiers\n"
        "print(sorted({'rewards', 'pydantic', 'numpy', 'sympy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
