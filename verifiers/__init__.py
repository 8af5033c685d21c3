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
    "Bleu": ".metrics.bleu_and_chrf",
    "Bleurt": ".metrics.bleurt",
    "Boxed": ".extract",
    "Chrf": ".metrics.bleu_and_chrf",
    "CodeBlock": ".extract",
    "CodePassRate": ".code.pass_rate",
    "Component": ".core.component",
    "ConfigError": ".errors",
    "ExactMatch": ".text.exact_match",
    "Extraction": ".extract",
    "Extractor": ".extract",
    "FirstOf": ".extract",
    "from_spec": ".core.registry",
    "FunctionVerifier": ".core.functions",
    "HashMarks": ".extract",
    "Inside": ".extract",
    "JsonSchema": ".text.json_schema",
    "Judge": ".judge.function_judge",
    "Keywords": ".text.constraints",
    "KoreanAnswerTemplate": ".korean.answer_template",
    "LanguageConsistency": ".text.language_consistency",
    "LastLabel": ".text.multiple_choice",
    "LastNumber": ".extract",
    "Length": ".text.constraints",
    "MathEquivalence": ".maths.equivalence",
    "MissingDependencyError": ".errors",
    "MultipleChoice": ".text.multiple_choice",
    "OnlyNumber": ".extract",
    "ReasoningGym": ".judge.reasoning_gym",
    "Regex": ".text.constraints",
    "Repetition": ".text.repetition",
    "Rouge": ".metrics.rouge",
    "Sample": ".core.verdicts",
    "SandboxError": ".errors",
    "SemanticSimilarity": ".metrics.semantic_similarity",
    "split_completion": ".core.completions",
    "SplitCompletion": ".core.completions",
    "Status": ".core.verdicts",
    "Tag": ".extract",
    "TagFormat": ".text.tag_format",
    "TokenF1": ".text.token_f1",
    "Verdict": ".core.verdicts",
    "Verifier": ".core.verifier",
    "verifier": ".core.functions",
    "verifier_names": ".core.registry",
    "VerifierError": ".errors",
    "WholeText": ".extract",
}

__all__ = sorted([*_HOMES, "__distribution__", "__version__"])  # noqa: PLE0605  (one list, not two)

if TYPE_CHECKING:
    from .code.pass_rate import CodePassRate as CodePassRate
    from .core.completions import SplitCompletion as SplitCompletion
    from .core.completions import split_completion as split_completion
    from .core.component import Component as Component
    from .core.functions import FunctionVerifier as FunctionVerifier
    from .core.functions import verifier as verifier
    from .core.registry import from_spec as from_spec
    from .core.registry import verifier_names as verifier_names
    from .core.verdicts import Sample as Sample
    from .core.verdicts import Status as Status
    from .core.verdicts import Verdict as Verdict
    from .core.verifier import Verifier as Verifier
    from .errors import ConfigError as ConfigError
    from .errors import MissingDependencyError as MissingDependencyError
    from .errors import SandboxError as SandboxError
    from .errors import VerifierError as VerifierError
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
    from .judge.function_judge import Judge as Judge
    from .judge.reasoning_gym import ReasoningGym as ReasoningGym
    from .korean.answer_template import KoreanAnswerTemplate as KoreanAnswerTemplate
    from .maths.equivalence import MathEquivalence as MathEquivalence
    from .metrics.bert_score import BertScore as BertScore
    from .metrics.bleu_and_chrf import Bleu as Bleu
    from .metrics.bleu_and_chrf import Chrf as Chrf
    from .metrics.bleurt import Bleurt as Bleurt
    from .metrics.rouge import Rouge as Rouge
    from .metrics.semantic_similarity import SemanticSimilarity as SemanticSimilarity
    from .text.constraints import Keywords as Keywords
    from .text.constraints import Length as Length
    from .text.constraints import Regex as Regex
    from .text.exact_match import ExactMatch as ExactMatch
    from .text.json_schema import JsonSchema as JsonSchema
    from .text.language_consistency import LanguageConsistency as LanguageConsistency
    from .text.multiple_choice import LastLabel as LastLabel
    from .text.multiple_choice import MultipleChoice as MultipleChoice
    from .text.repetition import Repetition as Repetition
    from .text.tag_format import TagFormat as TagFormat
    from .text.token_f1 import TokenF1 as TokenF1


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'verifiers' has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
