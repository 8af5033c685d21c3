"""Tests of verifiers.tools."""
