"""Rows as trainers keep them: verl's, in which the tests are one column of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError
from ..suites.spec import CodeTests
from .input_output.apps import apps
from .input_output.case_lists import deepcoder
from .shape import Row, Shape, columns, mapping, only, unpacked

_PACKED = columns("inputs", "outputs", "fn_name", "assert_case", "remote")


def verl(row: Row) -> CodeTests:
    """Verl and Eurus-2-RL-Data: ``reward_model`` with ``ground_truth``, a JSON text of inputs and outputs."""
    model = mapping(row["reward_model"], "verl.reward_model")
    only(model, columns("ground_truth", "style"), "verl.reward_model")
    if model.get("ground_truth") is None:
        raise ConfigError("tests: verl.reward_model has no ground_truth")
    truth = unpacked(model["ground_truth"], "verl.reward_model.ground_truth")
    if isinstance(truth, list):  # rllm's rows hold DeepCoder's tests
        return deepcoder({"tests": truth})
    truth = mapping(truth, "verl.reward_model.ground_truth")
    only(truth, _PACKED, "verl.reward_model.ground_truth")
    return apps(truth)


def eurus(row: Row) -> CodeTests:
    """Eurus-2-RL-Data before verl's form: ``reference``, a JSON text of inputs and outputs."""
    truth = mapping(row["reference"], "eurus.reference")
    only(truth, _PACKED, "eurus.reference")
    return apps(truth)


def _has_tests(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, str) and value.lstrip().startswith("{")


VERL = Shape(
    "verl",
    "https://huggingface.co/datasets/PRIME-RL/Eurus-2-RL-Data "
    "https://github.com/volcengine/verl (verl/utils/reward_score/prime_code)",
    (columns("reward_model"),),
    columns("reward_model"),
    verl,
)
EURUS = Shape(
    "eurus",
    "https://huggingface.co/datasets/PRIME-RL/Eurus-2-RL-Data",
    (columns("reference", "task"), columns("reference", "instruction")),
    columns("reference"),
    eurus,
    lambda row: _has_tests(row["reference"]),
)
