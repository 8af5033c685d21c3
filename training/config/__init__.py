"""The configuration of a run: typed, read from YAML, with every mistake named by its key.

The models of a configuration, its file, its stages, the trainer's own options, the papers' algorithms, and
``module:function``. Everything in this package may import from here; it imports only the environment.
"""

from __future__ import annotations

from .config_files import config_names, config_path, load_config
from .hub_names import hub_names, may_need_hub
from .run_config import Data, Evaluation, Model, RunConfig, Stage
from .run_stages import stages_of
from .steering_options import (
    AdaptiveKL,
    Curriculum,
    DynamicSampling,
    GroupSize,
    Head,
    Sample,
    Select,
    Service,
    StepRewards,
    Watch,
)

__all__ = ["AdaptiveKL", "Curriculum", "Data", "DynamicSampling", "Evaluation", "GroupSize", "Head", "Model",
           "RunConfig", "Sample", "Select", "Service", "Stage", "StepRewards", "Watch", "config_names",
           "config_path", "hub_names", "load_config", "may_need_hub", "stages_of"]  # fmt: skip
