"""Whether two single values agree: units, percent, roundings, constants, times, ratios; and the policy.

Uses `formulas` and units; the modules of the folder above, which decide about lists and sets, use it.
"""
