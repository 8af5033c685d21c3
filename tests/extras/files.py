"""[files]: rows of Parquet, of Arrow that zstd packed, and of a data set that `datasets` saved."""

from __future__ import annotations

import tempfile
from pathlib import Path


def main() -> None:
    """The same rows in each, and out of each."""
    import datasets
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    from adapters.files.jsonl import Source, parse

    rows = [{"completion": f"It is {n}.", "answer": str(n)} for n in range(1000)]
    table = pyarrow.Table.from_pylist(rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pyarrow.parquet.write_table(table, folder / "rows.parquet")
        pyarrow.feather.write_feather(table, folder / "rows.arrow", compression="zstd")
        datasets.Dataset.from_list(rows).save_to_disk(folder / "saved")
        lines = b"".join(line.raw + b"\n" for line in lines_of(Source([str(folder / "rows.arrow")])))
        (folder / "rows.jsonl.zst").write_bytes(pyarrow.compress(lines, codec="zstd", asbytes=True))
        for each in ("rows.parquet", "rows.arrow", "rows.jsonl.zst", "saved"):
            found = [parse(line.raw) for line in lines_of(Source([str(folder / each)]))]
            assert found == rows, each
    print(f"{len(rows):,} rows in four formats")


def lines_of(source):  # type: ignore[no-untyped-def]
    """All lines of a source."""
    return [line for chunk in source.chunks() for line in chunk]


if __name__ == "__main__":
    main()
