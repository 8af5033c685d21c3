"""The plug-in file for ms-swift, which puts its folder first on the path: nothing else may stand here."""
