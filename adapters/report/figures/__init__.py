"""Statistics of a table of scored rows: means with intervals, and how values are spread."""
