"""What an honest completion looks like behind the model's own chat template.

Many templates end a prompt with what the completion would otherwise begin with: an opened ``<think>``, a
block of thinking that is closed already, a code fence. A model goes on from there, so its completion has none
of it, and a reward of the format that asks for it pays nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_OPENED = re.compile(r"<([A-Za-z_][\w-]{0,30})>\s{0,8}\Z")
_CLOSED = re.compile(r"<([A-Za-z_][\w-]{0,30})>\s{0,8}</\1>\s{0,8}\Z")
_FENCE = re.compile(r"```[\w+-]{0,20}\n?\Z")
LOOKED = 400
"""Characters of a prompt's end that are looked at."""


@dataclass(frozen=True)
class Opening:
    """What a prompt ends with that a completion has not to write any more.

    Args:
        tag: That is opened, such as ``think``; empty for none.
        closed: Whether it is closed again, as where thinking is switched off.
        fence: The code fence that is opened; empty for none.
        end: Text that ends a completion and is not taken off: an end token that is no special one.
    """

    tag: str = ""
    closed: bool = False
    fence: str = ""
    end: str = ""

    def __str__(self) -> str:
        if self.tag:
            return f"<{self.tag}></{self.tag}>" if self.closed else f"<{self.tag}>"
        return self.fence.strip()

    def behind(self, completion: str) -> Iterator[str]:
        """A completion as the model would write it there; also after a thought that it has to end.

        >>> list(Opening("think").behind("<think>4 = 4</think>4"))
        ['4 = 4</think>4']
        >>> list(Opening("think").behind("4"))
        ['So it is.</think>4', '4']
        """
        text = completion + self.end
        begins = re.match(rf"\s{{0,8}}<{re.escape(self.tag)}>", text) if self.tag else None
        if self.fence:
            yield text.removeprefix(self.fence) if text.startswith("```") else text
        elif begins is not None and self.closed:
            yield text.partition(f"</{self.tag}>")[2]
        elif begins is not None:
            yield text[begins.end() :]
        elif self.tag and not self.closed:
            yield f"So it is.</{self.tag}>{text}"
            yield text
        else:
            yield text


def opening_of(prompt: Any, tokenizer: Any, options: Mapping[str, Any]) -> Opening:
    """What a row's prompt ends with.

    Args:
        prompt: As a row has it: a text, or messages.
        tokenizer: The model's, with its chat template.
        options: For the template, as ``model.chat_template_kwargs``.
    """
    end = _end(tokenizer)
    if isinstance(prompt, str):
        tail = prompt[-LOOKED:]
    else:
        whole = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True, **options)
        bare = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=False, **options)
        tail = whole[len(bare) :] if whole.startswith(bare) else whole[-LOOKED:]
    if found := _CLOSED.search(tail):
        return Opening(found[1], closed=True, end=end)
    if found := _OPENED.search(tail):
        return Opening(found[1], end=end)
    fence = _FENCE.search(tail)
    opened = fence is not None and tail.count("```") % 2 == 1
    return Opening(fence=fence[0] if fence is not None and opened else "", end=end)


def _end(tokenizer: Any) -> str:
    """What is left of the end token in a completion's text: nothing where it is a special one."""
    token = getattr(tokenizer, "eos_token_id", None)
    return "" if token is None else str(tokenizer.decode([token], skip_special_tokens=True))
