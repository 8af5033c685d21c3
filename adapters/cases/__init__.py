"""Case files: rows that say what a verifier or a reward must answer, run at a terminal or by pytest.

`case_rows` reads and judges them; the verb ``verify-cli test`` and the pytest plug-in use both.
"""
