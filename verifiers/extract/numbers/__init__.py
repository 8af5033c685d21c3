"""Numbers of texts without any mark: the last that stands, or the only one. `extract.chain` asks for them."""

from .bare import is_bare
from .last_number import LastNumber
from .only_number import OnlyNumber

__all__ = ["LastNumber", "OnlyNumber", "is_bare"]
