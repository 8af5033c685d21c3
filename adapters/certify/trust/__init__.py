"""How often a reward is wrong, from rollouts: agreement, groups, and a few labels that are asked for.

`witnesses` are verifiers that fail differently, `strata` the kinds of rows that they make, `rates` the
intervals, `wrong_references` and `gradient` what follows from them; `trusting` puts it together.
"""
