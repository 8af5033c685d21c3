"""[gym]: a generated task judges its own answers."""

from __future__ import annotations


def main() -> None:
    """The right answer and a wrong one, to tasks with one answer."""
    import reasoning_gym

    from verifiers import ReasoningGym

    judge = ReasoningGym()
    for entry in reasoning_gym.create_dataset("chain_sum", size=3, seed=1):
        reference = {**entry, "task": "chain_sum"}
        right, wrong = judge.verify_batch([entry["answer"], "no idea"], [reference] * 2)
        assert (right.score, right.reason) == (1.0, "solved"), right
        assert (wrong.score, wrong.reason) == (0.0, "not_solved"), wrong
    print("three tasks judged right and wrong answers")


if __name__ == "__main__":
    main()
