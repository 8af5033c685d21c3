"""The small task of the configuration ``r1_arithmetic``: DeepSeek-R1's stages on a CPU.

A task with three kinds of rows (sums, questions without a number, requests that are to be refused or not),
the documents that a small base model learns from, and a judge with rules that is served like a model's.
Configurations name what lives here; no other module imports it.
"""
