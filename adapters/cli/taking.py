"""Interpretation of a file before it is scored: its columns, its dataset, and its judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.rewards.recipe import recipe_of
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import deferred

from ..files.chunk_scorer import Scorer
from ..files.columns import (
    COMPLETION,
    Spread,
    column_names,
    column_of,
    completion_column,
    has_column,
    is_list_of_completions,
    reference_column,
    word,
)
from ..files.jsonl import Source, parse
from ..files.recipe_files import recipe_beside, recipe_from
from .column_options import Options, asked, take
from .console import DEFAULT_RECIPE, say
from .settled_command import COLUMNS

if TYPE_CHECKING:
    from ..known_sets.known_set import KnownSet
    from ..known_sets.recognition import Reading

_SETS = deferred("reward_verifiers.adapters.known_sets.recognition")  # where no recipe is named
AUTO = "auto"
"""The recipe that a file's rows choose."""
_SHOWN = 40


def chosen_reward(options: Options) -> Reward | None:
    """Return the reward by a command's recipe; None where the rows choose.

    Raises:
        ConfigError: It is no recipe.
    """
    return None if options["recipe"] == AUTO else load_recipe(options["recipe"])


def scorer_for(
    source: Source, options: Options, reward: Reward | None, home: str | None = None, **more: Any
) -> Scorer:
    """Return the scorer of a file, with columns from its first rows where no option names them.

    Args:
        source: The file; rows with several completions become several.
        options: The command's.
        reward: The reward; None lets the rows choose.
        home: The file that scored rows go to, from which they name the recipe's file.
        more: Further fields of the scorer.

    Raises:
        ConfigError: A column or the recipe is not certain; the message says what to name.
    """
    rows = _first_rows(source)
    said = word(rows[0][1]) if rows else {}
    if rows:
        asked(options, rows[0][1], rows[0][0])
        _check_gathered(options, *rows[0])
    told = take(options, said)

    def known(name: str) -> bool:
        return options.chosen(name) or name in told

    if rows:
        _spread(source, rows, options, known("completion_field"))
    reading: Reading | None = None
    recipe = "" if reward is None else str(options.values.get("recipe") or "")
    if reward is None or not options.chosen("recipe"):
        if not options.chosen("reference_field") and ("rows" in said or "recipe" not in said):
            found = _known(source, rows, options, known("completion_field"))
            if found is not None:
                reading = _SETS.Reading(found.name)
                reward, recipe = reading.reward(), ""
        elif "recipe" in said:
            recipe = recipe_beside(rows[0][0].rpartition(":")[0], said["recipe"])
            reward = load_recipe(recipe)
            if recipe != DEFAULT_RECIPE:
                say(f"{rows[0][0]}: judged by {recipe}, as the file says (another one: --recipe NAME)")
        if reward is None:
            reward = _proposed(rows, options, known("reference_field"))
    fields = {name: options[name] for name in COLUMNS.values() if name in options}
    fields["recipe"] = recipe_from(home, recipe)
    gathered_by = options.values.get("group_by")
    if gathered_by is not None:
        fields["group_field"] = gathered_by
    scorer = Scorer(reward, **fields, **more)
    if reading is not None:
        scorer = replace(scorer, reading=reading)
        group = next(
            (name for name in ("prompt", "question", "problem") if rows and has_column(rows[0][1], name)), ""
        )
        if group and gathered_by is None and not known("group_field"):
            scorer = replace(scorer, group_field=group)
    return scorer


def _check_gathered(options: Options, where: str, row: Mapping[str, Any]) -> None:
    """Refuse rows that lack the column by which they are to be gathered.

    Raises:
        ConfigError: They lack it; the message offers the nearest name.
    """
    name = options.values.get("group_by")
    if name is not None and not has_column(row, name):
        hint = nearest(name, column_names(row))
        raise ConfigError(f"{where} has no column {name!r}{hint} (chosen by --group-by)")


def _first_rows(source: Source) -> list[tuple[str, dict[str, Any]]]:
    rows = []
    for line in source.look():
        try:
            rows.append((line.where, parse(line.raw)))
        except ValueError:
            continue  # scoring will reject it
    return rows


def _spread(source: Source, rows: list[tuple[str, dict[str, Any]]], options: Options, known: bool) -> None:
    where, row = rows[0]
    column = options["completion_field"]
    if not known and not has_column(row, column):
        found = [name for _, each in rows[:256] if (name := completion_column(each, where)) is not None]
        column = found[0] if found else column
    lists = [column_of(each, column) for _, each in rows if column_of(each, column)]
    if lists and is_list_of_completions(lists[0]):
        source.spread = Spread(column)
        options.values["completion_field"] = COMPLETION
        say(f"{where}: {column!r} holds several completions: each becomes a row with its completion_index")


def known_reading(source: Source, note: Callable[[str], None]) -> Reading | None:
    """Return the reading of a known dataset's references, which needs no completions; None for others.

    Args:
        source: The files.
        note: Called with a sentence on what was taken for what.
    """
    rows = _first_rows(source)
    known: KnownSet | None = _SETS.recognised(rows).known
    if known is None:
        return None
    note(f"{rows[0][0]}: rows of {known.name}: the references are {known.took}")
    reading: Reading = _SETS.Reading(known.name)
    return reading


def _known(
    source: Source, rows: list[tuple[str, dict[str, Any]]], options: Options, chosen: bool
) -> KnownSet | None:
    """Return the dataset of the rows, and print a line on how they are read.

    Raises:
        ConfigError: The columns are not certain, or there are no completions.
    """
    found = _SETS.recognised(rows)
    where = rows[0][0] if rows else ""
    if found.refusal:
        raise ConfigError(f"{where}: {found.refusal} (or take it as it is: --recipe {DEFAULT_RECIPE})")
    known: KnownSet | None = found.known
    if known is None:
        return None
    row = rows[0][1]
    say(f"{where}: rows of {known.name}, by the columns {', '.join(sorted(known.columns))}")
    say(f"  reference   {known.took}{_shown(known.read(row)['answer'])}")
    prompt = "prompt" if has_column(row, "prompt") else known.prompt
    if prompt:
        say(f"  prompt      {prompt}")
    say(f"  recipe      {_name(known.recipe)} (another one: --recipe NAME)")
    if found.unscored:
        say(f"  {found.unscored:,} of the first {found.rows:,} rows have no reference, and are not scored")
    completion = options["completion_field"]
    if source.spread is not None:
        completion = source.spread.column
    elif not chosen:
        completion = completion_column(row, where) or completion
    if source.spread is None and not has_column(row, completion):
        raise ConfigError(
            f"{where}: the rows of {known.name} have no completions: put the "
            f"model's answers into a column {COMPLETION!r} (a text, or a list of them), or name theirs "
            f"with --completion-field"
        )
    say(f"  completion  {completion}")
    if source.spread is None:
        options.values["completion_field"] = completion
    return known


def _proposed(rows: list[tuple[str, dict[str, Any]]], options: Options, known: bool) -> Reward:
    if not rows:
        return load_recipe(DEFAULT_RECIPE)
    where, row = rows[0]
    reference = options["reference_field"]
    if not known:
        reference = reference_column(row, where)
    recipe, problem = _SETS.proposal(rows, reference)
    if recipe is None:
        raise ConfigError(f"{where}: which verifier fits is not certain: {problem}; name one with --recipe")
    say(
        f"{where}: the references in {reference!r} are judged by {_name(recipe)} (another one: --recipe NAME)"
    )
    return recipe_of(recipe)


def _name(recipe: str | Mapping[str, Any]) -> str:
    return recipe if isinstance(recipe, str) else recipe_of(recipe).describe()


def _shown(reference: object) -> str:
    """Return the first reference where it can be read at a glance, else ""."""
    if isinstance(reference, list):
        reference = " or ".join(map(str, reference))
    if not isinstance(reference, str):
        return ""
    text = " ".join(reference.split())
    return f": {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'!r}"
