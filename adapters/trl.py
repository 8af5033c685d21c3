"""Short import path of `adapters.hosts.trainers.trl`: rewards in TRL's trainers."""

from .hosts.trainers.trl import TRLReward, trl_reward_func, trl_reward_funcs, trl_reward_weights

__all__ = ["TRLReward", "trl_reward_func", "trl_reward_funcs", "trl_reward_weights"]
