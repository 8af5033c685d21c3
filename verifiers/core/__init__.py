"""Building blocks of a verifier, public and stable: verdicts, samples, components, registries, errors.

Third parties and the other packages import from here, or the everyday names from `verifiers`. Nothing here
knows a verifier by name. It imports only `verifiers.runtime` and `verifiers.errors`; every other folder of
`verifiers` may import it.

What an object is, as a digest of what it does, is read by `object_reader` into `digests`; `owners` says whose
code a module is and takes what no import path names to a worker. It is not cloudpickle's bytes with a
version: those differ from process to process, hold line numbers and file names, and say nothing of what could
not be read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "..errors": (
        "CompletionWarning ConfigError MissingDependencyError SandboxError VerifierError "
        "close_match located nearest"
    ),
    ".checks": "MisfitError OneOf Range describe_type field_types fit plain_type",
    ".completions": "SplitCompletion split_completion",
    ".component": "Component Spec arguments_of first_field sentence_of",
    ".extraction": "Answer EXTRACTORS Extraction Extractor",
    ".function_verifier": "FunctionVerifier verifier",
    ".owners": "load",
    ".registry": "Registry",
    ".specs": "build_named construct find_class from_spec frozen holds verifier_names",
    ".verdicts": "ReferenceClass Sample Status TextPart Verdict",
    ".verifier_base": "VERIFIERS Verifier",
}
"""Names by the module that has them, which is loaded when one of them is asked for."""

if TYPE_CHECKING:
    from ..errors import CompletionWarning as CompletionWarning
    from ..errors import ConfigError as ConfigError
    from ..errors import MissingDependencyError as MissingDependencyError
    from ..errors import SandboxError as SandboxError
    from ..errors import VerifierError as VerifierError
    from ..errors import close_match as close_match
    from ..errors import located as located
    from ..errors import nearest as nearest
    from .checks import MisfitError as MisfitError
    from .checks import OneOf as OneOf
    from .checks import Range as Range
    from .checks import describe_type as describe_type
    from .checks import field_types as field_types
    from .checks import fit as fit
    from .checks import plain_type as plain_type
    from .completions import SplitCompletion as SplitCompletion
    from .completions import split_completion as split_completion
    from .component import Component as Component
    from .component import Spec as Spec
    from .component import arguments_of as arguments_of
    from .component import first_field as first_field
    from .component import sentence_of as sentence_of
    from .extraction import EXTRACTORS as EXTRACTORS
    from .extraction import Answer as Answer
    from .extraction import Extraction as Extraction
    from .extraction import Extractor as Extractor
    from .function_verifier import FunctionVerifier as FunctionVerifier
    from .function_verifier import verifier as verifier
    from .owners import load as load
    from .registry import Registry as Registry
    from .specs import build_named as build_named
    from .specs import construct as construct
    from .specs import find_class as find_class
    from .specs import from_spec as from_spec
    from .specs import frozen as frozen
    from .specs import holds as holds
    from .specs import verifier_names as verifier_names
    from .verdicts import ReferenceClass as ReferenceClass
    from .verdicts import Sample as Sample
    from .verdicts import Status as Status
    from .verdicts import TextPart as TextPart
    from .verdicts import Verdict as Verdict
    from .verifier_base import VERIFIERS as VERIFIERS
    from .verifier_base import Verifier as Verifier


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(each for names in _HOMES.values() for each in names.split())
    home = next((home for home, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value
