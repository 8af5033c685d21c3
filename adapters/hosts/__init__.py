"""Other people's programs that call our rewards: trainers, evaluators, environments, a folder each.

What they stand on is here: `host` says what a program offers and what a reward asks of it, `unscored` has the
policies for rows without a reward and the floats that a host may log, `row_calls` judges concurrent calls
together, `replies` tells the model's words from a host's text, and with `shared_payments` several functions
that are called with one batch judge it once. The reward server imports from here, too.
"""
