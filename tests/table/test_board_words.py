"""What the wire says of its troubles is told in every language where somebody at the table reads it."""

from __future__ import annotations

import pytest

from firmware_bridge.errors import BoardLostError, EmulatorError
from firmware_bridge.transports.finding import find_board
from firmware_bridge.transports.serial_port import SerialPort
from table.board_words import board_told
from table.catalogue import LANGUAGES, tell


def test_a_port_that_is_not_there_is_told_in_each_language() -> None:
    with pytest.raises(Exception, match="there is no port") as wrong:
        SerialPort("/dev/ttyNone")
    told = board_told(wrong.value)
    assert told.code == "board.port.none"
    assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)
    assert "den Anschluss /dev/ttyNone gibt es nicht" in tell(told, "de")
    assert tell(told, "en") == str(wrong.value), "logs and command line read on as before"


def test_each_port_that_was_tried_says_its_own_reason() -> None:
    with pytest.raises(Exception, match="no lamp board found") as wrong:
        find_board(["/dev/ttyNone", "/dev/ttyNobody"])
    said = tell(board_told(wrong.value), "de")
    assert said.startswith("keine Lampenplatine gefunden: den Anschluss /dev/ttyNone gibt es nicht")
    assert "/dev/ttyNobody" in said


def test_what_has_no_word_of_its_own_stays_as_it_is() -> None:
    assert str(board_told(EmulatorError("`make` is missing"))) == "`make` is missing"
    assert str(board_told(BoardLostError("the cable was pulled"))) == "the cable was pulled"
    assert str(board_told(OSError("no space"))) == "no space"
