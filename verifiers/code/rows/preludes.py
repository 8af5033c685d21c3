"""What the official graders put before a program, so that solutions may take it for granted.

There it is a row of star imports. Here the names stand where builtins stand: a program's own come first,
``pow``, ``abs`` and ``open`` stay Python's, and no function of a module passes for one that the program
should have defined.
"""

from __future__ import annotations

_SOURCE = """
def _take_for_granted(_starred, _modules):
    import builtins, importlib, sys
    sys.setrecursionlimit(max(50_000, sys.getrecursionlimit()))
    _found = {{}}
    for _name in _starred + _modules:
        _module = importlib.import_module(_name)
        if _name in _starred:
            _names = getattr(_module, "__all__", None) or [_one for _one in vars(_module) if _one[0] != "_"]
            _found.update((_one, getattr(_module, _one)) for _one in _names)
    _found.update((_name, sys.modules[_name]) for _name in _modules)
    for _name, _value in _found.items():
        if not hasattr(builtins, _name):
            setattr(builtins, _name, _value)
_take_for_granted({starred!r}, {modules!r})
del _take_for_granted
"""


def _prelude(starred: str, modules: str) -> str:
    # On one line, so that the program's own lines are but one further down in what it is told of its errors.
    return f"exec({_SOURCE.format(starred=starred.split(), modules=modules.split())!r})\n"


_WIDE = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io "
    "sys json"
)
LIVECODEBENCH = _prelude(f"{_WIDE} typing", _WIDE)
"""Source: ``import_string`` in lcb_runner/evaluation/testing_util.py of LiveCodeBench/LiveCodeBench."""

APPS = _prelude(
    "itertools collections functools heapq bisect math string typing",
    "sys time itertools collections functools math fractions random heapq bisect string re operator copy "
    "datetime",
)
"""What APPS's and TACO's ``testing_util.py`` import, with the modules in full, and a recursion limit, which
TACO's raises as well. numpy, which theirs import too, is for those who name it in ``modules``."""

BUILTINS = "from builtins import *\n"
"""After a prelude of a data set's own, whose star imports hide some."""
