"""What an object is, as a digest of what it does, and how it goes to another process.

`owners` says whose code a module is, `reading` reads objects and code, `files` what files hold, `travel`
takes what no import path names to a worker. The rest of `verifiers` imports the types of `files` from here,
and only `verifiers.core` the rest; nothing here knows a component.
"""
