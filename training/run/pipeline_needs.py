"""External needs of a pipeline, checked before it begins, and the services that it starts."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reward_verifiers.verifiers import ConfigError, Judge

from ..config import Data, Model, RunConfig, Service, may_need_hub
from ..config.config_files import imported
from ..config.hub_names import is_local
from ..data import read_rows
from ..environment import barrier, rank
from ..models.model_loading import load_tokenizer
from .run_folder import is_done
from .run_inputs import reward_of

PATIENCE = 60.0
"""Seconds that a judge has for the question which shows that it is there."""


@dataclass(frozen=True)
class Need:
    """An external need.

    Args:
        kind: Kind of component.
        name: The hub's name, or a judge's model and address.
        stage: The first that needs it.
        thing: The model, the data with all splits that are read, or the judge.
    """

    kind: Literal["model", "data", "judge"]
    name: str
    stage: str
    thing: Any = field(repr=False, compare=False)

    def check(self) -> None:
        """Check the need: fetch a model's tokenizer or a row of the data, ask a judge something.

        Raises:
            ConfigError: It is not there; the message says what to do.
        """
        try:
            if isinstance(self.thing, Judge):
                _ask(self.thing)
            elif isinstance(self.thing, Model):
                load_tokenizer(self.thing, self.thing.name)
            else:
                for data in self.thing:
                    read_rows(data.model_copy(update={"limit": 1}))
        except ConfigError as error:
            raise ConfigError(f"stage {self.stage!r} needs the {self.kind} {self.name}: {error}") from None


def needs_of(stages: Mapping[str, tuple[str, RunConfig]]) -> list[Need]:
    """Return the needs of the stages that are not done, each once.

    Raises:
        ConfigError: A recipe cannot be read.
    """
    found: dict[tuple[str, str], Need] = {}
    for name, (kind, own) in stages.items():
        if is_done(own, kind):
            continue
        for need in (*_models(name, own), *_judges(name, own)):
            found.setdefault((need.kind, need.name), need)
        for data in _hub_data(own):
            named = f"{data.source} {data.name or ''}".strip()
            read = found.setdefault(("data", named), Need("data", named, name, [])).thing
            if data not in read:
                read.append(data)
    return list(found.values())


def _models(stage: str, own: RunConfig) -> list[Need]:
    name = own.model.name
    hub = may_need_hub(name) and ":" not in name
    return [Need("model", name, stage, own.model)] if hub else []


def _hub_data(own: RunConfig) -> list[Data]:
    sources = [*(own.data if isinstance(own.data, list) else [own.data]), own.evaluation.data]
    hub = [each for each in sources if each is not None and ":" not in each.source]
    return [each for each in hub if not is_local(each.source)]


def _judges(stage: str, own: RunConfig) -> list[Need]:
    rewards = [reward_of(each) for each in (own.reward, own.evaluation.reward) if each is not None]
    judges = [each for reward in rewards for each in reward.verifiers() if isinstance(each, Judge)]
    return [Need("judge", f"{each.model} at {each.url}", stage, each) for each in judges if each.url]


def _ask(judge: Judge) -> None:
    once = dataclasses.replace(
        judge, samples=1, agreement=0.5, retries=0, timeout=min(judge.timeout, PATIENCE)
    )
    verdict = once.verify("I do not know.", prompt="Is it raining?")
    if verdict.score is None:
        raise ConfigError(
            f"it gives no verdict ({verdict.reason}: {verdict.detail[:160]}); start it, such as with vllm "
            f"serve {judge.model}, or name another url and model"
        )


@contextlib.contextmanager
def running(services: Sequence[Service]) -> Iterator[None]:
    """Keep the services up while the block runs; of several processes the first one starts them.

    Raises:
        ConfigError: There is no such function, it takes other options, or what it starts does not come up.
    """
    with contextlib.ExitStack() as stack:
        if rank() == 0:
            for service in services:
                _enter(stack, service)
        if services:
            barrier()
        yield


def _enter(stack: contextlib.ExitStack, service: Service) -> None:
    function = imported(service.start, "services.start")
    try:
        manager = function(**service.options)
    except TypeError as error:
        raise ConfigError(f"services.options: {service.start}: {error}") from None
    if not isinstance(manager, contextlib.AbstractContextManager):
        raise ConfigError(
            f"services.start: {service.start} returned {type(manager).__name__}, not a context manager"
        )
    try:
        stack.enter_context(manager)
    except OSError as error:
        raise ConfigError(
            f"services: {service.start} with {service.options} does not start: {error}; if something else "
            "has its port, give it another one, and its clients another url"
        ) from None
