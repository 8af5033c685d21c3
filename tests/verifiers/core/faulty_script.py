"""What the script of `fixtures/scripts/faulty.py` needs of the tests, here and in a worker process.

Workers import it, so it imports nothing that needs a folder to work in, as pytest does.
"""

from __future__ import annotations


def identity(component: object) -> str:
    """What a worker takes it for, reading it anew."""
    vars(component).pop("_taken", None)
    return component.identity()  # type: ignore[attr-defined, no-any-return]


def _forget() -> None:
    """Have cloudpickle forget all places, as it forgets the file's from 3.1.3 on."""
    from types import CodeType

    from cloudpickle import cloudpickle

    kept = cloudpickle.Pickler._dispatch_table[CodeType]

    def forgets(code: CodeType) -> object:
        return kept(
            code.replace(co_filename="<dynamic-code>", co_name="f", co_qualname="f", co_firstlineno=1)
        )

    cloudpickle.Pickler._dispatch_table[CodeType] = forgets


FORGETFUL = {"as it is": lambda: None, "forgetful": _forget}
