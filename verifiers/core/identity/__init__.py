"""What an object is, as a digest of what it does, and how it goes to another process.

`owners` says whose code a module is and what named files hold, `object_reader` reads objects and code,
`component_digests` classes and fields; `travel` takes what no import path names to a worker. The rest of
`verifiers` imports the types of named files from here, and only `verifiers.core` the rest; nothing here knows
a component.
"""
