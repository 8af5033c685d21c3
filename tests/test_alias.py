"""`reward_verifiers` holds the library; the short names lead to the same modules."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest

import reward_verifiers
import rewards
import verifiers
from tests.support import python


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
        "assert pickle.loads(b'crewards.tree.pay\\nPay\\n.') is Pay, 'what older versions have pickled'\n"
    )
    python(code, "-W", "error")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'reward_verifiers\.rewards\.nothing'"):
        importlib.import_module("reward_verifiers.rewards.nothing")


@pytest.mark.parametrize("name", ["reward_verifiers.adapters.cli", "adapters.cli"])
def test_its_programs_run(name: str) -> None:
    """``python -m`` finds the command line under both names."""
    command = [sys.executable, "-m", name, "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "first", ["verifiers", "rewards.tree.pay", "adapters.trl", "reward_verifiers.training"]
)
def test_whichever_name_comes_first_there_is_one_module(first: str) -> None:
    """No file of the library is loaded twice."""
    code = (
        f"import sys, {first}\n"
        "import adapters.trl, rewards.tree.pay, training.environment, verifiers.core.verdicts\n"
        "files = {}\n"
        "for name, module in list(sys.modules.items()):\n"
        "    if name.partition('.')[0] in ('reward_verifiers', 'verifiers', 'rewards', 'adapters', 'training'):\n"
        "        assert files.setdefault(module.__file__, module) is module, name\n"
        "        assert module.__name__.startswith('reward_verifiers'), name\n"
    )
    python(code)


def test_what_walks_the_package_comes_to_an_end() -> None:
    """Tools that list modules find the four parts once."""
    found = [each.name for each in pkgutil.iter_modules(reward_verifiers.__path__)]
    assert sorted(found) == ["adapters", "rewards", "training", "verifiers"]


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
        "print(sorted({'rewards', 'reward_verifiers.rewards', 'pydantic', 'numpy', 'sympy'} & set(sys.modules)))"
    )
    assert python(code).strip() == "[]"
