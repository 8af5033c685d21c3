"""Files that are no JSON Lines: which format they have, and what makes JSON Lines of them."""

from __future__ import annotations

import codecs
import os

_PACKED = {
    b"PK\x03\x04": ("a zip archive or a workbook", "unpack it, or export JSON Lines from it"),
    b"\x28\xb5\x2f\xfd": ("compressed by zstd", "unpack it: zstd -d"),
    b"\xfd7zXZ": ("compressed by xz", "unpack it: xz -d"),
    b"BZh": ("compressed by bzip2", "unpack it: bzip2 -d"),
}
_TABLES = {b"PAR1": ("Parquet", "read_parquet"), b"ARROW1": ("Arrow", "read_feather")}
_TABLES_BY_NAME = {".csv": ("CSV", "read_csv"), ".tsv": ("tab-separated", "read_table")}
_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""By their byte order marks; that of UTF-32 begins with that of UTF-16."""


def other_format(path: str, head: bytes) -> str | None:
    """What a file is instead of JSON Lines, and what to do about it; None where nothing is known.

    Args:
        path: The file's.
        head: Its first bytes.

    >>> other_format("rows.jsonl", b"BZh91AY")
    'is compressed by bzip2, not JSON Lines; unpack it: bzip2 -d rows.jsonl'
    >>> other_format("rows.csv", b'{"completion": "4"}')
    """
    for sign, encoding in _ENCODINGS.items():
        if head.startswith(sign):
            return f"is {encoding}, not UTF-8; convert it: iconv -f {encoding} -t UTF-8 {path}"
    for sign, (name, cure) in _PACKED.items():
        if head.startswith(sign):
            return f"is {name}, not JSON Lines; {cure}{f' {path}' if ':' in cure else ''}"
    table = next((table for sign, table in _TABLES.items() if head.startswith(sign)), None)
    # A file that holds objects is read, whatever it is called.
    if table is None and head.removeprefix(codecs.BOM_UTF8).lstrip()[:1] not in (b"", b"{", b"["):
        table = _TABLES_BY_NAME.get(os.path.splitext(path)[1].lower())
    if table is None:
        return None
    name, reader = table
    return (
        f"is {name}, not JSON Lines; convert it, with pandas for example: "
        f"pd.{reader}({path!r}).to_json('rows.jsonl', orient='records', lines=True)"
    )
