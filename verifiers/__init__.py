"""Verifiers: judge one completion, and say how it is known.

>>> from verifiers import MathEquivalence
>>> print(MathEquivalence().verify(r"so it is \\boxed{\\frac12}", "0.5"))
MathEquivalence 1.00 equal_rational  '\\\\frac12' for '0.5'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__distribution__ = "reward-verifiers"
"""Marks this package as ours: other distributions install a top-level `verifiers` too."""
__version__ = "0.1.0"

# Loaded when first used, so that `import verifiers` stays below 100 ms and pulls in no sympy or torch.
_HOMES = {
    "AnswerPhrase": ".extract",
    "BareAnswer": ".extract",
    "BertScore": ".metrics.bert_score",
    "Bleu": ".metrics.sacre",
    "Bleurt": ".metrics.bleurt",
    "Boxed": ".extract",
    "Chrf": ".metrics.sacre",
    "CodeBlock": ".extract",
    "CodePassRate": ".code.pass_rate",
    "Component": "._component",
    "ConfigError": "._errors",
    "ExactMatch": ".text.exact",
    "Extraction": ".extract",
    "Extractor": ".extract",
    "FirstOf": ".extract",
    "from_spec": "._registry",
    "FunctionVerifier": "._function",
    "HashMarks": ".extract",
    "Inside": ".extract",
    "JsonSchema": ".text.json_schema",
    "Judge": ".judge",
    "Keywords": ".text.constraints",
    "KoreanAnswerTemplate": ".korean.template",
    "LanguageConsistency": ".text.language",
    "LastLabel": ".text.choice",
    "LastNumber": ".extract",
    "Length": ".text.constraints",
    "MathEquivalence": ".maths.equivalence",
    "MissingDependencyError": "._errors",
    "MultipleChoice": ".text.choice",
    "OnlyNumber": ".extract",
    "ReasoningGym": ".gym",
    "Regex": ".text.constraints",
    "Repetition": ".text.repetition",
    "Rouge": ".metrics.rouge",
    "Sample": "._types",
    "SandboxError": "._errors",
    "SemanticSimilarity": ".metrics.similarity",
    "split_completion": "._completion",
    "SplitCompletion": "._completion",
    "Status": "._types",
    "Tag": ".extract",
    "TagFormat": ".format",
    "TokenF1": ".text.f1",
    "Verdict": "._types",
    "Verifier": "._base",
    "verifier": "._function",
    "verifier_names": "._registry",
    "VerifierError": "._errors",
    "WholeText": ".extract",
}

__all__ = sorted([*_HOMES, "__distribution__", "__version__"])  # noqa: PLE0605  (one list, not two)

if TYPE_CHECKING:
    from ._base import Verifier as Verifier
    from ._completion import SplitCompletion as SplitCompletion
    from ._completion import split_completion as split_completion
    from ._component import Component as Component
    from ._errors import ConfigError as ConfigError
    from ._errors import MissingDependencyError as MissingDependencyError
    from ._errors import SandboxError as SandboxError
    from ._errors import VerifierError as VerifierError
    from ._function import FunctionVerifier as FunctionVerifier
    from ._function import verifier as verifier
    from ._registry import from_spec as from_spec
    from ._registry import verifier_names as verifier_names
    from ._types import Sample as Sample
    from ._types import Status as Status
    from ._types import Verdict as Verdict
    from .code.pass_rate import CodePassRate as CodePassRate
    from .extract import AnswerPhrase as AnswerPhrase
    from .extract import BareAnswer as BareAnswer
    from .extract import Boxed as Boxed
    from .extract import CodeBlock as CodeBlock
    from .extract import Extraction as Extraction
    from .extract import Extractor as Extractor
    from .extract import FirstOf as FirstOf
    from .extract import HashMarks as HashMarks
    from .extract import Inside as Inside
    from .extract import LastNumber as LastNumber
    from .extract import OnlyNumber as OnlyNumber
    from .extract import Tag as Tag
    from .extract import WholeText as WholeText
    from .format import TagFormat as TagFormat
    from .gym import ReasoningGym as ReasoningGym
    from .judge import Judge as Judge
    from .korean.template import KoreanAnswerTemplate as KoreanAnswerTemplate
    from .maths.equivalence import MathEquivalence as MathEquivalence
    from .metrics.bert_score import BertScore as BertScore
    from .metrics.bleurt import Bleurt as Bleurt
    from .metrics.rouge import Rouge as Rouge
    from .metrics.sacre import Bleu as Bleu
    from .metrics.sacre import Chrf as Chrf
    from .metrics.similarity import SemanticSimilarity as SemanticSimilarity
    from .text.choice import LastLabel as LastLabel
    from .text.choice import MultipleChoice as MultipleChoice
    from .text.constraints import Keywords as Keywords
    from .text.constraints import Length as Length
    from .text.constraints import Regex as Regex
    from .text.exact import ExactMatch as ExactMatch
    from .text.f1 import TokenF1 as TokenF1
    from .text.json_schema import JsonSchema as JsonSchema
    from .text.language import LanguageConsistency as LanguageConsistency
    from .text.repetition import Repetition as Repetition


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'verifiers' has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
