"""What people write around an answer, as data: one file for each language, and the table of them.

It imports nothing of ours. The engine above it (`verifiers.language.stance`, `verifiers.language.answers`) turns
the data into patterns; nothing else reads it.
"""

from .chinese import CHINESE
from .english import ENGLISH
from .korean import KOREAN
from .model import Language

LANGUAGES: tuple[Language, ...] = (ENGLISH, KOREAN, CHINESE)
"""Every language that answers are read in. A new one is one more file and one more name here."""

__all__ = ["CHINESE", "ENGLISH", "KOREAN", "LANGUAGES", "Language"]
