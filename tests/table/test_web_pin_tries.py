"""The host's PIN: wrong tries, and where it comes from."""

from __future__ import annotations

import argparse
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from table.cli import run
from table.cli.network import host_pin
from table.errors import UsageError
from table.web.host import COOKIE, EVENING_S
from table.web.kept_hosts import read_hosts
from table.web.pin import FREE, FREE_TOGETHER, HashedPin, Tries, read_pin
from tests.table.pin_house import PHONE, PIN, HandClock, phone, pin_house
from tests.table.running_page import House


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def house(tmp_path: Path, clock: HandClock) -> Iterator[House]:
    with pin_house(tmp_path, clock) as house:
        yield house


@pytest.fixture
def guest(house: House) -> Iterator[httpx.Client]:
    with phone(house) as client:
        yield client


def test_wrong_tries_make_everybody_at_that_address_wait(
    house: House, guest: httpx.Client, clock: HandClock
) -> None:
    for _ in range(FREE):
        assert guest.post("/api/pin", json={"pin": "000000"}).json()["code"] == "pin.wrong"
    refused = guest.post("/api/pin", json={"pin": PIN})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
    assert refused.json()["error"] == "too many wrong tries; wait 30 s"
    with phone(house, "192.168.1.51") as other:
        assert other.post("/api/pin", json={"pin": PIN}).status_code == 200
    clock.now += 30
    assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200


def test_pulling_the_plug_wins_no_further_tries(tmp_path: Path, clock: HandClock) -> None:
    """A restart once forgot the waits, so whoever pulled the plug could guess on."""
    pin = HashedPin.of(PIN)
    with pin_house(tmp_path, clock, pin) as house, phone(house) as guest:
        for _ in range(FREE):
            guest.post("/api/pin", json={"pin": "000000"})
    clock.now += 5
    with pin_house(tmp_path, clock, pin) as house, phone(house) as guest:
        assert guest.post("/api/pin", json={"pin": PIN}).headers["retry-after"] == "30"
        with phone(house, "192.168.1.51") as other:
            assert other.post("/api/pin", json={"pin": PIN}).status_code == 200
        clock.now += 30
        assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_behind_a_proxy_with_tls_the_cookie_goes_over_tls_alone(
    guest: httpx.Client, scheme: str, secure: bool
) -> None:
    answer = guest.post("/api/pin", json={"pin": PIN}, headers={"x-forwarded-proto": scheme})
    assert ("Secure" in answer.headers["set-cookie"]) == secure


def test_a_try_is_on_the_disk_before_it_is_answered(tmp_path: Path, clock: HandClock) -> None:
    with pin_house(tmp_path, clock) as house, phone(house) as guest:
        guest.post("/api/pin", json={"pin": "000000"})
        assert read_hosts(tmp_path / "evening.hosts").wrong == {PHONE: 1, "": 1}


def ended(house: House, cookies: httpx.Cookies) -> int:
    """The status for a phone with these cookies that asks for former evenings."""
    with phone(house) as guest:
        guest.cookies = cookies
        return guest.get("/api/history").status_code


@pytest.mark.parametrize(
    ("passes_s", "status"), [(5.0, 200), (-1800.0, 200), (-7200.0, 403), (EVENING_S + 1.0, 403)]
)
def test_a_phone_stays_the_hosts_when_the_table_starts_again(
    tmp_path: Path, clock: HandClock, passes_s: float, status: int
) -> None:
    """A computer without a clock of its own may be half an hour behind by then, but not an evening away."""
    pin = HashedPin.of(PIN)
    clock.now = 1.8e9
    with pin_house(tmp_path, clock, pin) as house, phone(house) as guest:
        guest.post("/api/pin", json={"pin": PIN})
        cookies = guest.cookies
    file = tmp_path / "evening.hosts"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert str(cookies[COOKIE]) not in file.read_text()
    clock.now += passes_s
    with pin_house(tmp_path, clock, pin) as house:
        assert ended(house, cookies) == status


def test_another_pin_admits_no_phone_of_before(tmp_path: Path, clock: HandClock) -> None:
    with pin_house(tmp_path, clock) as house, phone(house) as guest:
        guest.post("/api/pin", json={"pin": PIN})
        cookies = guest.cookies
    with pin_house(tmp_path, clock, HashedPin.of("314159")) as house:
        assert ended(house, cookies) == 403


def test_wrong_tries_of_another_evening_make_nobody_wait(tmp_path: Path, clock: HandClock) -> None:
    pin = HashedPin.of(PIN)
    with pin_house(tmp_path, clock, pin) as house, phone(house) as guest:
        for _ in range(5):
            guest.post("/api/pin", json={"pin": "000000"})
    clock.now += EVENING_S + 1
    with pin_house(tmp_path, clock, pin) as house, phone(house) as guest:
        assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b'{"browsers": 7}', b"\x00" * 40, b'{"pin": "\xb4"}', b'{"wrong": {"": -100}}'],
)
def test_a_damaged_file_of_hosts_admits_nobody_and_stops_nothing(
    tmp_path: Path, clock: HandClock, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "evening.hosts").write_bytes(text)
    with pin_house(tmp_path, clock) as house, phone(house) as guest:
        assert guest.get("/api/history").status_code == 403
        assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200
        assert guest.get("/api/history").status_code == 200
    assert "phones show the PIN again" in caplog.text


def test_a_disk_that_refuses_the_file_of_hosts_refuses_nobody(
    tmp_path: Path, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "evening.hosts").mkdir()
    with pin_house(tmp_path, clock) as house, phone(house) as guest:
        assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200
        assert guest.get("/api/history").status_code == 200
        assert guest.post("/api/pin", json={"pin": PIN}).status_code == 200
    assert caplog.text.count("cannot be written") == 1, "said once, not at every PIN"


@pytest.mark.parametrize(
    "body", [{"pin": "12345"}, {"pin": "٣٣٣٣٣٣"}, {"pin": 271828}, {}, {"pin": PIN, "x": 1}]
)
def test_what_is_no_pin_is_no_try(guest: httpx.Client, body: dict[str, Any]) -> None:
    for _ in range(FREE + 1):
        assert guest.post("/api/pin", json=body).status_code == 400


def test_waits_grow_end_and_are_forgotten() -> None:
    tries, now, waits = Tries(), 0.0, []
    for _ in range(FREE + 8):
        now += tries.wait_s(PHONE, now)
        tries.book(PHONE, now)
        waits.append(tries.wait_s(PHONE, now))
    assert waits[: FREE + 2] == [0, 0, 0, 0, 30, 60, 120]
    assert waits[-1] == 900
    assert tries.wait_s(PHONE, now + 3600) == 0


def test_another_address_for_every_try_gets_no_further() -> None:
    tries = Tries()
    for n in range(FREE_TOGETHER):
        assert tries.wait_s(f"192.168.2.{n}", 0.0) == 0
        tries.book(f"192.168.2.{n}", 0.0)
    assert tries.wait_s("192.168.3.1", 0.0) == 30
    together = Tries()
    for n in range(FREE):
        together.book(f"fd00::{n}", 0.0)
    assert together.wait_s("fd00::99", 0.0) == 30
    assert together.wait_s("fd01::1", 0.0) == 0


def test_the_first_start_makes_a_pin_says_it_once_and_keeps_only_its_hash(tmp_path: Path) -> None:
    journal = tmp_path / "evening.sqlite"
    said, pin = host_pin(None, "0.0.0.0", journal)
    assert pin is not None
    assert pin.matches(said[:6])
    file = tmp_path / "evening.pin"
    assert said[:6] not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again, kept = host_pin(None, "0.0.0.0", journal)
    assert (again.split()[:2], kept) == (["as", "before"], pin)


def test_another_pin_none_or_no_network(tmp_path: Path) -> None:
    journal = tmp_path / "evening.sqlite"
    assert host_pin(None, "127.0.0.1", journal) == ("", None)
    assert host_pin("none", "0.0.0.0", journal)[1] is None
    assert not (tmp_path / "evening.pin").exists()
    host_pin(PIN, "0.0.0.0", journal)
    kept = read_pin(tmp_path / "evening.pin")
    assert kept is not None
    assert kept.matches(PIN)
    assert not kept.matches("000000")
    assert host_pin(PIN, "0.0.0.0", journal)[1] == kept, "the settings name it at each start"
    assert host_pin("314159", "0.0.0.0", journal)[1] != kept
    host_pin(PIN, "0.0.0.0", journal)
    with pytest.raises(UsageError, match="six digits"):
        host_pin("1234", "0.0.0.0", journal)
    (tmp_path / "evening.pin").write_text("scrypt 00 zz")
    said, _ = host_pin(None, "0.0.0.0", journal)
    assert said[:6].isdigit(), "one that cannot be read is made anew"


def test_the_command_line_takes_a_pin_or_none() -> None:
    parser = argparse.ArgumentParser()
    run.register(parser)
    words: list[list[str]] = [[], ["--pin", PIN], ["--no-pin"]]
    assert [parser.parse_args(each).pin for each in words] == [None, PIN, "none"]
