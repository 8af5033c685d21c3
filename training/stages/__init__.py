"""The stages of training: each takes a configuration, and leaves a folder.

A module for each kind of stage, what they share (a stage's folder and clock, TRL's trainers, a policy's
rewards, the curriculum, dynamic sampling), and the pipeline that runs several. The command line and the
demonstration import from here; what a stage is made of (config, data, models, run, watch) never does.
"""

from __future__ import annotations

from .offline_stages import train_preference, train_supervised
from .pipeline import STAGES, run_pipeline
from .policy_stage import train_policy
from .rating_stages import train_outcome_model, train_reward_model, train_step_model
from .selection_stage import select_data

__all__ = ["STAGES", "run_pipeline", "select_data", "train_outcome_model", "train_policy", "train_preference",
           "train_reward_model", "train_step_model", "train_supervised"]  # fmt: skip
