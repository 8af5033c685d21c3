"""Tests of the report's page in a real browser; `make test-page` runs them, the suite does not."""
