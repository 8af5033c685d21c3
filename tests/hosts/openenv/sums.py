"""An environment of OpenEnv's kind, and its server: the one that docs/hosts.md#openenv shows."""

from __future__ import annotations

import sys
from typing import Any
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
from pydantic import Field

from adapters.hosts.environments.openenv import openenv_rubric

SumsRubric = openenv_rubric("gsm8k_tags")
QUESTIONS = {"What is 50 + 25?": "75", "50과 25를 더하면?": "75", "What did they pay?": ""}


class SumsAction(Action):
    """What the model wrote."""

    message: str


class SumsObservation(Observation):
    """The question, and after the step what the reward is made of."""

    prompt: str
    parts: dict[str, float] = Field(default_factory=dict)


class Sums(Environment[SumsAction, SumsObservation, State]):
    """A question, a completion, the end."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__(rubric=SumsRubric())
        self.prompt, self._state = "", State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **given: Any) -> SumsObservation:
        self._reset_rubric()
        self.prompt = given.get("prompt") or sorted(QUESTIONS)[(seed or 0) % len(QUESTIONS)]
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return SumsObservation(prompt=self.prompt)

    def step(self, action: SumsAction, timeout_s: float | None = None, **given: Any) -> SumsObservation:
        self._state.step_count += 1
        hidden = {"answer": QUESTIONS[self.prompt]}  # metadata stay on the server
        observation = SumsObservation(prompt=self.prompt, done=True, metadata=hidden)
        observation.reward = self._apply_rubric(action, observation)
        observation.parts = self.rubric.last_row
        return observation

    @property
    def state(self) -> State:
        return self._state


app = create_fastapi_app(Sums, SumsAction, SumsObservation, max_concurrent_envs=64)

if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
