"""Case files: rows with the expected answer of a verifier or a reward, run at a terminal or by pytest.

`case_rows` reads and judges them; the verb ``verify-cli test`` and the pytest plug-in use both.
"""
