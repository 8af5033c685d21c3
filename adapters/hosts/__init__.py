"""Other programs that call our rewards: trainers, evaluators, environments, one folder each.

This folder has their common parts. `host` compares the offers of a program with the needs of a reward.
`unscored` has the policies for rows without a reward and the floats that a host may log. `row_calls` judges
concurrent calls together. `replies` separates the model's words from a host's text. With `shared_payments`,
several functions that get one batch judge it once. The reward server imports from here as well.
"""
