"""Lets Home Assistant find the table by itself.

Source: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from table.health import QUIET
from table.messages import AGAIN, OFFLINE, ONLINE, topic

_SENSORS = {"score": "Score", "game": "Game", "round": "Round", "trump": "Trump"}
_HEALTH = {"camera": "Camera", "sight": "Sight", "board": "Lamp board", "journal": "Journal"}


def place(prefix: str, table: str) -> str:
    """The topic at which Home Assistant looks for the table."""
    return f"{prefix}/device/stammtisch_{table}/config"


def discovery(table: str) -> dict[str, Any]:
    """The message that describes one table as a device."""
    us = version("stammtisch")
    return {
        "device": {
            "identifiers": [f"stammtisch_{table}"],
            "name": f"Stammtisch {table}",
            "manufacturer": "Stammtisch",
            "model": "card table",
            "sw_version": us,
        },
        "origin": {"name": "stammtisch", "sw_version": us},
        "availability": [
            {
                "topic": topic(table, "online"),
                "payload_available": ONLINE,
                "payload_not_available": OFFLINE,
            }
        ],
        "state_topic": topic(table, "state"),
        "qos": 1,
        "components": {
            "turn": _sensor(table, "turn", "Turn", _TURN),
            **{
                key: _sensor(table, key, name, f"{{{{ value_json.{key} }}}}")
                for key, name in _SENSORS.items()
            },
            **{key: _problem(table, key, name) for key, name in _HEALTH.items()},
            "again": {
                "platform": "button",
                "name": "Another game",
                "unique_id": f"stammtisch_{table}_again",
                "command_topic": topic(table, "do"),
                "payload_press": AGAIN,
            },
        },
    }


_TURN = (
    "{% set s = value_json %}{% if s.turn in s.seats and s.players|length == s.seats|length %}"
    "{{ s.players[s.seats.index(s.turn)] }}{% else %}{{ s.turn }}{% endif %}"
)


def _sensor(table: str, key: str, name: str, template: str) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": name,
        "unique_id": f"stammtisch_{table}_{key}",
        "value_template": template,
    }


def _problem(table: str, key: str, name: str) -> dict[str, Any]:
    """A binary sensor for the health of a part: `on` means trouble."""
    return {
        "platform": "binary_sensor",
        "device_class": "problem",
        "entity_category": "diagnostic",
        "name": name,
        "unique_id": f"stammtisch_{table}_{key}",
        "value_template": f"{{{{ 'OFF' if value_json.{key} in {list(QUIET)} else 'ON' }}}}",
    }
