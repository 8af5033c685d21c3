"""Rows to train on and to measure with: where they come from, and how each becomes a prompt.

Imports only the configuration. Runs, stages and tasks take `load_rows` and its neighbours from here.
"""

from __future__ import annotations

from .loaded_rows import COMPLETION, hold_out, load_rows, prompt_tokens, with_short_prompts, without
from .row_prompts import QUESTION, Row, completion_of, forgetting, prompt_rows, same_kind
from .row_sources import check_source, read_rows

__all__ = ["COMPLETION", "QUESTION", "Row", "check_source", "completion_of", "forgetting", "hold_out",
           "load_rows", "prompt_rows", "prompt_tokens", "read_rows", "same_kind", "with_short_prompts",
           "without"]  # fmt: skip
