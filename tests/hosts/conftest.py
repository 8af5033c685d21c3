"""The library's own suite has none of these programs: only `python -m tests.hosts` collects what is below."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("TESTED_HOST") else ["*/*"]
