"""The stages of training, which take a configuration and leave a folder: one module for each kind, what they
share (a stage's folder and clock, TRL's trainers, the rewards of a policy, curricula, dynamic sampling), and
the pipeline that runs several. The command line and the demonstration import from here, and what a stage says
before it starts from its module; nothing that a stage is made of (config, data, models, run, watch) does.
"""

from __future__ import annotations

from .pipeline import STAGES, run_pipeline
from .policy_stage import train_policy
from .preference_stage import train_preference
from .selection_stage import select_data
from .supervised_stage import train_supervised

__all__ = [
    "STAGES",
    "run_pipeline",
    "select_data",
    "train_policy",
    "train_preference",
    "train_supervised",
]
