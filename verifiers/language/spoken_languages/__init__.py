"""Words around an answer, as data: one file for each language.

English, Korean and Chinese are data of an engine (`model.Language`): `verifiers.language.stance` and
`verifiers.language.sentences` turn them into patterns. The others are tables of plain words (`word_table.Table`):
`recognised` loads them when a text shows no language of the engine, and `table_reading` reads them. Whatever
file has a ``TABLE`` is one; CONTRIBUTING.md shows how to add it. Nothing else of ours is imported here.
"""

from .chinese import CHINESE
from .english import ENGLISH
from .korean import KOREAN
from .model import Language

LANGUAGES: tuple[Language, ...] = (ENGLISH, KOREAN, CHINESE)
"""Every language that answers are read in. A new one is one more file and one more name here."""

__all__ = ["CHINESE", "ENGLISH", "KOREAN", "LANGUAGES", "Language"]
