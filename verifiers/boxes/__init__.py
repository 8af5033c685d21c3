"""Boxes and points that a text states, compared with those of a row. No image is read.

Only `verifiers.boxes.box_iou` is public; nothing else of the library imports from here.
"""
