"""Rows of data sets, as they are shipped: what tests a row with these columns means.

`input_output_rows` and `python_test_rows` have the shapes of data sets, `row_shapes` what a shape is, and
`code_references` lists them all and reads what an answer column may hold. Only `verifiers.code.pass_rate`
imports from here.
"""
