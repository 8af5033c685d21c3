"""Certificates of rewards."""
