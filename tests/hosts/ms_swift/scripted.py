"""A plug-in: the model's replies are replaced by the rows that every host is shown, group by group.

ms-swift generates, scores, logs and trains as ever; only what the tiny model said reads differently.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from swift.rl_core.data import OnPolicySample

SCRIPT: dict[str, list[str]] = json.loads(Path(os.environ["SCRIPTED_REPLIES"]).read_text(encoding="utf-8"))
"""The replies to each prompt."""
said: Counter[str] = Counter({prompt: int(os.environ.get("RANK", "0")) * 2 for prompt in SCRIPT})
# Of two processes with two replies each, the second has the third and the fourth of a group.
apply = OnPolicySample.apply_rollout_output


def scripted(sample: OnPolicySample, *, rollout_output: Any) -> None:
    """As ms-swift does it, with the next reply of the script."""
    apply(sample, rollout_output=rollout_output)
    prompt = next(each["content"] for each in sample.messages if each["role"] == "user")
    replies = SCRIPT[prompt]
    sample.messages[-1]["content"] = replies[said[prompt] % len(replies)]
    said[prompt] += 1


OnPolicySample.apply_rollout_output = scripted
