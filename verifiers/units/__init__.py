"""Units, currencies and what is counted: one table, and how quantities are converted.

It imports `verifiers.language` alone; mathematics imports from it. `table.toml` is the data: one line for a
unit. `is_symbol` tells a unit in running text.
"""

from .expressions import is_symbol as is_symbol

__all__ = ["is_symbol"]
