"""Dry_run."""
