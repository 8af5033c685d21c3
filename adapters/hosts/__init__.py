"""Other people's programs that call our rewards: trainers, evaluators, environments, a folder each.

`shared_payments` is what they share: several functions that are called with one batch judge it once.
"""
