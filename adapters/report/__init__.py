"""Reports of scored files and of training folders: figures, charts, and one HTML page without a network.

`report_table` holds the numbers of every row and `row_texts` what a person reads of it, `means` and
`distributions` the statistics, `charts` their pictures; `page` puts them into one file, of which everything
in the folder ``assets`` is a part, and `live_report` serves it while its files grow. The command line imports
from here; notebooks take `load_scored` and `to_pandas`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .notebook import ScoredFile as ScoredFile
    from .notebook import load_scored as load_scored
    from .notebook import to_pandas as to_pandas

__all__ = ["ScoredFile", "load_scored", "to_pandas"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".notebook", __name__), name)
