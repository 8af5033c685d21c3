"""Files of any format as lines of one JSON object each, for the rest of `adapters.files`.

`lines` says what a line is; `json_lines`, `csv_rows` and `arrow_rows` read formats in bounded memory;
`named_inputs` finds the files behind what a user names, and tells their formats. `Source`, in
`adapters.files.jsonl`, puts them together, and is what others import.
"""
