"""Constitutional AI: critiques, revisions, and what becomes training data."""
