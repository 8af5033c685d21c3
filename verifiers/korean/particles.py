"""The form of a particle (조사) that a word takes."""

from __future__ import annotations

from ..errors import ConfigError
from .final_sounds import Sound, ending

_PAIRS = {
    "이": "가", "은": "는", "을": "를", "과": "와", "아": "야", "이여": "여", "이에요": "예요", "이어요": "여요",
    "이었": "였", "이었다": "였다", "이었습니다": "였습니다",
}  # fmt: skip
"""After a consonant: after a vowel. Particles that begin with 이 or 으 drop it, and need no row."""


def josa(word: str, pair: str) -> str:
    """The form of a particle that follows a word.

    Args:
        word: What comes before the particle; how it is read is said in `verifiers.korean.final_sounds.ending`.
        pair: The two forms, in either order: ``이/가``, ``은/는``, ``을/를``, ``와/과``, ``으로/로``,
            ``아/야``, ``이나/나``, ``이에요/예요`` and the like.

    Returns:
        One of the two forms; where the reading of the word cannot be told, both, as in ``이(가)``.

    Raises:
        ConfigError: The pair is not a particle's two forms.

    >>> josa("책", "이/가"), josa("7", "으로/로"), josa("國家", "은/는"), josa("50%", "을/를")
    ('이', '로', '는', '를')
    >>> josa("★", "이/가")
    '이(가)'
    """
    closed, opened = _forms(pair)
    found = ending(word)
    if found is None:
        return (
            f"({closed.removesuffix(opened)}){opened}" if closed.endswith(opened) else f"{closed}({opened})"
        )
    if found.sound is Sound.RIEUL and closed.startswith("으"):
        return opened
    return opened if found.sound is Sound.VOWEL else closed


def josa_fits(word: str, particle: str, pair: str) -> bool:
    """Whether a particle may follow a word; True for both forms where readers differ.

    >>> josa_fits("책", "가", "이/가"), josa_fits("R", "이", "이/가")
    (False, True)
    """
    closed, opened = _forms(pair)
    found = ending(word)
    if found is None or not found.sure:
        return particle in (closed, opened)
    return josa(word, pair) == particle


def _forms(pair: str) -> tuple[str, str]:
    """The form after a consonant, and the one after a vowel."""
    one, _, other = pair.partition("/")
    for closed, opened in ((one, other), (other, one)):
        if opened and (_PAIRS.get(closed) == opened or closed in (f"이{opened}", f"으{opened}")):
            return closed, opened
        # 이었/였 with any ending, 과의/와의, 은커녕/는커녕.
        for head, short in _PAIRS.items():
            if (
                len(closed) > len(head)
                and closed == head + opened.removeprefix(short)
                and opened.startswith(short)
            ):
                return closed, opened
    raise ConfigError(
        f"a particle is written as its two forms, such as '이/가' or '으로/로'; got {pair!r:.80}"
    )
