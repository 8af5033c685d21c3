"""A question and its steps as token ids, with the places at which a model is read.

How published models of steps are asked is data here: what stands around steps, and where a score is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ..language.normalization import without_surrogates
from ..metrics.text_metric import UnusableError
from ..runtime.patterns import lazy
from .steps import By

Layout = Literal["turn", "turns", "text"]
"""``turn``: all steps in one message of the assistant. ``turns``: each step is a message of the user, which
the assistant labels. ``text``: no chat template."""
Reads = Literal["labels", "words", "value"]
"""``labels``: a head of two labels, of which the second is right. ``words``: the next token is one of two
words. ``value``: a head of one number, through a sigmoid."""
FormatName = Literal["qwen", "math_shepherd", "rlhflow", "skywork", "trl"]


@dataclass(frozen=True)
class StepFormat:
    r"""Format that a model of steps was trained on.

    Args:
        source: Source of its authors.
        by: End of a step; see `Steps`.
        layout: Text around the steps.
        reads: Output of the model that counts.
        published: Its authors' way to combine the steps.
        separator: End of a step; the model is read at its last token. None for ``turns``, where the model is
            read before the assistant's word.
        is_single: The separator must be one token.
        after_question: Between question and first step.
        is_joined: The first step goes on in the text of the question.
        after_step: Between a separator and the next step.
        system: The first message of a chat.
        words: For ``words``: tokens for right and wrong.
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


_MARKER = lazy("\ue000(\\d+)\ue001")
"""Stands for a text while a chat template is filled in, so that no text is read as the template's own."""


class Laid(NamedTuple):
    """Token ids of a row, and where a score is read: one place for each step."""

    ids: list[int]
    places: list[int]


class Encoder:
    """A tokenizer that tells what a format says from what a question or a completion says.

    Special tokens that stand in a text are encoded as the characters that they are written with; where a
    tokenizer has no other way to write them they are left out.

    Args:
        model: Its name, for messages.
        tokenizer: A tokenizer of transformers. Not to be used by two threads at once.
    """

    def __init__(self, model: str, tokenizer: Any) -> None:
        self.model = model
        self.tokenizer = tokenizer
        special = {place for place, token in tokenizer.added_tokens_decoder.items() if token.special}
        self.reserved = frozenset({*special, *tokenizer.all_special_ids} - {tokenizer.unk_token_id})
        self._known: dict[str, list[int]] = {}

    def markup(self, text: str) -> list[int]:
        """Token ids of what a format says: its special tokens are meant."""
        if text not in self._known:
            self._known[text] = self._ids(text, False)
        return self._known[text]

    def plain(self, text: str, after: str = "", without: frozenset[int] = frozenset()) -> list[int]:
        """Token ids of a text that goes on after another; none of them is special, or in `without`."""
        text = without_surrogates(text)
        ids = self._ids(after + text, True)
        if after:
            start = self.markup(after)
            ids = ids[len(start) :] if ids[: len(start)] == start else self._ids(text, True)
        return [each for each in ids if each not in self.reserved and each not in without]

    def word(self, text: str, single: bool = True) -> list[int]:
        """The ids of a word that a format needs.

        Raises:
            UnusableError: The tokenizer does not know it, or writes it with several tokens.
        """
        ids = self.markup(text)
        if not ids or self.tokenizer.unk_token_id in ids or (single and len(ids) > 1):
            raise UnusableError("bad_model", f"{self.model!r} has no token {text!r}, which its format needs")
        return ids

    def start(self) -> list[int]:
        """Return the first tokens of a text without a chat template."""
        first = self.tokenizer.bos_token_id
        return [] if first is None else [first]

    def chat(self, messages: Sequence[tuple[str, int | str]]) -> Iterator[list[int] | int]:
        """A conversation by the tokenizer's template: token ids, and between them the numbers of texts.

        Args:
            messages: Roles, each with the number of a text (from 0, in order) or with a text of the format's.

        Raises:
            UnusableError: There is no template, or it does not show every text once and in order.
        """
        filled = [
            {"role": role, "content": text if isinstance(text, str) else f"\ue000{text}\ue001"}
            for role, text in messages
        ]
        if not getattr(self.tokenizer, "chat_template", None):
            raise UnusableError("bad_model", f"the tokenizer of {self.model!r} has no chat template")
        try:
            shown = self.tokenizer.apply_chat_template(filled, tokenize=False)
        except Exception as error:  # of the template, which has seen no text
            raise UnusableError(
                "bad_model", f"the chat template of {self.model!r} refuses: {error}"[:300]
            ) from error
        pieces = _MARKER.split(shown)
        wanted = [text for _, text in messages if isinstance(text, int)]
        if [int(each) for each in pieces[1::2]] != wanted:
            raise UnusableError("bad_model", f"the chat template of {self.model!r} leaves messages out")
        for place, piece in enumerate(pieces):
            if place % 2:
                yield int(piece)
            elif piece:
                yield self.markup(piece)

    def _ids(self, text: str, is_plain: bool) -> list[int]:
        found = self.tokenizer(text, add_special_tokens=False, split_special_tokens=is_plain, verbose=False)
        return list(found["input_ids"])


def solution_ids(encoder: Encoder, question: str, text: str) -> list[int]:
    """A question and a whole solution by the chat template, as models of outcomes read them.

    Raises:
        UnusableError: The tokenizer has no template that shows both.
    """
    ids: list[int] = []
    for piece in encoder.chat([("user", 0), ("assistant", 1)]):
        ids += piece if isinstance(piece, list) else encoder.plain(text if piece else question)
    return ids


class StepLayout:
    """Puts a question and steps into a format.

    Args:
        form: The format.
        encoder: The model's.

    Raises:
        UnusableError: The tokenizer lacks a token of the format.
    """

    def __init__(self, form: StepFormat, encoder: Encoder) -> None:
        self.form = form
        self.encoder = encoder
        self.separator = encoder.word(form.separator, form.is_single) if form.separator else []
        self.words = [encoder.word(word, False)[-1] for word in form.words] if form.reads == "words" else []
        if len(set(self.words)) < len(self.words):
            raise UnusableError(
                "bad_model", f"{encoder.model!r} has one token for {' and '.join(form.words)}"
            )
        # What only separators may be: a step must not look like two.
        self._without = frozenset(self.separator[-1:])

    def laid(self, question: str, steps: Sequence[str]) -> Laid:
        """A row; there is at least one step."""
        form = self.form
        if form.separator.isspace():
            steps = [" ".join(step.splitlines()) for step in steps]
        lead = question + form.after_question
        first = lead + steps[0] if form.is_joined else steps[0]
        texts = [self._plain(first)] + [
            self._plain(form.after_step + step, form.separator if form.after_step else "")
            for step in steps[1:]
        ]
        if form.layout == "turns":
            return self._turns(texts)
        start = [] if form.is_joined else self.encoder.plain(lead)
        if form.layout == "turn":
            return self._turn(start, texts)
        return self._separated([*self.encoder.start(), *start], texts)

    def _plain(self, text: str, after: str = "") -> list[int]:
        return self.encoder.plain(text, after, self._without)

    def _separated(self, ids: list[int], texts: Sequence[list[int]]) -> Laid:
        places = []
        for text in texts:
            ids += text
            ids += self.separator
            places.append(len(ids) - 1)
        return Laid(ids, places)

    def _turn(self, question: list[int], texts: Sequence[list[int]]) -> Laid:
        laid = Laid([], [])
        messages: list[tuple[str, int | str]] = [("user", 0), ("assistant", 1)]
        if self.form.system:
            messages.insert(0, ("system", self.form.system))
        for piece in self.encoder.chat(messages):
            if isinstance(piece, list):
                laid.ids.extend(piece)
            elif piece == 0:
                laid.ids.extend(question)
            else:
                laid.places.extend(self._separated(laid.ids, texts).places)
        return laid

    def _turns(self, texts: Sequence[list[int]]) -> Laid:
        laid = Laid([], [])
        messages: list[tuple[str, int | str]] = []
        for place in range(len(texts)):
            messages += [("user", 2 * place), ("assistant", 2 * place + 1)]
        for piece in self.encoder.chat(messages):
            if isinstance(piece, list):
                laid.ids.extend(piece)
            elif piece % 2:
                laid.places.append(len(laid.ids) - 1)
                laid.ids.append(self.words[0])
            else:
                laid.ids.extend(texts[piece // 2])
        return laid
