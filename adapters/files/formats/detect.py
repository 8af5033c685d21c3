"""What a file is, by its first bytes and its name: what is read, and what has to be converted first."""

from __future__ import annotations

import codecs
import os
from typing import Literal

Kind = Literal["json", "csv", "tsv", "parquet", "arrow", "arrow_stream"]
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_TABLES: dict[bytes, Kind] = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow_stream",
}
NAMES: dict[Kind, str] = {
    "json": "JSON Lines",
    "csv": "CSV",
    "tsv": "tab-separated values",
    "parquet": "Parquet",
    "arrow": "Arrow",
    "arrow_stream": "Arrow",
}
"""What messages call each."""
_BY_SUFFIX: dict[str, Kind] = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
_PACKED_SUFFIXES = (".gz", ".zst", ".zstd")
_OTHERS = {
    b"PK\x03\x04": ("a zip archive or a workbook", "unpack it, or export CSV from it"),
    b"\xfd7zXZ": ("compressed by xz", "unpack it: xz -d"),
    b"BZh": ("compressed by bzip2", "unpack it: bzip2 -d"),
    b"FEA1": ("of Feather's first version", "write it again: pyarrow.feather.write_feather"),
    b"SQLite format 3": ("a database", "export CSV from it: sqlite3 -csv"),
}
_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""By their byte order marks; that of UTF-32 begins with that of UTF-16."""


def kind_of(path: str, head: bytes) -> Kind:
    """What a file is.

    Args:
        path: Its name.
        head: Its first bytes, decompressed.

    >>> kind_of("rows.csv", b"completion,answer"), kind_of("rows.csv.gz", b"a,b"), kind_of("rows", b"PAR1")
    ('csv', 'csv', 'parquet')
    >>> kind_of("rows.csv", b'{"completion": "4"}')
    'json'
    """
    for sign, kind in _TABLES.items():
        if head.startswith(sign):
            return kind
    # A file that holds objects is read as such, whatever it is called.
    if head.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"["):
        return "json"
    name, suffix = os.path.splitext(path.lower())
    if suffix in _PACKED_SUFFIXES:
        suffix = os.path.splitext(name)[1]
    return _BY_SUFFIX.get(suffix, "json")


def unlike_its_name(path: str, head: bytes, found: Kind) -> str | None:
    """Why a file is not what its name or its bytes promise; None where nothing is known of it.

    Args:
        path: Its name.
        head: Its first bytes, decompressed.
        found: What it was taken for.

    >>> unlike_its_name("rows.parquet", b"hello", "json")
    'is not a Parquet file, though it is called one: it begins with text'
    """
    if found == "json" and head.lstrip()[:1] not in (b"{", b"[", b""):
        named = os.path.splitext(path.lower())[1]
        name = {".parquet": "a Parquet file", ".arrow": "an Arrow file", ".feather": "an Arrow file"}.get(
            named
        )
        if name is not None and b"\0" not in head:
            return f"is not {name}, though it is called one: it begins with text"
    # Text that is mostly ASCII has every other byte zero; no mark says so.
    for encoding, first in (("UTF-16BE", 0), ("UTF-16LE", 1)):
        if head[first::2].count(0) * 4 > len(head) > 3 and _is_text(head, encoding):
            return f"is {encoding}, not UTF-8; convert it: iconv -f {encoding} -t UTF-8 {path}"
    return None


def _is_text(head: bytes, encoding: str) -> bool:
    text = head[: len(head) // 2 * 2].decode(encoding, "replace")
    return all(char.isprintable() or char.isspace() for char in text)


def refusal(path: str, head: bytes) -> str | None:
    """Why a file cannot be read, and what to do about it; None where it may be.

    Args:
        path: Its name.
        head: Its first bytes, as they are there.

    >>> refusal("rows.jsonl", b"BZh91AY")
    'is compressed by bzip2, not JSON Lines; unpack it: bzip2 -d rows.jsonl'
    """
    if head.startswith(tuple(_TABLES)):
        return None
    for sign, encoding in _ENCODINGS.items():
        if head.startswith(sign):
            return f"is {encoding}, not UTF-8; convert it: iconv -f {encoding} -t UTF-8 {path}"
    for sign, (name, cure) in _OTHERS.items():
        if head.startswith(sign):
            return f"is {name}, not JSON Lines; {cure}{f' {path}' if ':' in cure else ''}"
    return None
