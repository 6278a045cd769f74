"""A renamed table clears what the broker keeps under its old name, or says who may do so."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from table.hub.engines import Mosquitto
from table.integrations.mqtt.outbox import Outbox
from table.journal import Journal
from tests.integrations.engines import mosquitto, until
from tests.integrations.mqtt_pub import Pub, by_password, retained, told_mark
from tests.integrations.reader import Reader
from tests.table.running_page import OPENING


@pytest.mark.parametrize("taken", [False, True])
def test_a_renamed_table_clears_its_old_name_unless_another_table_has_it(
    tmp_path: Path, broker: Mosquitto, taken: bool
) -> None:
    old, new = f"old-{taken:d}", f"new-{taken:d}"
    pub = Pub(tmp_path, old, broker.port)
    reader = Reader(broker.port, old)
    until(lambda: reader.states)
    pub.close()
    until(lambda: reader.online[-1:] == ["offline"])
    reader.close()
    if taken:
        other = Reader(broker.port, old)
        other.say("online", "online", retain=True)
        other.close()
    (tmp_path / f"{old}.sqlite").rename(tmp_path / f"{new}.sqlite")
    (tmp_path / f"{old}.sqlite.told").rename(tmp_path / f"{new}.sqlite.told")
    again = Pub(tmp_path, new, broker.port)
    until(lambda: told_mark(again)["table"] == new and not told_mark(again)["left"])
    again.close()
    kept = retained(broker.port, f"stammtisch/v1/{old}/state", f"stammtisch/v1/{old}/online")
    assert (len(kept) == 2) is taken
    assert (
        f"homeassistant/device/stammtisch_{old}/config" in retained(broker.port, "homeassistant/#")
    ) is taken


def test_a_renamed_table_that_may_not_clear_its_old_name_says_who_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With the rights of hardware/hub/mosquitto; its lines are published all the same."""
    monkeypatch.setattr("table.integrations.mqtt.uplink.FORMER_S", 0.2)
    with Journal.open(tmp_path / "lounge.sqlite") as journal:
        journal.new_game(1.0, OPENING)
    with contextlib.closing(Outbox(tmp_path / "lounge.sqlite", "window")):
        pass  # it has published under that name
    server = mosquitto(tmp_path / "broker", by_password(tmp_path, "lounge"))
    (tmp_path / "password").write_text("secret of lounge\n")
    pub = Pub(tmp_path, "lounge", server.port, password_file=str(tmp_path / "password"))
    until(
        lambda: any("-u window -P PASSWORD -r -n -t stammtisch/v1/window/state" in x for x in caplog.messages)
    )
    pub.play("red-1")
    until(lambda: not told_mark(pub)["left"])
    until(lambda: pub.uplink.connected)
    pub.close()
    server.stop()
    with contextlib.closing(Outbox(pub.journal.path, "lounge")) as outbox:
        assert outbox.batch() == [], "all is told"
        assert len([x for x in caplog.messages if "PASSWORD" in x]) == 1
