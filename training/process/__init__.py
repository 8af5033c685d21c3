"""Which steps are right: labels by rollouts, labels of public data sets, and models that learn them.

`rollouts` knows how steps are labelled and nothing of models; `model_rolls` asks one, `label_rows` writes
files. `step_labels` is the row that everything reads, `formats` those of others. `step_trainer` and
`rating_measures` are what the stages that train on labels are made of. Stages and the command line import
from here.
"""

from __future__ import annotations

from .formats import read_labels, written_as
from .rollouts import Order, Tally, labelled
from .step_labels import StepLabels

__all__ = ["Order", "StepLabels", "Tally", "labelled", "read_labels", "written_as"]
