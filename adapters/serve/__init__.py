"""The reward server: recipes over HTTP, in the formats of several trainers, and the client for it.

Before every request stand `guards`; `handlers` make rows of the `request_formats` of trainers;
`micro_batches` queues them for the processes of `workers`. `verify-cli serve` starts it; fastapi and uvicorn
(the extra ``serve``) load only then, httpx with the client. Nothing else imports from here.
"""
