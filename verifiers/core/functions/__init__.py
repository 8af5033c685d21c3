"""Functions as verifiers: what they are given (`parameters`), what they return (`results`), and `@verifier`.

It imports the rest of `verifiers.core`; the other folders of `verifiers` may import it.
"""

from ..identity.import_paths import load
from .function_verifier import FunctionVerifier, verifier
from .parameters import arguments, columns_of, parameters_read, required

__all__ = ["FunctionVerifier", "arguments", "columns_of", "load", "parameters_read", "required", "verifier"]
