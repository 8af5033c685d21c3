"""The wrappings that an answer comes in: which of them a reward pays is found by trying."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SLOT = "{}"
WORK = "I work through it step by step and check each part."


@dataclass(frozen=True)
class Form:
    """A wrapping.

    Args:
        name: What findings call it.
        text: With `SLOT` where the answer goes.
    """

    name: str
    text: str

    def of(self, answer: str) -> str:
        """The completion that gives an answer so."""
        return self.text.replace(SLOT, answer)


FORMS = (
    Form("bare", SLOT),
    Form("boxed", "\\boxed{" + SLOT + "}"),
    Form("answer tag", f"<answer>{SLOT}</answer>"),
    Form("hash marks", f"#### {SLOT}"),
    Form("sentence", f"The answer is {SLOT}."),
    Form("label", f"Answer: {SLOT}"),
    Form("final answer", f"The final answer is: {SLOT}"),
    Form("boxed mathematics", "$\\boxed{" + SLOT + "}$"),
    Form("bold", f"**{SLOT}**"),
    Form("think and answer tags", f"<think>{WORK}</think><answer>{SLOT}</answer>"),
    Form("think and answer tags on lines", f"<think>\n{WORK}\n</think>\n<answer>\n{SLOT}\n</answer>"),
    Form("think and boxed", f"<think>\n{WORK}\n</think>\n\n\\boxed{{{SLOT}}}"),
    Form("think and bare", f"<think>\n{WORK}\n</think>\n\n{SLOT}"),
    Form("THINK and SOLUTION tags", f"<THINK>{WORK}</THINK><SOLUTION>{SLOT}</SOLUTION>"),
    Form("boxed in an answer tag", f"<think>{WORK}</think><answer>\\boxed{{{SLOT}}}</answer>"),
    Form("JSON", '{"answer": "' + SLOT + '"}'),
    Form("work and a label", f"{WORK}\nFinal Answer: {SLOT}"),
    Form("Korean label", f"정답: {SLOT}"),
    Form("Korean sentence", f"정답은 {SLOT}입니다."),
)
"""From short to long."""


def forms_for(about: Mapping[str, Any]) -> list[Form]:
    """All forms, with those of the tags and words that a reward itself names.

    Args:
        about: What `child.prepare` said of it.
    """
    own: list[Form] = []
    literals = about.get("literals", {})
    names = list(literals.get("tags", ()))
    own += [Form(f"{name} tag", f"<{name}>{SLOT}</{name}>") for name in names]
    groups: list[Sequence[str]] = [*about.get("tags", ())]
    groups += [(first, last) for first in names for last in names if first != last]
    for group in groups:
        *before, last = group
        inner = "".join(f"<{tag}>{WORK}</{tag}>" for tag in before)
        lines = "".join(f"<{tag}>\n{WORK}\n</{tag}>\n" for tag in before)
        own.append(Form(f"tags {', '.join(group)}", f"{inner}<{last}>{SLOT}</{last}>"))
        own.append(Form(f"tags {', '.join(group)} on lines", f"{lines}<{last}>\n{SLOT}\n</{last}>"))
    own += [
        Form(f"after {text.strip()!r}", f"{text.rstrip()} {SLOT}")
        for text in literals.get("texts", ())
        if text.rstrip().endswith((":", "=", "is", "####")) and len(text) < 40
    ]
    known: dict[str, Form] = {}
    for form in (*FORMS, *own):
        known.setdefault(form.text, form)
    return list(known.values())
