"""Every pattern that the packages have, and texts on which one that is not linear shows it."""
