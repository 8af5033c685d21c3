"""Columns of rows: by dotted path, by the names that others give them, and with several completions in one.

It imports `verifiers` alone; everything that reads rows imports from here.
"""

from .paths import MAX_NAMES, SOURCES, column_names, column_of, has_column

__all__ = ["MAX_NAMES", "SOURCES", "column_names", "column_of", "has_column"]
