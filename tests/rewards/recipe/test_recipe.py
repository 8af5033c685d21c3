"""Recipes: round trips, errors with lines, the schema."""

from __future__ import annotations

import json
from pathlib import Path
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
from tests.support import ROOT
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


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("reward:\n  sum:\n  - ExactMatch\n  - MathEquivalance\n", 4, "reward.sum[1]: there is no verifier or"),
        ("reward:\n  sum:\n  - ExactMatch\n  - {TagFormat: [a, b], wieght: 2}\n", 4, "did you mean 'weight'"),
        ("reward:\n  pay: ExactMatch\n\n  weight: -.inf\n", 4, "a weight must be a finite number, got -inf"),
        ("reward:\n  pay: ExactMatch\n  when:\n    Regx: x\n", 4, "did you mean 'Regex'"),
        ("reward:\n  ExactMatch:\n    extract:\n      Boxedd: {}\n", 4, "did you mean 'Boxed'"),
        ("reward:\n  ExactMatch:\n    extrct: Boxed\n", 3, "ExactMatch has no field 'extrct'; did you mean"),
        ("reward:\n  ExactMatch: {}\n  clip:\n    lwo: 0\n", 4, "unknown key 'lwo'; did you mean 'low'"),
        ("reward:\n  ExactMatch: {}\n  clip: {}\n", 3, "clip takes low, high, or both"),
        ("reward:\n  ExactMatch: {}\n  at: 0.5\n", 3, "'at' goes with 'when', which is not there"),
        ("reward:\n  ExactMatch: {}\n  optional: maybe\n", 3, "input should be a valid boolean, got 'maybe'"),
        ("reward:\n  ExactMatch: {}\n  TagFormat: {}\n", 3, "one name, got ['ExactMatch', 'TagFormat']"),
        ("reward:\n  weight: 2\n", 1, "a reward has one of pay, sum, product, max, min, first, route, split, of or one name"),
        ("reward:\n  pay: ExactMatch\n  weight: {Liner: {start: 1, end: 0}}\n", 3, "did you mean 'Linear'"),
        ("reward:\n  pay: ExactMatch\n  weight: {Linear: {start: 1}}\n", 3, "missing 1 required"),
        ("reward:\n  route: {by: task}\n", 2, "the key 'routes' is missing"),
        ("reward:\n  route:\n    by: task\n    routes:\n      a: Exact\n", 5, "did you mean 'ExactMatch'"),
        ("reward:\n  split: {by: x, into: {a: ExactMatch}}\n", 2, "there is no splitter 'x'; known: RegexParts"),
        ("reward:\n  SoftOverlong: {maximum: 8, cache: 9}\n", 2, "cache lies between 1 and maximum"),
        ("reward:\n  SoftOverlong: {maximum: 8}\n", 2, "missing 1 required"),
        ("reward:\n  sum: [ExactMatch, TagFormat]\n  reference: gold\n", 3, "goes with a verifier, not with 'sum'"),
        ("reward:\n  TagCount: {}\n  reference: gold\n", 3, "goes with a verifier, not with TagCount"),
        ("reward:\n  pay: ExactMatch\n  name: a/b\n", 3, "a part's name is made of"),
        ("reward:\n  sum:\n  - ExactMatch\n  - ExactMatch: {ignore_case: true}\n", 2, "two parts are named 'ExactMatch'"),
        ("reward:\n  pay: ExactMatch\n  pay: TagFormat\n", 3, "the key 'pay' occurs twice"),
        ("reward: ExactMatch\nreward: TagFormat\n", 2, "the key 'reward' occurs twice"),
        ("reward: ExactMatch\ndescription: 3\n", 2, "input should be a valid string, got 3"),
        ("reward: 3\n", 1, "a reward is written as"),
        ("reward:\n  pay: ExactMatch\n  name:\n", 3, "'name' is empty; give it a value, or leave it out"),
        ("reward:\n  pay: ExactMatch\n  clip: null\n", 3, "'clip' is empty"),
    ],
)  # fmt: skip
def test_an_error_names_line_place_and_cure(tmp_path: Path, text: str, line: int, message: str) -> None:
    file = tmp_path / "recipe.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_recipe(file)
    assert str(error.value).startswith(f"{file}:{line}: ")
    assert message in str(error.value)


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
        {"wieght": 2, "pay": "ExactMatch"},
        "ExactMtach",
        {"pay": "ExactMatch", "sum": ["TagFormat"]},
        {"TagFormat": {"tgas": ["a"]}},
        {"SoftOverlong": {"maximum": "8", "cache": 4}},
        {"pay": "ExactMatch", "weight": {"Linear": {"begin": 0}}},
        {"pay": {"ExactMatch": {"extract": "Regex"}}},
    ],
)
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


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.yaml", "rewards: ExactMatch", "unknown key 'rewards'; did you mean 'reward'"),
        ("r.yaml", "reward: ExactMtach", "did you mean 'ExactMatch'"),
        ("r.yaml", "reward: {pay: ExactMatch, weight: heavy}", "weight must be a number or a schedule"),
        ("r.yaml", "reward: {sum: []}", "r.yaml:1: reward.sum: list should have at least 1 item"),
        ("r.yaml", "reward: [", "is not YAML"),
        ("r.toml", "reward = ", "is not TOML"),
        ("r.toml", '[reward]\npay = "ExactMatch"\nwieght = 2\n', "r.toml:3: reward.wieght: unknown key 'wieght' next to 'pay'; did you mean 'weight'"),
        ("r.toml", "[reward.ExactMatch]\nignore_cse = true\n", "r.toml:2: reward"),
        ("r.toml", "[reward.ExactMatch]\nignore_cse = true\n", "no field 'ignore_cse'"),
        # The line is told where one is certain.
        ("r.toml", '[[reward.sum]]\npay = "ExactMatch"\n[[reward.sum]]\npay = "Tagformat"\n', "r.toml: reward.sum[1]"),
        ("r.toml", '[[reward.sum]]\npay = "ExactMatch"\n[[reward.sum]]\npay = "Tagformat"\n', "did you mean 'TagFormat'"),
        ("r.json", '{"reward":\n {"sum":\n  ["ExactMatch",\n\t{"TagFormat": 3}]}}', "TagFormat: "),
        ("r.json", '{"reward": "ExactMatch", "reward": "TagFormat"}', "the key 'reward' occurs twice"),
        ("r.json", "{", "is not JSON"),
        ("r.yaml", "just text", "a recipe is a mapping"),
        ("r.yaml", "{}", "the key 'reward' is missing"),
        ("r.yaml", "reward: {pay: ExactMatch, weight: " + "9" * 400 + "}", "weight is too large"),
        ("r.yaml", "reward: {FunctionVerifier: 5}", "an import path is written 'package.module:name', got 5"),
        ("r.yaml", "reward: {ExactMatch: {extract: null}}", "extract must be an Extractor, got None"),
        ("r.yaml", "reward: {ExactMatch: {extract: ExactMatch}}", "extract must be an Extractor, got ExactMatch()"),
        ("r.yaml", "reward: {ExactMatch: {extract: [Boxed]}}", "extract must be an Extractor, got (Boxed(),)"),
        ("r.yaml", "reward: {ExactMatch: {ignore_case: 3}}", "ignore_case must be True or False, got 3"),
        ("r.yaml", "reward: {TagFormat: [a, a]}", "tags must be distinct, got ('a', 'a')"),
    ],
)  # fmt: skip
def test_a_recipe_that_cannot_work_says_why(tmp_path, name: str, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_recipe(str(file))
    assert message in str(error.value)
    assert str(file) in str(error.value)


def test_an_unknown_recipe_offers_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'MathEquivalence'.*ends in .yaml"):
        load_recipe("mathequivalance")
    with pytest.raises(ConfigError, match="cannot read the recipe"):
        load_recipe("missing.yaml")
