"""The suite needs no browser: only `make test-page` collects what is here."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("TESTED_PAGE") else ["*"]
