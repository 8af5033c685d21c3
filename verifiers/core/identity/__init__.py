"""What an object is, as a digest of what it does, and how it goes to another process.

`owners` says whose code a module is, what named files hold, and takes what no import path names to a worker;
`object_reader` reads objects and code into `digests`. The rest of `verifiers` imports the types of named
files from here, and only `verifiers.core` the rest; nothing here knows a component.

It is not cloudpickle's bytes with a version: those differ from process to process, hold line numbers and file
names, and say nothing of what could not be read.
"""
