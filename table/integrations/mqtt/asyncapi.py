"""The schema of what a table publishes, in AsyncAPI 3.0.

    python -m table.integrations.mqtt.asyncapi > docs/reference/asyncapi.json

It is made from `table/messages.py`, so that messages are defined once; a test compares the file with it.
Source: https://www.asyncapi.com/docs/reference/specification/v3.0.0
"""

from __future__ import annotations

import inspect
import json
from typing import Any

import msgspec

from table.integrations.mqtt.discovery import place
from table.messages import AGAIN, OFFLINE, ONLINE, JournalLine, Kept, TableState, topic

_DISCOVERY = "discovery"
_TOLD = {
    "event": ("One line of the journal, at least once, not retained.", JournalLine),
    "state": ("The state of the table; the newest is retained.", TableState),
    "online": ("Whether the table is there; the last will says offline. Retained.", (ONLINE, OFFLINE)),
    _DISCOVERY: (
        "The table as a device of Home Assistant, under the prefix of the settings. Retained.",
        None,
    ),
}
_HEARD = {
    "do": ("What somebody requests of the table.", (AGAIN,)),
    "kept": ("What a hub has on its disk, without a gap. Retained.", Kept),
}


def asyncapi() -> dict[str, Any]:
    """The whole document."""
    _, schemas = msgspec.json.schema_components(
        (JournalLine, TableState, Kept), ref_template="#/components/schemas/{name}"
    )
    for schema in schemas.values():
        # Before 0.23 msgspec keeps the indentation of docstrings.
        if said := schema.get("description"):
            schema["description"] = inspect.cleandoc(said)
    both = _TOLD | _HEARD
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Stammtisch table",
            "version": "1",
            "description": "What a table publishes to a broker, and what it receives there. See mqtt.md.",
        },
        "defaultContentType": "application/json",
        "channels": {what: _channel(what, words) for what, (words, _) in both.items()},
        "operations": {
            **{f"tell-{what}": _operation("send", what) for what in _TOLD},
            **{f"hear-{what}": _operation("receive", what) for what in _HEARD},
        },
        "components": {
            "messages": {what: _message(what, form) for what, (_, form) in both.items()},
            "schemas": schemas,
        },
    }


def _channel(what: str, words: str) -> dict[str, Any]:
    parameters = {"table": {"description": "the name of the table, also its user at the broker"}}
    if what == _DISCOVERY:
        parameters["prefix"] = {"description": "`discovery` of the settings"}
    return {
        "address": place("{prefix}", "{table}") if what == _DISCOVERY else topic("{table}", what),
        "description": words,
        "parameters": parameters,
        "messages": {what: {"$ref": f"#/components/messages/{what}"}},
        "bindings": {"mqtt": {"bindingVersion": "0.2.0"}},
    }


def _operation(action: str, what: str) -> dict[str, Any]:
    retain = what not in ("event", "do")
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{what}"},
        "bindings": {"mqtt": {"qos": 1, "retain": retain, "bindingVersion": "0.2.0"}},
    }


def _message(what: str, form: Any) -> dict[str, Any]:
    if isinstance(form, tuple):
        return {"name": what, "contentType": "text/plain", "payload": {"type": "string", "enum": list(form)}}
    if form is None:
        return {"name": what, "payload": {"type": "object"}}
    return {"name": what, "payload": {"$ref": f"#/components/schemas/{form.__name__}"}}


if __name__ == "__main__":
    print(json.dumps(asyncapi(), indent=1, ensure_ascii=False))
