"""What looks for findings: `golden`, `floor`, `variants`, `search`, `steadiness`, `references`.

`forms` are the wrappings of an answer, `families` (and ``families.toml``) texts that no reward should pay.
"""
