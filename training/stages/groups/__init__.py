"""Groups of different sizes in one step: who gets how many completions, and their advantages.

`allocation` is arithmetic and knows no trainer; `adaptive_sizes` is mixed into TRL's. TRL's trainers import
from here.
"""
