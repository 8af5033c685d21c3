"""Training: the bundled entry point, on TRL.

The folders, lowest first: config, data, models, generation, run, research, watch, stages, dry_run, cli; each
imports only from those before it. Next to them are the process's environment (below all), a run's tools, the
modules that a configuration names (`training.tasks`, `training.arithmetic`), the demonstration, and the
module for launchers (`training.grpo`). No package below imports from this one.
"""

from __future__ import annotations

from reward_verifiers import lead_here as _lead_here

_lead_here(__name__)
