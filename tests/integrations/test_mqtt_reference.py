"""`docs/reference/mqtt.md` and `asyncapi.json` describe what the table sends, no more and no less."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from table.integrations.mqtt.asyncapi import asyncapi
from table.settings.broker import Broker

PAGES = Path(__file__).parents[2] / "docs" / "reference"


def test_the_written_schema_is_what_the_table_sends() -> None:
    written = json.loads((PAGES / "asyncapi.json").read_text("utf-8"))
    assert written == asyncapi(), (
        "run: python -m table.integrations.mqtt.asyncapi > docs/reference/asyncapi.json"
    )


def test_every_setting_of_mqtt_and_every_topic_is_explained_and_no_other() -> None:
    text = (PAGES / "mqtt.md").read_text("utf-8")
    rows = {
        part: re.findall(r"^\| (`[^|]+`) \|", text[text.index(f"## {part}") :].split("\n## ")[0], re.M)
        for part in ("Settings", "Topics")
    }
    words = {
        part: {word for row in found for word in re.findall(r"`(\w+)`", row)} for part, found in rows.items()
    }
    assert words["Settings"] == {field.name for field in msgspec.structs.fields(Broker)}
    assert words["Topics"] == asyncapi()["channels"].keys()
