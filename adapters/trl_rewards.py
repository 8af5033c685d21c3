"""Presets as ready functions for TRL, by name: ``trl grpo --reward_funcs adapters.trl_rewards.gsm8k_tags``.

Every preset of `rewards.preset_names()` is an attribute of this module.
"""

from __future__ import annotations

from reward_verifiers.rewards import load_recipe, preset_names

from .trl import TRLReward, trl_reward_func


def __getattr__(name: str) -> TRLReward:
    if name not in preset_names():
        raise AttributeError(f"there is no preset {name!r}; known: {', '.join(preset_names())}")
    function = trl_reward_func(load_recipe(name), name)
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return list(preset_names())
