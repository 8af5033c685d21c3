"""Tests of reports: what needs no browser."""
