"""Functions as verifiers: `@verifier`, what functions are given (`parameters`) and return (`results`).

The names of what they are given are in `vocabulary`.

It imports the rest of `verifiers.core`; the other folders of `verifiers` may import it.
"""

from ..identity.owners import load
from .function_verifier import FunctionVerifier, verifier
from .parameters import (
    arguments,
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
    required,
)

__all__ = [
    "FunctionVerifier",
    "arguments",
    "check_vocabulary",
    "columns_of",
    "load",
    "needs_reference",
    "parameters_read",
    "reads_reference",
    "required",
    "verifier",
]
