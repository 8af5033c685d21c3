"""From whatever a trainer hands over to the text that is judged.

A completion is a string or a list of chat messages. Thinking is split off once, here, so that no
verifier can find an answer in it by accident. The *completion* is everything that the model wrote, the
*response* what stands outside its *thinking*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import renamed
from ..runtime.records import dataclass
from ..visible.seen import Form, Seen, see

# Every name that reasoning models and their templates use for the block that is not the response.
THINKING_TAGS = ("think", "thinking", "thought", "reasoning")
_THINK = re.compile(rf"<(?:(/?)(?:{'|'.join(THINKING_TAGS)})\s{{0,8}}>|\|(channel)\|>)", re.IGNORECASE)
"""A tag around thinking, or Harmony's mark: one pass looks for both."""
_MAY_CLOSE = re.compile(r"[<＜](?=[/<&]|[^\x00-\x7f])")
"""Possible start of a closing tag, disguised ones included."""
_FEW = 16
"""Signs that may end a tag which are looked at one by one: where few are, `str.find` beats a pattern."""
_LONGEST_TAG = len("</reasoning>") + 8
"""Characters of a tag around thinking, blanks included; Harmony's mark is shorter."""

# Harmony (gpt-oss): every message names its channel; only `final` is meant for the user.
_CHANNEL = "<|channel|>"
_HARMONY = re.compile(
    r"<\|channel\|>\s*+(\w++)[^<]*+<\|message\|>(.*?)(?:<\|(?:end|return|call|start)\|>|\Z)", re.DOTALL
)
# The same after a tokenizer dropped the special tokens: "analysisWe need ... assistantfinal42".
_HARMONY_BARE = re.compile(r"\s*analysis(?=[A-Z<\"'\d]|[^\W_a-z](?<![\x00-\u024f]))")
_HARMONY_BARE_FINAL = "assistantfinal"


@dataclass(frozen=True)
class SplitCompletion:
    """The text of a completion, split into thinking and response.

    Tags mark thinking in the original text, as for servers and templates. Disguised tags (full-width, with
    invisible characters or markup) count only in the text outside plain tags, and in a block that is never
    closed. So thinking cannot hide as a response, nor a response as thinking.

    Args:
        completion: The whole text, thinking included.
        response: The text outside thinking, unchanged.
        thinking: The thinking, without its tags.
        open_thinking: A thinking block opens and never closes.
        separate_thinking: Thinking came in a field of its own; `completion` shows it in tags.
        content: The original text before the split. None for a text of another origin, such as a part of an
            answer, which has no thinking and no place in a completion.
        messages: The original chat messages; None if the completion was a text.
        responses: Places of the pieces of the response in `content`.
    """

    completion: str
    response: str
    thinking: str
    open_thinking: bool
    separate_thinking: bool = False
    content: str | None = None
    messages: Sequence[Any] | None = None
    responses: tuple[tuple[int, int], ...] = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "thinking" and _THOUGHTS in self.__dict__:
                # A copy of all but the answer: made for who asks, since a batch of answers needs none.
                thinking = self.__dict__[name] = _joined(self.completion, self.__dict__[_THOUGHTS])
                return thinking
            raise renamed("a split completion", name, {"answer": "response", "text": "completion"})

    def seen(self, form: Form = "visible", keep: frozenset[str] = frozenset()) -> Seen:
        """Return the visible text outside thinking, with a map of its spans back to the original text.

        It is computed once for all verifiers.

        Args:
            form: See `Sample.seen`.
            keep: Tag names, in lower case, that a caller looks for.
        """
        known: dict[str, Seen] = self.__dict__
        key = " ".join((form, *sorted(keep))) if keep else form
        if key not in known:
            known[key] = self._shown(form, keep)
        return known[key]

    def _shown(self, form: Form, keep: frozenset[str]) -> Seen:
        content = self.content
        if content is None:
            return see(self.response, form, keep=keep, is_placed=False)
        if self.open_thinking and _MAY_CLOSE.search(content):
            whole = see(content, form, keep=keep)
            return whole.picked(_taken_apart(whole.text).responses)
        came = Seen(content).picked(self.responses)
        shown = see(came, form, keep=keep)
        if shown is came:
            return came
        if len(came.text) == len(content):
            return shown.picked(_taken_apart(shown.text).responses)
        told = _by_tags(shown.text, _think_tags(shown.text))
        return shown.picked(told.responses)


def split_completion(completion: object) -> SplitCompletion | None:
    """Split a completion; return None if it is neither text nor chat messages.

    Verifiers accept the result as a completion, so several can share one split.

    >>> split_completion("<think>2+2</think>4")  # doctest: +ELLIPSIS
    SplitCompletion(completion='<think>2+2</think>4', response='4', thinking='2+2', ...)
    >>> split_completion([{"role": "assistant", "reasoning_content": "2+2", "content": "4"}]).thinking
    '2+2'
    """
    if isinstance(completion, str):
        return split_thinking(completion)
    if isinstance(completion, SplitCompletion):
        return completion
    if type(completion) is list:  # as most are: the others take longer to tell
        return _split_messages(completion)
    if isinstance(completion, Mapping):
        completion = [completion]
    if not isinstance(completion, Sequence) or isinstance(completion, bytes | bytearray):
        return None
    return _split_messages(completion)


def question_text(prompt: object) -> str:
    """The question that a prompt asks: a text as it is, of chat messages the text of the user's last one.

    What an assistant or a tool wrote in a conversation is no question. Anything else asks nothing ("").

    >>> question_text([{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "<think>"}])
    '2+2?'
    """
    if isinstance(prompt, str):
        return prompt
    if isinstance(prompt, Mapping):
        prompt = [prompt]
    if not isinstance(prompt, Sequence) or isinstance(prompt, bytes | bytearray):
        return ""
    for message in reversed(prompt):
        if isinstance(message, Mapping) and message.get("role") == "user":
            return _content_text(message.get("content"))[0]
    return ""


def split_thinking(text: str) -> SplitCompletion:
    r"""Split text into thinking and response.

    A close without an open ends a block that the chat template opened, so all text before it was
    thinking; a block that is never closed leaves no response. A second open inside a block is text.

    >>> split_thinking("so it is 4</think>4").response
    '4'
    >>> split_thinking("<think>so it is \\boxed{4}").open_thinking
    True
    """
    responses, thoughts, is_open = _taken_apart(text)
    split = object.__new__(SplitCompletion)
    split.__dict__.update(
        completion=text,
        response=_joined(text, responses),
        open_thinking=is_open,
        separate_thinking=False,
        content=text,
        messages=None,
        responses=tuple([span for span in responses if span[0] < span[1]]),
    )
    split.__dict__[_THOUGHTS] = thoughts
    return split


_THOUGHTS = "thoughts at"
"""Under which a split completion keeps where its thinking stands, until somebody asks for it."""


class _Spans(NamedTuple):
    """Positions of the parts of a text."""

    responses: list[tuple[int, int]]
    thoughts: list[tuple[int, int]]
    open_thinking: bool


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> str:
    if not spans:
        return ""
    first = text[slice(*spans[0])]
    return first if len(spans) == 1 else first + "".join([text[start:end] for start, end in spans[1:]])


def _taken_apart(text: str) -> _Spans:
    tags = _think_tags(text)
    for tag in tags:
        if tag.group() == _CHANNEL:
            return _of_harmony(text)
    if text.find("analysis", 0, 32) >= 0 and (bare := _HARMONY_BARE.match(text)):
        final = text.rfind(_HARMONY_BARE_FINAL, bare.end())
        if final < 0:
            return _Spans([], [(bare.end(), len(text))], True)
        response = (final + len(_HARMONY_BARE_FINAL), len(text))
        return _Spans([response], [(bare.end(), final)], False)
    return _by_tags(text, tags)


def _by_tags(text: str, tags: Sequence[re.Match[str]]) -> _Spans:
    if not tags:
        return _Spans([(0, len(text))], [], False)
    responses: list[tuple[int, int]] = []
    thoughts: list[tuple[int, int]] = []
    start, inside = 0, False
    for tag in tags:
        if tag.group(2):
            continue  # no mark of Harmony's, but for its capitals
        if tag.group(1):
            if not inside:
                thoughts.extend(responses)
                responses.clear()
            thoughts.append((start, tag.start()))
            start, inside = tag.end(), False
        elif not inside:
            responses.append((start, tag.start()))
            start, inside = tag.end(), True
    if inside:
        return _Spans([], [*thoughts, (start, len(text))], True)
    return _Spans([*responses, (start, len(text))], thoughts, False)


def _think_tags(text: str) -> list[re.Match[str]]:
    """The tags of a text, found by what ends them.

    `str.find` looks for the low byte of a sign. That of ">" is the low byte of rare syllables of Hangul, that
    of "<" the low byte of common ones (U+C73C), which would stop it in every sentence.
    """
    tags: list[re.Match[str]] = []
    last = end = text.find(">")
    for _ in range(_FEW):
        if end < 0:
            return tags
        start = text.rfind("<", max(0, end - _LONGEST_TAG), end)
        if start >= 0 and (tag := _THINK.fullmatch(text, start, end + 1)) is not None:
            tags.append(tag)
        last, end = end, text.find(">", end + 1)
    return tags if end < 0 else [*tags, *_THINK.finditer(text, last + 1)]


def _of_harmony(text: str) -> _Spans:
    thoughts: list[tuple[int, int]] = []
    response = None
    for message in _HARMONY.finditer(text):
        if message.group(1) == "final":
            response = message.span(2)
        else:
            thoughts.append(message.span(2))
    return _Spans([] if response is None else [response], thoughts, response is None)


def _split_messages(messages: Sequence[object]) -> SplitCompletion | None:
    last: tuple[str, str] | None = None
    for message in messages:
        if type(message) is not dict and not isinstance(message, Mapping):
            return None
        if message.get("role", "assistant") != "assistant":
            continue
        text, inner = _content_text(message.get("content"))
        separate = message.get("reasoning_content") or message.get("reasoning") or message.get("thinking")
        thinking = (separate if isinstance(separate, str) else "") + inner
        if text.strip() or thinking or last is None:
            last = (text, thinking)
    text, thinking = ("", "") if last is None else last  # an assistant that said nothing: an empty completion
    split = split_thinking(text)
    split.__dict__["messages"] = messages  # nobody else has seen it yet
    if not thinking:
        return split
    # One text in which the thinking is where a template would have put it.
    whole = f"<think>{thinking}</think>{text}"
    return SplitCompletion(
        whole,
        split.response,
        thinking + split.thinking,
        split.open_thinking,
        True,
        text,
        messages,
        split.responses,
    )


def _content_text(content: Any) -> tuple[str, str]:
    """The text and the thinking of a message's content: a string, or typed parts."""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, Sequence):
        return "", ""
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            if isinstance(part.get("text"), str):
                texts.append(part["text"])
            elif isinstance(part.get("thinking"), str):
                thoughts.append(part["thinking"])
    return "".join(texts), "".join(thoughts)
