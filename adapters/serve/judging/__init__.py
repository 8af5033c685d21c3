"""From checked rows to results: recipes by name, the queue, and the processes that judge.

The server's handlers import from here; a worker process loads `work`.
"""
