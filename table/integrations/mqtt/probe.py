"""Checks once and quickly, for the doctor, whether a broker accepts this table."""

from __future__ import annotations

import queue
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from table.settings.broker import Broker

PATIENCE_S = 5.0
"""How long a broker may take to answer; a later answer is as good as none."""


def refusal(broker: Broker) -> str | None:
    """Why the broker refuses this table, in its own words; None if it accepts the table.

    The probe uses another client id than the table, so that the table stays connected.

    Raises:
        OSError: nothing listens there, or a file cannot be read.
        TimeoutError: something listens there but does not answer.
    """
    answers: queue.SimpleQueue[ReasonCode] = queue.SimpleQueue()
    client = paho.Client(
        CallbackAPIVersion.VERSION2, f"stammtisch-{broker.table}-doctor", protocol=paho.MQTTv5
    )
    client.connect_timeout = PATIENCE_S
    client.on_connect = lambda _client, _data, _flags, reason, _more: answers.put(reason)
    password = Path(broker.password_file).read_text("utf-8").strip() if broker.password_file else None
    if password is not None or broker.user:
        client.username_pw_set(broker.who, password)
    if broker.tls:
        client.tls_set(ca_certs=broker.ca, certfile=broker.cert, keyfile=broker.key)
    client.connect(broker.host, broker.at_port)
    client.loop_start()
    try:
        reason = answers.get(timeout=PATIENCE_S)
    except queue.Empty:
        raise TimeoutError(f"no answer within {PATIENCE_S:.0f} s") from None
    finally:
        client.disconnect()
        client.loop_stop()
    return str(reason) if reason.is_failure else None
