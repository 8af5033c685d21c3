"""Verifiers: each judges one completion, and says how it knows.

>>> from verifiers import MathEquivalence
>>> print(MathEquivalence().verify(r"so it is \\boxed{\\frac12}", "0.5"))
MathEquivalence 1.00 equal_rational  '\\\\frac12' for '0.5'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from reward_verifiers import lead_here as _lead_here

__distribution__ = "reward-verifiers"
"""Marks this package as ours: other distributions install a top-level `verifiers` too."""
__version__ = "0.2.0"

_EVERYDAY = (
    "CompletionWarning",
    "Component",
    "ConfigError",
    "Extraction",
    "Extractor",
    "FunctionVerifier",
    "MissingDependencyError",
    "Sample",
    "SandboxError",
    "SplitCompletion",
    "Status",
    "Verdict",
    "Verifier",
    "VerifierError",
    "from_spec",
    "split_completion",
    "verifier",
    "verifier_names",
)
"""Names of `verifiers.core` that everybody needs. Verifiers and extractors are found in their registries."""
_MARKS = ("__distribution__", "__version__")

if TYPE_CHECKING:
    from .answers.short_answer import ShortAnswer as ShortAnswer
    from .box_iou import BoxIoU as BoxIoU
    from .code.pass_rate import CodePassRate as CodePassRate
    from .core.completions import SplitCompletion as SplitCompletion
    from .core.completions import split_completion as split_completion
    from .core.component import Component as Component
    from .core.extraction import Extraction as Extraction
    from .core.extraction import Extractor as Extractor
    from .core.function_verifier import FunctionVerifier as FunctionVerifier
    from .core.function_verifier import verifier as verifier
    from .core.specs import from_spec as from_spec
    from .core.specs import verifier_names as verifier_names
    from .core.verdicts import Sample as Sample
    from .core.verdicts import Status as Status
    from .core.verdicts import Verdict as Verdict
    from .core.verifier_base import Verifier as Verifier
    from .errors import CompletionWarning as CompletionWarning
    from .errors import ConfigError as ConfigError
    from .errors import MissingDependencyError as MissingDependencyError
    from .errors import SandboxError as SandboxError
    from .errors import VerifierError as VerifierError
    from .extract.chain import FirstOf as FirstOf
    from .extract.chain import Inside as Inside
    from .extract.chain import WholeText as WholeText
    from .extract.code_block import CodeBlock as CodeBlock
    from .extract.marked_answers import Boxed as Boxed
    from .extract.marked_answers import HashMarks as HashMarks
    from .extract.marked_answers import JsonAnswer as JsonAnswer
    from .extract.marked_answers import Tag as Tag
    from .extract.maths_answers import BareAnswer as BareAnswer
    from .extract.maths_answers import NoNumber as NoNumber
    from .extract.maths_answers import OnlyNumber as OnlyNumber
    from .extract.maths_answers import UntilNextQuestion as UntilNextQuestion
    from .extract.numbers import LastNumber as LastNumber
    from .extract.phrases import AnswerPhrase as AnswerPhrase
    from .extract.phrases import AnswerSubject as AnswerSubject
    from .extract.phrases import OtherLanguage as OtherLanguage
    from .instructions.following import InstructionFollowing as InstructionFollowing
    from .judge.cascade import Cascade as Cascade
    from .judge.model_verifier import ModelVerifier as ModelVerifier
    from .judge.opinions import Judge as Judge
    from .judge.reasoning_gym import ReasoningGym as ReasoningGym
    from .judge.rubric import Rubric as Rubric
    from .korean.answer_template import KoreanAnswerTemplate as KoreanAnswerTemplate
    from .maths.equivalence import MathEquivalence as MathEquivalence
    from .metrics.bert_score import BertScore as BertScore
    from .metrics.bleu_and_chrf import Bleu as Bleu
    from .metrics.bleu_and_chrf import Chrf as Chrf
    from .metrics.bleurt import Bleurt as Bleurt
    from .metrics.error_rate import ErrorRate as ErrorRate
    from .metrics.rouge import Rouge as Rouge
    from .metrics.semantic_similarity import SemanticSimilarity as SemanticSimilarity
    from .process.answer_follows import AnswerFollows as AnswerFollows
    from .process.equation_chain import EquationChain as EquationChain
    from .process.numbers_grounded import NumbersGrounded as NumbersGrounded
    from .process.orm_score import OrmScore as OrmScore
    from .process.prm_score import PrmScore as PrmScore
    from .text.exact_match import ExactMatch as ExactMatch
    from .text.json_schema import JsonSchema as JsonSchema
    from .text.keywords import Keywords as Keywords
    from .text.language_consistency import LanguageConsistency as LanguageConsistency
    from .text.length import Length as Length
    from .text.multiple_choice import LastLabel as LastLabel
    from .text.multiple_choice import MultipleChoice as MultipleChoice
    from .text.pattern import Regex as Regex
    from .text.refusal import Refusal as Refusal
    from .text.repetition import Repetition as Repetition
    from .text.tag_format import TagFormat as TagFormat
    from .text.token_f1 import TokenF1 as TokenF1
    from .tools.sql_result import SqlResult as SqlResult
    from .tools.task_success import TaskSuccess as TaskSuccess
    from .tools.tool_call import ToolCall as ToolCall
    # end of public names


def __getattr__(name: str) -> Any:
    # Nothing is loaded before it is used: `import verifiers` is cheap, and pulls in no sympy or torch.
    if name == "__all__":
        return _all_names()
    if name.startswith("_"):
        raise AttributeError(f"module 'verifiers' has no attribute {name!r}")
    core = import_module(".core", __name__)
    if name in _EVERYDAY:
        value = getattr(core, name)
    else:
        registry = next((each for each in (core.VERIFIERS, core.EXTRACTORS) if name in each.homes()), None)
        if registry is None:
            raise AttributeError(f"module 'verifiers' has no attribute {name!r}")
        value = registry.get(name)
    globals()[name] = value
    return value


def _all_names() -> list[str]:
    core = import_module(".core", __name__)
    return sorted({*_EVERYDAY, *core.VERIFIERS.homes(), *core.EXTRACTORS.homes(), *_MARKS})


def __dir__() -> list[str]:
    return sorted({*globals(), *_all_names()})


_lead_here(__name__)
