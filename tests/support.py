"""What several test files share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL fixture."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
