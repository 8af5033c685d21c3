"""The charts of a report as Vega-Lite specifications, which the page draws and pictures hold.

Titles that begin with ``t:`` are keys of ``assets/words.json``. Data are figures, never rows.
"""
