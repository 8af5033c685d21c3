"""What SkyRL's generator needs of a GPU: an engine that writes what it is told, and a tokenizer of bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

EOS = 256


class ByteTokenizer:
    """A token for each byte, and one for the end."""

    eos_token, eos_token_id, pad_token_id = "<eos>", EOS, 257

    def encode(self, text: str, add_special_tokens: bool = False) -> list[int]:
        """The bytes of a text."""
        return [*text.encode()]

    def decode(self, tokens: Sequence[int], **given: Any) -> str:
        """The text of bytes."""
        return bytes(token for token in tokens if token < EOS).decode(errors="replace")

    def apply_chat_template(
        self, conversation: Sequence[Mapping[str, str]], add_generation_prompt: bool = False, **given: Any
    ) -> list[int]:
        """Each message in a line, with the end after it."""
        tokens = [
            token
            for message in conversation
            for token in (*self.encode(f"{message['role']}: {message['content']}"), EOS)
        ]
        return [*tokens, *self.encode("assistant: ")] if add_generation_prompt else tokens


class ToldEngine:
    """An inference engine that answers each trajectory with what was written for it.

    Args:
        written: By "PROMPT_REPETITION", as the generator names its sessions.
    """

    model_name = "told"

    def __init__(self, written: Mapping[str, str]) -> None:
        self.written, self.finished = written, set[str]()

    async def generate(self, asked: Mapping[str, Any], model: str | None = None) -> dict[str, Any]:
        """One completion for each session."""
        texts = [self.written[session] for session in asked["session_ids"]]
        return {
            "responses": texts,
            "response_ids": [[*text.encode(), EOS] for text in texts],
            "stop_reasons": ["stop"] * len(texts),
        }

    async def finish_session(self, session: str) -> None:
        """The trajectory has ended."""
        self.finished.add(session)
