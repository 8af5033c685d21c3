"""The page that says how to ask: all of it in one document, which loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #8881; padding: .6rem; overflow-x: auto; font-size: .85rem; }
section { border-top: 1px solid #8886; margin-top: 1.5rem; }
:root { color-scheme: light dark; }
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = {
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_DIGEST}'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}
"""Headers with which a browser loads nothing and runs nothing."""


def page(described: Mapping[str, Any]) -> str:
    """A description of an API for people.

    Args:
        described: In the form of OpenAPI.
    """
    about = described["info"]
    head = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(about['title'])}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(about['title'])} {escape(about['version'])}</h1><p>{escape(about.get('summary', ''))} "
        "A token goes along as the header <code>Authorization: Bearer TOKEN</code>. "
        '<a href="openapi.json">openapi.json</a> says the same for programs.</p>'
    )
    return head + "".join(_sections(described)) + "</body></html>"


def _sections(described: Mapping[str, Any]) -> Iterator[str]:
    schemas = described.get("components", {}).get("schemas", {})
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            said = escape(operation.get("description", operation.get("summary", "")))
            yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2><p>{said}</p>"
            asked = _schema(operation.get("requestBody"), schemas)
            answered = _schema(operation.get("responses", {}).get("200"), schemas)
            yield from _shown("Send", asked)
            yield from _shown("Answered with", answered)
            yield "</section>"


def _schema(body: Any, schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    content = (body or {}).get("content", {}).get("application/json", {}).get("schema", {})
    found: Mapping[str, Any] = schemas.get(content.get("$ref", "").rpartition("/")[2], content)
    return found


def _shown(word: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if not schema:
        return
    fields = schema.get("properties", {})
    listed = "".join(
        f"<li><code>{escape(name)}</code> {escape(about.get('description', ''))}</li>"
        for name, about in fields.items()
    )
    yield f"<h3>{word}</h3><p>{escape(schema.get('description', ''))}</p><ul>{listed}</ul>"
    for example in schema.get("examples", ()):
        yield f"<pre>{escape(json.dumps(example, indent=1, ensure_ascii=False))}</pre>"
