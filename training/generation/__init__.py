"""Generation: completions of prompts, by a model in this process or by a server.

Both backends take the same prompts and the same `Sampling`, and stream one list of completions for each
prompt, in the order of the prompts. Nothing else of this package is imported here; any code that samples
may import from here.

>>> sampling = Sampling(k=4, temperature=0.8, stop=("Question:",))
>>> sampling.max_tokens
512
>>> Sampling(k=4, temperature=0)
Traceback (most recent call last):
...
reward_verifiers.verifiers.errors.ConfigError: Sampling: temperature 0 is greedy, which gives k = 4
equal completions;
set k to 1, or a temperature above 0
"""

from __future__ import annotations

from .sampling_types import Backend, Generated, GenerationError, Prompt, Sampling
from .server_backend import ServerBackend
from .transformers_backend import TransformersBackend

__all__ = ["Backend", "Generated", "GenerationError", "Prompt", "Sampling", "ServerBackend",
           "TransformersBackend"]  # fmt: skip
