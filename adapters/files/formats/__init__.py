"""Files of any format as lines that hold one JSON object each: what all else in `adapters.files` works on.

`lines` says what a line is; `json_lines`, `csv_rows` and `arrow_rows` read formats in bounded memory;
`places` finds the files behind what a user names, and tells their formats. `Source`, in
`adapters.files.jsonl`, puts them together, and is what others import.
"""
