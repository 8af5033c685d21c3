"""Parts of numpy that tests of HumanEval+ and MBPP+ use: source for the tester, never imported.

Names begin with an underscore, so that none of them is taken for a function of the program.
"""

from __future__ import annotations

from typing import Any


class _NumpyStandIn:
    class ndarray:  # noqa: N801  (its name there)
        """No value of the tests is one."""

        dtype: Any = None

    float64 = float32 = float

    @staticmethod
    def _is_number(_value: Any) -> bool:
        # By its type, and not by what it says: an object of the program's could subtract as it likes.
        return type(_value) in (bool, int, float, complex)

    @staticmethod
    def isclose(_one: Any, _other: Any, rtol: float = 1e-05, atol: float = 1e-08) -> bool:
        if not (_NumpyStandIn._is_number(_one) and _NumpyStandIn._is_number(_other)):
            return False
        return bool(_one == _other or abs(_one - _other) <= atol + rtol * abs(_other))

    @staticmethod
    def allclose(_one: Any, _other: Any, rtol: float = 1e-05, atol: float = 1e-08) -> bool:
        if isinstance(_one, (list, tuple)) or isinstance(_other, (list, tuple)):
            return (
                isinstance(_one, (list, tuple))
                and isinstance(_other, (list, tuple))
                and len(_one) == len(_other)
                and all(
                    _NumpyStandIn.allclose(_each, _its, rtol, atol)
                    for _each, _its in zip(_one, _other, strict=True)
                )
            )
        return _NumpyStandIn.isclose(_one, _other, rtol, atol)
