"""How published models of steps are asked, as data: what stands around steps, and where a score is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..steps import By

Layout = Literal["turn", "turns", "text"]
"""``turn``: all steps in one message of the assistant. ``turns``: each step is a message of the user, which
the assistant labels. ``text``: no chat template."""
Reads = Literal["labels", "words", "value"]
"""``labels``: a head of two labels, of which the second is right. ``words``: the next token is one of two
words. ``value``: a head of one number, through a sigmoid."""
FormatName = Literal["qwen", "math_shepherd", "rlhflow", "skywork", "trl"]


@dataclass(frozen=True)
class StepFormat:
    r"""What a model of steps was trained on.

    Args:
        source: Where its authors say so.
        by: What ends a step; see `Steps`.
        layout: What stands around the steps.
        reads: What is read of the model.
        published: How its authors make one figure of the steps.
        separator: What ends a step; its last token is where the model is read. Of ``turns``, where the model
            is read before the assistant's word, none.
        is_single: The separator must be one token.
        after_question: Between question and first step.
        is_joined: The first step goes on in the text of the question.
        after_step: Between a separator and the next step.
        system: The first message of a chat.
        words: Of ``words``: what stands for right and for wrong.
    """

    source: str
    by: By
    layout: Layout
    reads: Reads
    published: str
    separator: str = ""
    is_single: bool = True
    after_question: str = ""
    is_joined: bool = False
    after_step: str = ""
    system: str = ""
    words: tuple[str, str] = ("+", "-")


FORMATS: dict[str, StepFormat] = {
    "qwen": StepFormat(
        source="Qwen/Qwen2.5-Math-PRM-7B (arXiv:2501.07301)",
        by="paragraphs",
        layout="turn",
        reads="labels",
        published="product",
        separator="<extra_0>",
        system="Please reason step by step, and put your final answer within \\boxed{}.",
    ),
    "math_shepherd": StepFormat(
        source="peiyi9979/math-shepherd-mistral-7b-prm (arXiv:2312.08935)",
        by="lines",
        layout="text",
        reads="words",
        published="min",
        separator="ки",
        after_question=" ",
        is_joined=True,
        after_step="\n",
    ),
    "rlhflow": StepFormat(
        source="RLHFlow/Llama3.1-8B-PRM-Deepseek-Data (RLHFlow/RLHF-Reward-Modeling, math-rm)",
        by="paragraphs",
        layout="turns",
        reads="words",
        published="mean",
        after_question=" ",
        is_joined=True,
    ),
    "skywork": StepFormat(
        source="Skywork/Skywork-o1-Open-PRM-Qwen-2.5-7B (SkyworkAI/skywork-o1-prm-inference)",
        by="lines",
        layout="text",
        reads="value",
        published="",
        separator="\n",
        after_question="\n",
    ),
    "trl": StepFormat(
        source="TRL's PRMTrainer, until 1.13",
        by="paragraphs",
        layout="text",
        reads="labels",
        published="",
        separator="\n",
        is_single=False,
    ),
}
"""The formats that `PrmScore` knows."""
