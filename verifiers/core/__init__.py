"""What a verifier is made of, public and stable: verdicts, samples, components, registries, errors.

Third parties and the other packages import from here, or the everyday names from `verifiers`. Nothing here
knows a verifier by name. It imports only `verifiers.runtime` and `verifiers.errors`; every other folder of
`verifiers` may import it.
"""

from ..errors import (
    CompletionWarning,
    ConfigError,
    MissingDependencyError,
    SandboxError,
    VerifierError,
    close_match,
    located,
    nearest,
)
from .checks import (
    MisfitError,
    OneOf,
    Range,
    describe_type,
    field_types,
    fit,
    plain_type,
)
from .completions import SplitCompletion, split_completion
from .component import Component, Spec, arguments_of, first_field, sentence_of
from .extraction import EXTRACTORS, Answer, Extraction, Extractor
from .function_verifier import FunctionVerifier, verifier
from .identity.owners import load
from .registry import Registry
from .specs import (
    build_named,
    construct,
    find_class,
    from_spec,
    frozen,
    holds,
    verifier_names,
)
from .verdicts import ReferenceClass, Sample, Status, TextPart, Verdict
from .verifier_base import VERIFIERS, Verifier

__all__ = [
    "EXTRACTORS",
    "VERIFIERS",
    "Answer",
    "CompletionWarning",
    "Component",
    "ConfigError",
    "Extraction",
    "Extractor",
    "FunctionVerifier",
    "MisfitError",
    "MissingDependencyError",
    "OneOf",
    "Range",
    "ReferenceClass",
    "Registry",
    "Sample",
    "SandboxError",
    "Spec",
    "SplitCompletion",
    "Status",
    "TextPart",
    "Verdict",
    "Verifier",
    "VerifierError",
    "arguments_of",
    "build_named",
    "close_match",
    "construct",
    "describe_type",
    "field_types",
    "find_class",
    "first_field",
    "fit",
    "from_spec",
    "frozen",
    "holds",
    "load",
    "located",
    "nearest",
    "plain_type",
    "sentence_of",
    "split_completion",
    "verifier",
    "verifier_names",
]
