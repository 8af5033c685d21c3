"""Recipes: round trips, errors with lines, the schema."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings

from rewards import Linear, Pay, Reward, Route, SoftOverlong, Steps, load_recipe, preset_names, to_recipe
from rewards.recipe import preset_path
from rewards.recipe.build import build_recipe
from rewards.recipe.schema import recipe_schema
from tests.rewards.tree.test_nodes import REWARDS
from tests.support import FIXTURES, ROOT, in_groups, rows
from tests.timing import examples
from verifiers import ConfigError, ExactMatch, MathEquivalence, Tag, TagFormat

SCHEMA = jsonschema.Draft202012Validator(recipe_schema())


@settings(deadline=None, max_examples=examples(80))
@given(REWARDS)
def test_recipe_to_reward_to_recipe_is_the_identity(reward: Reward) -> None:
    """In memory, through YAML and JSON, and by the schema."""
    recipe = to_recipe(reward)
    for data in (
        recipe,
        yaml.safe_load(yaml.safe_dump(recipe, allow_unicode=True)),
        json.loads(json.dumps(recipe)),
    ):
        again, _ = build_recipe(data)
        assert (again, to_recipe(again)) == (reward, recipe)
    SCHEMA.validate(recipe)
    assert reward.to_spec() == recipe["reward"]


RECIPE = """
description: everything
reward:
  sum:
    - MathEquivalence: {extract: {Tag: SOLUTION}}
      reference: gold
      name: accuracy
      when: TagFormat
      otherwise: -0.5
    - of: {pay: TagFormat, weight: 0.5}
      optional: true
      weight: {Linear: {start: 1.0, end: 0.0}}
    - SoftOverlong: {maximum: 512, cache: 128}
      scheduled: {maximum: {Steps: {points: [[0.0, 256], [0.5, 512]]}}}
    - route:
        by: task
        routes: {math: {pay: MathEquivalence, name: by_math}}
        otherwise: {ExactMatch: {}, name: by_text}
"""
EXPECTED = (
    Pay(MathEquivalence(extract=Tag("SOLUTION")), reference="gold")
    .named("accuracy")
    .when(Pay(TagFormat()), otherwise=-0.5)
    + Linear(1.0, 0.0) * (0.5 * Pay(TagFormat())).optional()
    + SoftOverlong(512, 128).scheduled(maximum=Steps(((0.0, 256), (0.5, 512))))
    + Route("task", {"math": Pay(MathEquivalence()).named("by_math")}, Pay(ExactMatch()).named("by_text"))
)


def test_the_short_forms(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(RECIPE)
    assert load_recipe(tmp_path / "r.yaml") == EXPECTED
    SCHEMA.validate(yaml.safe_load(RECIPE))


@in_groups(rows(FIXTURES / "refused" / "recipes.jsonl"), lambda row: row["said"])
def test_an_error_names_file_line_place_and_cure(row: dict[str, Any]) -> None:
    """As a person finds it in the file; the line where one is certain."""
    with TemporaryDirectory() as folder:
        file = Path(folder, row["file"])
        file.write_text(row["text"], encoding="utf-8")
        with pytest.raises(ConfigError) as error:
            load_recipe(str(file))
    assert str(error.value).startswith(f"{file}:{row['line']}: " if row["line"] else str(file))
    assert row["said"] in str(error.value)


def test_a_recipe_that_unfolds_into_billions_is_refused(tmp_path: Path) -> None:
    """References within YAML double at every line."""
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)), "reward: *a39"]
    file = tmp_path / "bomb.yaml"
    file.write_text("\n".join(lines))
    with pytest.raises(ConfigError, match="more than 10,000 values"):
        load_recipe(file)


@pytest.mark.parametrize(
    "node",
    [
        {"wieght": 2, "pay": "ExactMatch"}, "ExactMtach", {"pay": "ExactMatch", "sum": ["TagFormat"]},
        {"TagFormat": {"tgas": ["a"]}}, {"SoftOverlong": {"maximum": "8", "cache": 4}},
        {"pay": "ExactMatch", "weight": {"Linear": {"begin": 0}}},
        {"pay": {"ExactMatch": {"extract": "Regex"}}},
    ],
)  # fmt: skip
def test_the_schema_refuses_what_the_loader_refuses(node: Any) -> None:
    """An editor underlines it before it is run."""
    assert not SCHEMA.is_valid({"reward": node})
    with pytest.raises(ConfigError):
        build_recipe({"reward": node})


def test_presets_are_files_that_say_what_they_pay() -> None:
    """Each valid, described, documented, and the same after a round trip."""
    promised = {"gsm8k_tags", "r1_zero", "r1_think_answer", "multi_objective", "mcq", "dapo_math"}
    assert promised <= set(preset_names())
    page = (ROOT / "docs" / "rewards.md").read_text(encoding="utf-8")
    for name in preset_names():
        data = yaml.safe_load(preset_path(name).read_text(encoding="utf-8"))
        SCHEMA.validate(data)
        assert data["description"].strip()
        reward = load_recipe(name)
        assert build_recipe(to_recipe(reward))[0] == reward
        assert f"\n### {name}\n" in page
        assert f"\n<!-- recipe: {name} -->\n" in page


def test_what_recipes_cannot_name_says_so() -> None:
    class Mine(Reward):
        def children(self) -> tuple[Reward, ...]:
            return ()

    with pytest.raises(ConfigError, match="Mine is not a reward that a recipe can name; register it"):
        to_recipe(Mine())


def test_keys_of_routes_are_texts_in_every_format(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"reward": {"route": {"by": "level", "routes": {"1": "ExactMatch"}}}}')
    (tmp_path / "r.yaml").write_text("reward: {route: {by: level, routes: {1: ExactMatch}}}")
    assert load_recipe(tmp_path / "r.json") == load_recipe(tmp_path / "r.yaml")


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".yaml", "reward: {MathEquivalence: {extract: {Tag: SOLUTION}}}"),
        (".toml", '[reward.MathEquivalence]\nextract = {Tag = "SOLUTION"}'),
        (".json", '{"reward": {"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}}}'),
    ],
)
def test_a_recipe_file_is_a_reward(tmp_path, suffix: str, text: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / f"recipe{suffix}"
    file.write_text(text)
    assert load_recipe(str(file)) == Pay(MathEquivalence(extract=Tag("SOLUTION")))


def test_an_unknown_recipe_offers_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'MathEquivalence'.*ends in .yaml"):
        load_recipe("mathequivalance")
    with pytest.raises(ConfigError, match="cannot read the recipe"):
        load_recipe("missing.yaml")
