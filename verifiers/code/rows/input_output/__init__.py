"""Data sets whose tests are data: what a program reads and prints, or what a function takes and returns."""
