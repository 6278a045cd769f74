"""Cards with QR codes: a phone reads from them the address of that seat's page."""

from __future__ import annotations

import cv2
import pytest

from table.printables import PrintError, render
from table.printables.seat_cards import seat_card, seat_sheets

HOME = "http://stammtisch.local:8080"


@pytest.mark.parametrize("seat", ["S1", "S5"])
@pytest.mark.parametrize("address", [HOME, "http://[fd00:1234:5678:9abc::1]:8080"])
def test_a_phone_reads_the_address_of_the_seat_on_its_card(address: str, seat: str) -> None:
    picture = render(seat_card(address, seat), 8)
    read, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert read == f"{address}/seat/{seat}"


def test_all_cards_of_a_table_fit_one_or_two_sheets() -> None:
    assert [len(seat_sheets(HOME + "/", seats)) for seats in (2, 4, 5)] == [1, 1, 2]


@pytest.mark.parametrize(
    "address",
    [
        "", "table", "ftp://x", "http://", "http://bär", f"http://{61 * 'a'}", f"{HOME}/?lang=en",
        f"{HOME}/seat/S1", f"{HOME}/#top", "http://my table:8080", "http://x:99999", "http://127.0.0.1:8080",
        "http://localhost", "http://[::1]:8080", "http://[::1",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_page_makes_no_cards(address: str) -> None:
    with pytest.raises(PrintError, match="--url"):
        seat_sheets(address, 4)
