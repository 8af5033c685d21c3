"""The reward server: recipes over HTTP, in the formats of several trainers, and the client for it.

`verify-cli serve` starts it; fastapi and uvicorn (the extra ``serve``) load only then, httpx with the client.
Nothing else imports from here.
"""
