"""What a recipe may hold: the typed models behind the file."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Text = Annotated[str, Field(strict=True, min_length=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)


class RecipeModel(_Model):
    """The file: a reward, and what it is for."""

    reward: Any
    description: Annotated[str, Field(strict=True)] = ""
    schema_: Annotated[str, Field(strict=True, alias="$schema")] = ""


class ClipModel(_Model):
    """Limits of a value."""

    low: Number | None = None
    high: Number | None = None


class AffineModel(_Model):
    """``scale * value + shift``."""

    scale: Number = 1.0
    shift: Number = 0.0


class RouteModel(_Model):
    """A reward for each value of a column."""

    by: Text
    routes: Annotated[dict[str | int, Any], Field(min_length=1)]
    otherwise: Any = None


class SplitModel(_Model):
    """A reward for each part of an answer."""

    by: Any
    into: Annotated[dict[str, Any], Field(min_length=1)]
    reference: Text = "answer"
    otherwise: Number | None = None


class HeadModel(_Model):
    """What a node pays for: exactly one of these, or the name of a verifier or reward."""

    pay: Any = None
    reference: Text = "answer"
    part: Text | None = None
    sum: Annotated[list[Any], Field(min_length=1)] | None = None
    product: Annotated[list[Any], Field(min_length=1)] | None = None
    max: Annotated[list[Any], Field(min_length=1)] | None = None
    min: Annotated[list[Any], Field(min_length=1)] | None = None
    first: Annotated[list[Any], Field(min_length=1)] | None = None
    route: RouteModel | None = None
    split: SplitModel | None = None
    of: Any = None


class StepsModel(_Model):
    """What happens to it, in this order."""

    scheduled: Annotated[dict[str, Any], Field(min_length=1)] | None = None
    name: Text | None = None
    affine: AffineModel | None = None
    penalty: Number | None = None
    clip: ClipModel | None = None
    when: Any = None
    otherwise: Number = 0.0
    at: Number = 1.0
    optional: Annotated[bool, Field(strict=True)] = False
    weight: Any = 1.0


Model = TypeVar("Model", bound=BaseModel)

BESIDE = ("reference", "part")
"""Keys that go with a verifier."""
COMBINED = ("product", "max", "min", "first")
"""Heads of a list of rewards, besides their sum."""
HEADS = ("pay", "sum", *COMBINED, "route", "split", "of")


def validate(model: type[Model], data: dict[str, Any]) -> Model:
    """The model of some data.

    Raises:
        ConfigError: The data does not fit; the first problem, with its place in `path`.
    """
    try:
        return model.model_validate(data)
    except ValidationError as errors:
        found = errors.errors(include_url=False)
        # A misspelled key is the cause; the key that is then missing is its effect.
        error = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    place = [part for part in error["loc"] if isinstance(part, int) or not part.startswith("list[")]
    name = place[-1] if place else "value"
    if error["type"] == "extra_forbidden":
        known = _fields(model, place[:-1])
        problem = ConfigError(f"unknown key {name!r}{nearest(str(name), known)}")
    elif error["type"] == "missing":
        problem = ConfigError(f"the key {name!r} is missing")
        place = place[:-1]
    else:
        message = error["msg"][:1].lower() + error["msg"][1:]
        problem = ConfigError(f"{message}, got {error['input']!r:.80}")
    problem.path = tuple(place)
    raise problem


def _fields(model: type[BaseModel], place: list[Any]) -> list[str]:
    for part in place:
        hint: Any = model.model_fields[str(part)].annotation
        inner = [each for each in (hint, *getattr(hint, "__args__", ())) if isinstance(each, type)]
        model = next(each for each in inner if issubclass(each, BaseModel))
    return [field.alias or name for name, field in model.model_fields.items()]
