"""Brokers that hang, refuse, disconnect or do not exist: the table plays on and says what is wrong."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from table.cli import main
from table.hub.engines import Mosquitto, free_port
from table.integrations.mqtt.outbox import Outbox
from table.integrations.mqtt.remedies import remedy
from table.integrations.mqtt.uplink import connected
from tests.integrations.engines import mosquitto, until
from tests.integrations.mqtt_pub import Pub, by_password
from tests.integrations.reader import Reader

DEAF_AT_FIRST = """#!/usr/bin/env python3
import signal, socket, sys
asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1) if not asked else sys.exit(0))
port = next(line.split()[1] for line in open(sys.argv[2]) if line.startswith("listener"))
with socket.create_server(("127.0.0.1", int(port))):
    while True:
        signal.pause()
"""


def test_a_broker_that_misses_the_first_word_is_asked_again(tmp_path: Path) -> None:
    """One that has only just started listening may miss the signal."""
    deaf = tmp_path / "deaf"
    deaf.write_text(DEAF_AT_FIRST, "utf-8")
    deaf.chmod(0o755)
    server = mosquitto(tmp_path / "broker")
    server.stop()
    server.program = str(deaf)
    server.start()
    server.stop()
    assert server.pid == 0


def test_a_broker_that_hangs_holds_nothing_up(tmp_path: Path) -> None:
    """It accepts the connection and never answers; cards are recorded all the same."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        pub = Pub(tmp_path, "window", deaf.getsockname()[1])
        pub.play("red-1", "red-2", "red-3")
        assert len(pub.session.view.trick) == 3
        pub.close()


def test_with_tls_a_table_writes_under_its_own_name_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ca, key = tmp_path / "ca.crt", tmp_path / "ca.key"
    words = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 "
        "-addext subjectAltName=IP:127.0.0.1 -keyout"
    )
    subprocess.run([*words.split(), str(key), "-out", str(ca)], check=True, capture_output=True)
    rights = by_password(tmp_path, "window", "hub")
    server = mosquitto(
        tmp_path / "broker",
        f"cafile {ca}\ncertfile {ca}\nkeyfile {key}\n{rights}",
    )
    (tmp_path / "password").write_text("secret of window\n")
    safe: dict[str, Any] = {"tls": True, "ca": str(ca), "password_file": str(tmp_path / "password")}
    hub = {"ca": str(ca), "user": "hub", "password": "secret of hub"}
    heard, stranger = Reader(server.port, "window", **hub), Reader(server.port, "corner", **hub)
    pub = Pub(tmp_path, "window", server.port, **safe)
    liar = Pub(tmp_path, "corner", server.port, user="window", **safe)
    until(lambda: len(heard.lines) == 3)
    until(lambda: any("the broker refuses what is published" in line for line in caplog.messages))
    for each in (pub, liar, heard, stranger):
        each.close()
    server.stop()
    assert not [*stranger.lines, *stranger.states]
    with contextlib.closing(Outbox(liar.journal.path, "corner")) as outbox:
        assert len(outbox.batch()) == 3, "what was refused is not told"


def test_why_there_is_no_line_is_said_once_whenever_it_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "ca.crt").write_text("no certificate")
    pub = Pub(tmp_path, "window", free_port(), tls=True, ca=str(tmp_path / "ca.crt"))
    until(lambda: caplog.messages)
    (tmp_path / "ca.crt").unlink()
    until(lambda: len(caplog.messages) > 1)
    pub.close()
    assert [str(tmp_path / "ca.crt") in line for line in caplog.messages] == [True, True]
    assert "No such file" in caplog.messages[1]


def test_a_line_that_is_not_made_says_what_helps(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log once had only the system's words: [SSL: CERTIFICATE_VERIFY_FAILED], and no port."""
    port = free_port()
    pub = Pub(tmp_path, "window", port)
    until(lambda: caplog.messages)
    pub.close()
    assert caplog.messages[0].startswith(f"127.0.0.1:{port}: no connection to the broker (")
    assert "check `host` and `port` in [mqtt], and whether the broker runs); the table goes on" in caplog.text


HANGS = """
import socket, sys, time
from pathlib import Path
from tests.integrations.mqtt_pub import Pub

asked = []
def hung(*_, **__):
    asked.append(1)
    time.sleep(600)

socket.getaddrinfo = hung
pub = Pub(Path(sys.argv[1]), "window", 1883)
while not asked:
    time.sleep(0.01)
pub.close()
print("closed")
"""


def test_a_name_server_that_hangs_does_not_keep_the_table_from_ending(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGS, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "closed\n"


def told_again(wrong: Exception) -> Exception:
    """A system error as aiomqtt reports it."""
    try:
        try:
            raise wrong
        except OSError as below:
            raise aiomqtt.MqttError(str(below)) from None
    except aiomqtt.MqttError as above:
        return above


def answered(name: str) -> ReasonCode:
    return ReasonCode(PacketTypes.CONNACK, name)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("wrong", "helps"),
    [
        (told_again(ssl.SSLCertVerificationError(1, "self-signed")), "check `ca` and `host`"),
        (told_again(ssl.SSLError(1, "wrong version number")), "check `tls`, `ca` and `port`"),
        (told_again(socket.gaierror(-3, "Temporary failure in name resolution")), "the network's DNS"),
        (told_again(OSError(113, "No route to host")), "check [mqtt] of the settings file and the network"),
        (FileNotFoundError(2, "No such file", "/etc/pw"), "check /etc/pw and its rights"),
        (aiomqtt.MqttError("Operation timed out"), "whether the broker runs"),
        (TimeoutError("no answer within 5 s"), "whether the broker runs"),
        (aiomqtt.MqttCodeError(answered("Not authorized")), "check user, password_file"),
        (aiomqtt.MqttCodeError(answered("Unspecified error")), "whether the broker runs"),
    ],
)
def test_what_helps_fits_what_is_wrong_with_the_line(wrong: Exception, helps: str) -> None:
    assert helps in remedy(wrong)


def test_two_tables_of_one_name_are_told_so(
    tmp_path: Path, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    twins = [Pub(tmp_path / folder, "twin", broker.port) for folder in "ab"]
    until(lambda: any("is another table called twin here, too?" in line for line in caplog.messages))
    for twin in twins:
        twin.close()


def test_the_doctor_asks_the_broker(
    tmp_path: Path, broker: Mosquitto, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = mosquitto(tmp_path / "closed", "allow_anonymous false")
    told = []
    for number, port in enumerate((broker.port, closed.port, free_port())):
        house = tmp_path / f"{number}.toml"
        house.write_text(
            'camera = "none.mp4"\nboard = "none"\njournal = "e.sqlite"\nport = 0\n'
            f'[mqtt]\nhost = "127.0.0.1"\ntable = "window"\nport = {port}\n'
        )
        main(["doctor", "--config", str(house)])
        told += [line for line in capsys.readouterr().out.splitlines() if line[5:11] == "broker"]
    closed.stop()
    takes, refuses, away = told
    assert takes.startswith("ok")
    assert refuses.startswith("BAD")
    assert "refuses window" in refuses
    assert away.startswith("BAD")
    assert "no connection" in away


def test_a_line_that_is_cut_while_it_is_made_leaves_no_socket_behind() -> None:
    """aiomqtt's thread still connects, and the garbage collector would find the loop closed."""
    was_cut = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.recv(1024)
                was_cut.wait(20)
                line.sendall(bytes((0x20, 3, 0, 0, 0)))  # CONNACK: accepted
                while line.recv(1024):
                    pass

        thread = threading.Thread(target=answer)
        thread.start()

        async def cut() -> None:
            port = server.getsockname()[1]
            client = aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5, timeout=20)

            async def talk() -> None:
                async with connected(client):
                    raise AssertionError("it was cut before")

            talking = asyncio.ensure_future(talk())
            await asyncio.sleep(0)
            talking.cancel()
            asyncio.get_running_loop().call_later(0.05, was_cut.set)
            with pytest.raises(asyncio.CancelledError):
                await talking

        asyncio.run(cut())
        thread.join(20)
        assert not thread.is_alive(), "the line was let go"
    gc.collect()
