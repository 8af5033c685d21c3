"""A generator made from a sampling backend: prompts with beginnings in, continuations and steps out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reward_verifiers.verifiers.process.steps import Steps

from ..generation import Backend, Generated, Prompt, Sampling
from .search_session import Continuation, Start


@dataclasses.dataclass(frozen=True)
class Writer:
    """A model with its sampling, which makes a generator for each prompt.

    Args:
        backend: Source of the samples.
        sampling: How; `k`, `max_tokens` and `seed` are the search's.
        steps: Definition of a step.
        rendered: A prompt as the text after which a completion begins.
        count: Tokens of a text, for what was cut, and for servers that count none.
        ask: Prompt for a revision.
    """

    backend: Backend
    sampling: Sampling
    steps: Steps
    rendered: Callable[[Prompt], str]
    count: Callable[[str], int]
    ask: str

    def of(self, prompt: Prompt) -> ModelGenerator:
        """Return the generator of a prompt."""
        return ModelGenerator(self, prompt)


@dataclasses.dataclass(frozen=True)
class ModelGenerator:
    """Continues completions of a prompt; see `search_session.Generator`.

    Whole completions are asked for as a trainer asks for them. A beginning is put after the prompt as plain
    text, since templates cut an assistant's turn that is not over, and servers refuse it; a server needs the
    route ``/completions`` for it.
    """

    writer: Writer
    prompt: Prompt

    def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> Sequence[Continuation]:
        """See `search_session.Generator`."""
        prompts = [self._prompt(start, step) for start in starts]
        sampling = dataclasses.replace(self.writer.sampling, k=1, max_tokens=most, seed=seed)
        made = self.writer.backend.generate(prompts, sampling)
        return [self._kept(start, one, step) for start, [one] in zip(starts, made, strict=True)]

    def _prompt(self, start: Start, step: bool) -> Prompt:
        if start.before is not None:
            return revision_prompt(self.prompt, *start.before, self.writer.ask)
        if start.prefix or step:
            return self.writer.rendered(self.prompt) + start.prefix
        return self.prompt

    def _kept(self, start: Start, made: Generated, step: bool) -> Continuation:
        count = self.writer.count
        tokens = made.tokens or count(made.text + (made.thinking or ""))
        if not step:
            return Continuation(made.text, tokens, made.finished, thinking=made.thinking)
        text = first_step(self.writer.steps, start.prefix, made.text)
        if len(text) == len(made.text):
            return Continuation(text, tokens, made.finished)
        return Continuation(text, tokens, False, kept=min(count(text), tokens))


def first_step(steps: Steps, prefix: str, text: str) -> str:
    r"""Return the first step of a continuation, up to the next one; all of it if there is none.

    Spaces before the next step are left to it: to most tokenizers they are part of its first word.

    >>> first_step(Steps(), "8+7=15.\n", "40+20=60. So 75.")
    '40+20=60.'
    >>> first_step(Steps("lines"), "8+7=15.\n", "40+20=60. So 75.\nDone")
    '40+20=60. So 75.\n'
    """
    whole = prefix + text
    new = [each for each in steps.split(whole) if each.end > len(prefix)]
    if len(new) < 2:
        return text
    return whole[len(prefix) : new[1].start].rstrip(" \t")


def revision_prompt(prompt: Prompt, completion: str, said: str, ask: str) -> Prompt:
    r"""Return the prompt of a revision: the completion, the judgement of it, and the request.

    >>> print(revision_prompt("2+2=?\n", "It is 5.", "ExactMatch: different", "Try again."))
    2+2=?
    It is 5.
    <BLANKLINE>
    ExactMatch: different
    Try again.
    <BLANKLINE>
    2+2=?
    <BLANKLINE>
    """
    told = "\n".join(filter(None, (said, ask)))
    if isinstance(prompt, str):
        return f"{prompt}{completion}\n\n{told}\n\n{prompt}"
    return [*prompt, {"role": "assistant", "content": completion}, {"role": "user", "content": told}]


def rendering(tokenizer: Any, options: Mapping[str, Any]) -> Callable[[Prompt], str]:
    """Return a function that renders prompts by the chat template, without the mark that encoding adds."""

    def rendered(prompt: Prompt) -> str:
        if isinstance(prompt, str):
            return prompt
        text: str = tokenizer.apply_chat_template(
            [dict(message) for message in prompt], add_generation_prompt=True, tokenize=False, **options
        )
        begin = tokenizer.bos_token
        adds = begin is not None and tokenizer(text="a")["input_ids"][:1] == [tokenizer.bos_token_id]
        return text.removeprefix(begin) if adds else text

    return rendered
