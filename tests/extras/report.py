"""[report]: the page of a run has its curves as a picture, and scored rows make a page with charts."""

from __future__ import annotations

import tempfile
from pathlib import Path


def main() -> None:
    """A history of three steps, drawn; a page and a picture of 400 rows."""
    from adapters.report.page import chart_library, page
    from adapters.report.plain import as_png
    from adapters.report.report_data import made_report
    from adapters.report.scored_rows import Columns
    from tests.adapters.report.made_rows import made_rows, write
    from training.watch.run_page import draw_curves

    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "curves.png"
        history = [{"step": step, "reward": step / 3, "loss": 1 - step / 3} for step in range(3)]
        assert draw_curves({"grpo": history}, picture)
        content = picture.read_bytes()
        rows = write(Path(folder) / "rows.jsonl", made_rows(400))
        made = made_report([str(rows)], Columns())
        length = sum(map(len, page(made, chart_library())))
        charts = as_png(made)
    for each in (content, charts):
        assert each.startswith(b"\x89PNG"), each[:8]
    assert length > 500_000, length
    print(f"pictures of {len(content):,} and {len(charts):,} bytes, a page of {length:,}")


if __name__ == "__main__":
    main()
