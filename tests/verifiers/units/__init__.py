"""Units, currencies and what is counted."""
