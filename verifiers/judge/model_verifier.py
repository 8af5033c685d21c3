"""Models that were trained to compare an answer with a reference, by the forms of their questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

from ..core.checks import Range
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..language.openers import only_opens
from .asking import Answers, Endpoint, Question, ask_all
from .judge_dialogue import FormError, Reply, as_read


class Form(NamedTuple):
    """Questions to a family of verifier models, and the meaning of their replies.

    Args:
        asks: The question, with places for the prompt, the reference and the completion.
        reads: Finds the verdict in a reply; its last match counts.
        right: Its label for a right answer.
        wrong: Its label for a wrong answer.
    """

    asks: str
    reads: re.Pattern[str]
    right: frozenset[str]
    wrong: frozenset[str]


_PARTS = "Question:\n{prompt}\n\nReference answer:\n{reference}\n\nAnswer to judge:\n{completion}\n\n"
FORMS: Mapping[str, Form] = {
    "xverify": Form(
        "Does the answer below come to the same as the reference? Reply with [Correct] or [Incorrect].\n\n"
        + _PARTS,
        re.compile(r"\b(?P<said>correct|incorrect)\b", re.IGNORECASE),
        frozenset(("correct",)),
        frozenset(("incorrect",)),
    ),
    "compass": Form(
        "Judge the answer below by the reference. Reply with one letter: A if it is correct, "
        "B if it is incorrect, C if it is incomplete, repeats itself or refuses.\n\n" + _PARTS,
        re.compile(
            r"(?:\\boxed\{\s?|\A\s*|(?:judge?ment|verdict|answer)\s?[:：]\s?)(?P<said>[ABC])\b", re.IGNORECASE
        ),
        frozenset(("a",)),
        frozenset(("b", "c")),
    ),
    "general": Form(
        _PARTS + 'Is the answer equivalent to the reference? End with the line "Final Decision: Yes" or '
        '"Final Decision: No".',
        re.compile(r"final\s+decision\s?[:：]\s{0,4}\**\s?(?P<said>yes|no)\b", re.IGNORECASE),
        frozenset(("yes",)),
        frozenset(("no",)),
    ),
}
"""By the families' names. The words are this library's; labels and layout are those that they know."""
_MARKS = re.compile(r"<(?=[|/]?[A-Za-z_])|\[(?=/?INST\])")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ModelVerifier(Verifier):
    """Ask a served model that was trained to compare an answer with a reference.

    Such a model knows one form of question and replies with a label. It sees the completion as plain text, so
    use it after rules, as the second part of a `Cascade`, which limits what it can add.

    Args:
        url: Base of the API; "" if there is no model, which leaves every row unscored.
        model: Name of the model on the server.
        form: ``xverify`` ([Correct], [Incorrect]), ``compass`` (A, B, C) or ``general`` (Final Decision:
            Yes).
        max_chars: Longest response; a longer one scores 0.0 without a call.
        max_tokens: Longest reply.
        key_variable: Environment variable with the API key.
        concurrency: Number of rows in flight.
        timeout: Seconds per request.
        retries: Number of further tries after a temporary failure.
        deadline: Seconds per row.

    Raises:
        ConfigError: `url` is no URL, or comes without a model.

    >>> print(ModelVerifier().verify("42", "42"))
    ModelVerifier unscored no_judge
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "right": "the model says that the answer is right",
        "wrong": "the model says that it is wrong",
        "no_judge": "no model is configured",
        "no_answer": "there is no text to judge",
        "too_long": "the text is longer than max_chars",
        "no_form": "the model's reply has none of its labels",
        "service_failed": "the service gave no answer",
        "service_refused": "the service does not take this judge: its key, address or model",
    }

    url: str = ""
    model: str = ""
    form: Literal["xverify", "compass", "general"] = "general"
    max_chars: Annotated[int, Range(least=1)] = 20_000
    max_tokens: Annotated[int, Range(least=8)] = 1024
    key_variable: str = "OPENAI_API_KEY"
    concurrency: Annotated[int, Range(least=1)] = 16
    timeout: Annotated[float, Range(above=0, unit="seconds")] = 60.0
    retries: Annotated[int, Range(least=0)] = 3
    deadline: Annotated[float, Range(above=0, unit="seconds")] = 300.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.url or self.model:
            self.endpoint().check("ModelVerifier")

    def endpoint(self) -> Endpoint:
        """Return the model's server and the settings of its requests."""
        return Endpoint(
            url=self.url,
            model=self.model,
            key_variable=self.key_variable,
            temperature=0.0,
            max_tokens=self.max_tokens,
            seed=0,
            form="text",
            concurrency=self.concurrency,
            timeout=self.timeout,
            retries=self.retries,
            deadline=self.deadline,
        )

    def check(self, sample: Sample) -> Verdict:
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        if not self.url:
            return [self.unscored("no_judge", "give url and model") for _ in samples]
        made = {
            row: found for row, sample in enumerate(samples) if (found := self._refused(sample)) is not None
        }
        asked = [row for row in range(len(samples)) if row not in made]
        answered = ask_all(self.endpoint(), [self._question(samples[row]) for row in asked])
        made.update(zip(asked, map(self._verdict, answered), strict=True))
        return [made[row] for row in range(len(samples))]

    def _refused(self, sample: Sample) -> Verdict | None:
        text = as_read(sample.response).strip()
        if sample.open_thinking or not text or only_opens(text):
            return self.scored(0.0, "no_answer")
        if len(text) > self.max_chars:
            return self.scored(0.0, "too_long", f"{len(text):,} characters")
        return None

    def _question(self, sample: Sample) -> Question[bool]:
        form = FORMS[self.form]
        reference = sample.reference
        if isinstance(reference, list | tuple):
            reference = " / ".join(map(str, reference))
        parts = {"prompt": sample.prompt, "reference": str(reference), "completion": sample.response}
        # Marks of chat templates are spelt with a blank, so that no text of a row begins a turn.
        plain = {
            name: _MARKS.sub(lambda mark: f"{mark.group()} ", as_read(each)) for name, each in parts.items()
        }
        message = {"role": "user", "content": form.asks.format(**plain)}
        return Question((message,), {}, "", bool, reading=lambda reply: label_of(form, reply))

    def _verdict(self, answers: Answers[bool]) -> Verdict:
        if answers.service:
            reason = "service_refused" if answers.refused else "service_failed"
            return self.unscored(reason, answers.service[:500])
        if not answers.said:
            return self.unscored("no_form", answers.formless[0][:300])
        right = answers.said[0]
        return self.scored(float(right), "right" if right else "wrong")

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt", "prompts")


def label_of(form: Form, reply: Reply) -> bool:
    """Return whether a reply calls the answer right.

    Raises:
        FormError: It has none of the form's labels, or was cut off.
    """
    if reply.refusal or reply.cut:
        raise FormError("the reply was declined or cut off")
    said = reply.text.rpartition("</think>")[2]
    found = [each["said"].casefold() for each in form.reads.finditer(said[-_LONGEST_REPLY:])]
    if not found or found[-1] not in form.right | form.wrong:
        raise FormError(f"none of the labels in {said[-200:]!r}")
    return found[-1] in form.right


_LONGEST_REPLY = 4_000
