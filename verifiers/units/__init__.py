"""Units, currencies and what is counted: one table, and how quantities are converted.

It imports `verifiers.language` alone; mathematics imports from it.
"""
