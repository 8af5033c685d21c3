"""Ending completions at stop texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reward_verifiers.verifiers.runtime.packages import require

# A tail that starts inside a character, or loses its first space, still shows the stop text whole.
MARGIN = 4


class StopTexts:
    """A stopping criterion that looks for texts in what each completion decodes to.

    transformers has one of its own, which compares the tokens of the prompt too, and therefore also stops
    at a text that began in the prompt; and it does not say where a completion ended.

    Args:
        tokenizer: The model's.
        stop: The texts.
        prompt_length: Tokens of the padded prompts.

    Attributes:
        ended: For each row that has ended, how many tokens it holds, those of its stop text included.
    """

    def __init__(self, tokenizer: Any, stop: Sequence[str], prompt_length: int) -> None:
        self.ended: dict[int, int] = {}
        self._tokenizer = tokenizer
        self._stop = stop
        self._start = prompt_length
        # No token but a skipped one is shorter than a byte.
        self._tail = max(len(each.encode()) for each in stop) + MARGIN

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Which rows end here: a boolean for each, as transformers asks for it."""
        torch = require("torch", extra="train")
        tails = input_ids[:, max(self._start, input_ids.shape[1] - self._tail) :].tolist()
        for row, text in enumerate(self._decode(tails)):
            if row not in self.ended and self._found(text):
                made = input_ids[row, self._start :].tolist()
                # A tail may decode to what the whole does not, so the whole decides.
                if self._found(self._decode([made])[0]):
                    self.ended[row] = len(made)
        return torch.tensor([row in self.ended for row in range(len(tails))], device=input_ids.device)

    def _decode(self, ids: list[list[int]]) -> list[str]:
        texts: list[str] = self._tokenizer.batch_decode(ids, skip_special_tokens=True)
        return texts

    def _found(self, text: str) -> bool:
        return any(each in text for each in self._stop)


def cut(text: str, stop: Sequence[str]) -> str:
    """The text before the first stop text.

    >>> cut("a; b. c;", (".", ";"))
    'a'
    """
    return text[: min((at for at in map(text.find, stop) if at >= 0), default=len(text))]


def special_stops(tokenizer: Any, stop: Sequence[str]) -> dict[str, int]:
    """The stop texts that are special tokens: decoding skips these, so no text shows them."""
    tokens = getattr(tokenizer, "added_tokens_decoder", {})
    special = {str(token): index for index, token in tokens.items() if token.special}
    return {each: special[each] for each in stop if each in special}
