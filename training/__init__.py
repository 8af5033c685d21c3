"""Training: the bundled entry point, on TRL.

The folders, lowest first: config, generation, models, data, run, watch, stages, dry_run, cli; each imports
only from those before it. Next to them are the process's environment (below all), the modules that a
configuration names (`training.tasks`, `training.arithmetic`), the demonstration, and the module for
launchers (`training.grpo`). No package below imports from this one.
"""

from __future__ import annotations

import verifiers as _verifiers

__distribution__ = "reward-verifiers"

if getattr(_verifiers, "__distribution__", None) != __distribution__:
    raise ImportError(
        f"`import verifiers` finds {getattr(_verifiers, '__file__', None)}, which is another package and not "
        f"{__distribution__}'s; the two cannot share an environment. Install {__distribution__} in a virtual "
        "environment of its own."
    )

from verifiers.runtime.namesakes import require_ours as _require_ours

for _name in ("rewards", "adapters"):
    _require_ours(_name)
