"""What a run is made of: typed, read from YAML, with every mistake named by its key."""

from __future__ import annotations

from .hub_names import hub_names, may_need_hub
from .load import config_names, config_path, load_config
from .run_config import Data, Evaluation, Model, RunConfig, Stage
from .run_stages import stages_of
from .steering import AdaptiveKL, Curriculum, DynamicSampling, Sample, Select, Watch

__all__ = [
    "AdaptiveKL",
    "Curriculum",
    "Data",
    "DynamicSampling",
    "Evaluation",
    "Model",
    "RunConfig",
    "Sample",
    "Select",
    "Stage",
    "Watch",
    "config_names",
    "config_path",
    "hub_names",
    "load_config",
    "may_need_hub",
    "stages_of",
]
