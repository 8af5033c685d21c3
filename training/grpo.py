"""``python -m training.grpo``: the same as ``verify-train grpo``, for launchers that take a module."""

from __future__ import annotations

import sys

from .cli import app

if __name__ == "__main__":
    app(["grpo", *sys.argv[1:]])
