"""`watch --trace`: a page that opens without a server shows what led to each event."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.cli.trace import INDEX, Trace
from table.cli.trace_reasons import meaning
from table.errors import UsageError
from table.rules.events import Event
from table.rules.view import View
from tests.vision.evening import LAYOUT, Evening, deck
from vision.cards.proposal import Proposal
from vision.cards.reading import Reading
from vision.cards.rectangle import Box
from vision.frame import as_frame
from vision.layout import Layout
from vision.mat.pipeline import Eye
from vision.sightings import CardDown, DieSeen, Guess, HandSeen, Picture, Sighting, ThrowSeen


class Traced:
    """An eye as under `watch --trace`: the trace sees frames, proposals, and the results of sightings."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.eye = Eye(LAYOUT, deck(), listener=trace.heed)
        self._interpreter = trace.before(LAYOUT, self.eye, deck())

    def see(self, picture: Picture, t: float) -> list[Sighting]:
        self._trace.show(as_frame(picture), t)
        seen = self.eye.see(picture, t)
        for sighting in seen:
            self._interpreter.hear(sighting, View())
        return seen


def test_a_card_stands_beside_its_face_and_what_is_none_says_why(tmp_path: Path) -> None:
    trace = Trace(str(tmp_path / "trace"), "a drawn film")
    evening = Evening()
    evening.eye = Traced(trace)  # type: ignore[assignment]
    evening.wait(2)
    evening.play("S1", "beer mat")
    evening.play("S3", "red-8")
    trace.close()
    page = (tmp_path / "trace" / INDEX).read_text()
    assert "S3 plays red-8" in page
    assert re.search(r"<b>read</b>red-8 at", page)
    assert "beer mat" not in page
    assert re.search(r"class=refused>.*no face was found on it", page)
    files = re.findall(r"src=[\"']([^\"']+)", page)
    assert any(name.endswith("-face.jpg") for name in files)
    assert all((tmp_path / "trace" / name).stat().st_size for name in files)
    assert "://" not in page


def proposed(x_mm: float, likeness: float, refused: str | None = "too unlike") -> Proposal:
    corners = np.array([(x_mm, 0.0), (x_mm + 59, 0), (x_mm + 59, 91), (x_mm, 91)])
    reading = Reading((Guess("red-8", 0.6),), likeness, 0.1, False)
    return Proposal(corners, Box((0.0, 0.0), 0.0, (59.0, 91.0), 0.7, 0.4), reading, refused)


def closed(trace: Trace, folder: Path) -> str:
    trace.close()
    return (folder / INDEX).read_text()


def black(trace: Trace, t: float) -> None:
    trace.show(as_frame(np.zeros((90, 160, 3), np.uint8)), t)


def test_what_is_proposed_again_and_again_stands_there_once(tmp_path: Path) -> None:
    trace = Trace(str(tmp_path), "a film")
    for t, x_mm, likeness in ((1.0, 0.0, 0.3), (1.5, 3.0, 0.5), (2.0, 200.0, 0.4)):
        black(trace, t)
        trace.heed(proposed(x_mm, likeness))
    page = closed(trace, tmp_path)
    assert page.count("class=refused>") == 2
    assert "1.00 s to 1.50 s, 2 times: likeness 0.50, margin 0.10, outline 0.70 on edges" in page


def test_of_very_many_proposals_the_likeliest_stand_there(tmp_path: Path) -> None:
    trace = Trace(str(tmp_path), "a film")
    black(trace, 1.0)
    for number in range(60):
        trace.heed(proposed(100.0 * number, number / 100))
    page = closed(trace, tmp_path)
    assert "likeness 0.59" in page
    assert "likeness 0.05" not in page


def heard(tmp_path: Path, *sightings: Sighting) -> str:
    trace = Trace(str(tmp_path), "a film")
    interpreter = trace.before(Layout("field", (280.0, 280.0), ()), None, None)
    for sighting in sightings:
        black(trace, sighting.t)
        interpreter.hear(sighting, View())
    return closed(trace, tmp_path)


def test_dice_say_what_is_not_sure_of_them_and_stand_there_once_while_they_lie(tmp_path: Path) -> None:
    die: dict[str, Any] = {"touches": ("1x", "2x"), "counts_as": "2x", "margin_mm": 0.2, "doubt": ("line",)}
    dice = (DieSeen("red", "3", (40.0, 40.0), 10.0, "field", **die),)
    page = heard(tmp_path, ThrowSeen(1.0, dice, rolled=False), ThrowSeen(2.0, dice, rolled=False))
    assert page.count("<section") == 1
    assert "red 3, field, touches 1x 2x, counts as 2x, margin 0.2 mm; not sure: line" in page


def test_a_hand_is_no_entry_and_a_film_without_any_says_so(tmp_path: Path) -> None:
    assert "Nothing was decided" in heard(tmp_path, HandSeen(1.0, 2.0, "S1"))


def test_a_run_that_is_cut_short_leaves_a_page_of_what_was_decided_so_far(tmp_path: Path) -> None:
    trace = Trace(str(tmp_path), "a film")
    interpreter = trace.before(Layout("field", (280.0, 280.0), ()), None, None)
    black(trace, 1.0)
    interpreter.hear(ThrowSeen(1.0, (), rolled=True), View())
    assert (tmp_path / INDEX).read_text().count("<section") == 1  # nobody called `close`


def test_the_page_of_a_long_run_is_not_written_for_every_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    write = Trace._write
    monkeypatch.setattr(
        Trace, "_write", lambda self, name, data: written.append(name) or write(self, name, data)
    )
    trace = Trace(str(tmp_path), "a film")
    interpreter = trace.before(Layout("field", (280.0, 280.0), ()), None, None)
    for t in range(60):
        black(trace, float(t))
        dice = (DieSeen("red", str(1 + t % 6), (40.0, 40.0), 10.0, "field"),)
        interpreter.hear(ThrowSeen(float(t), dice, rolled=True), View())
    assert (tmp_path / INDEX).read_text().count("<section") >= 54
    assert written.count(INDEX) < 40
    assert closed(trace, tmp_path).count("<section") == 60


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        Trace(str(tmp_path), "a film")


def tried_at(tmp_path: Path, *moments: tuple[float, Proposal]) -> Trace:
    trace = Trace(str(tmp_path), "a film")
    trace.before(LAYOUT, None, None)
    for t, proposal in moments:
        black(trace, t)
        trace.heed(proposal)
    return trace


def changed(proposal: Proposal) -> Proposal:
    return replace(proposal, fresh=0.9)


MISSED = "class=missed>"


def test_a_place_where_nothing_was_read_has_an_entry_of_its_own_that_says_why(tmp_path: Path) -> None:
    card = changed(proposed(-329.5, 0.4, "no face was found on it"))
    page = closed(tried_at(tmp_path, (1.0, card), (1.2, card), (1.8, card)), tmp_path)
    entry = r"1\.00 s to 1\.80 s  no card was read \(at -300, 46 mm\): no face was found on it"
    assert re.search(MISSED + entry, page)
    assert "Likely cause: it shows its back" in page


def test_a_hand_that_passes_and_a_table_that_looks_as_before_are_no_missed_card(tmp_path: Path) -> None:
    passing, same = changed(proposed(0, 0.4)), proposed(300, 0.4)
    moments = [(1.0, passing), (1.1, passing), (2.0, same), (3.0, same)]
    assert MISSED not in closed(tried_at(tmp_path, *moments), tmp_path)


def test_a_place_that_is_read_in_the_end_was_not_missed(tmp_path: Path) -> None:
    card = changed(proposed(0, 0.4))
    trace = tried_at(tmp_path, (1.0, card), (2.0, card))
    corners = ((0.0, 0.0), (59.0, 0.0), (59.0, 91.0), (0.0, 91.0))
    trace.decided(CardDown(2.1, 1, (Guess("red-8", 0.9),), True, corners, None, None), ())
    for t in (2.2, 3.0):  # it is on the table now, so further attempts are second looks
        black(trace, t)
        trace.heed(card)
    assert MISSED not in closed(trace, tmp_path)


def test_a_missed_card_says_before_whom_it_lay_and_stands_before_what_came_later(tmp_path: Path) -> None:
    seat = LAYOUT.seats[0]
    x, y = np.mean(seat.zone_mm, axis=0)
    card = proposed(0, 0.4, "a hand is over it")
    card = changed(replace(card, corners_mm=card.corners_mm - (29.5, 45.5) + (x, y)))
    trace = tried_at(tmp_path, (1.0, card), (2.0, card))
    for t in (2.5, 8.0):
        black(trace, t)
        trace.decided(ThrowSeen(t, (), rolled=True), (Event("say", {"what": f"at {t}"}),))
    page = closed(trace, tmp_path)
    entry = page.index(f"<h2>1.00 s to 2.00 s  no card was read before {seat.name}")
    assert entry < page.index("<h2>somebody says at 2.5") < page.index("<h2>somebody says at 8.0")


def lay(seat: str, x_mm: float, y_mm: float, refused: str) -> Proposal:
    """A proposal beside the middle of a seat's zone, too small to count as a place of its own."""
    x, y = np.mean(next(each.zone_mm for each in LAYOUT.seats if each.name == seat), axis=0)
    card = proposed(0, 0.4, refused)
    return replace(card, corners_mm=card.corners_mm - (29.5, 45.5) + (x + x_mm, y + y_mm), fresh=0.1)


def missed(trace: Trace, seat: str) -> None:
    trace.written(Event("unsure", {"seat": seat, "reason": "missed", "t": 9.0}))


def taken(trace: Trace, t: float) -> None:
    black(trace, t)
    trace.written(Event("collected", {"seat": "S1", "t": t}))


def test_a_card_that_the_rules_miss_has_an_entry_at_the_place_that_came_nearest(tmp_path: Path) -> None:
    own, others = LAYOUT.seats[0].name, LAYOUT.seats[1].name
    trace = tried_at(tmp_path, (1.0, lay(own, -40, 0, "too unlike HK: likeness 0.12")))
    taken(trace, 2.0)
    for t, card in (
        (4.0, lay(own, 40, 0, "no face was found on it")),
        (4.1, lay(others, 0, 0, "a hand is over it")),
    ):
        black(trace, t)
        trace.heed(card)
    taken(trace, 8.0)
    missed(trace, own)
    page = closed(trace, tmp_path)
    entries = re.findall(f"{MISSED}<h2>(.*?)</h2>", page)
    assert len(entries) == 1
    assert re.fullmatch(
        rf"9\.00 s  {own} played a card that was not seen; proposed at \S+ \S+ mm, 4\.00 s: no face was .*",
        entries[0],
    )
    assert "Likely cause: it shows its back, is mostly covered" in page


def test_a_missed_card_before_whose_player_nothing_was_proposed_says_so(tmp_path: Path) -> None:
    trace = tried_at(tmp_path, (1.0, lay(LAYOUT.seats[1].name, 0, 0, "a hand is over it")))
    missed(trace, LAYOUT.seats[0].name)
    page = closed(trace, tmp_path)
    assert "played a card that was not seen: nothing was proposed as a card" in page
    assert "Likely cause: nothing changed before that player" in page


def test_places_on_one_frame_are_told_apart_by_letters_and_each_stands_there_once(tmp_path: Path) -> None:
    moments = [(1.0, proposed(x, likeness, why)) for x, likeness, why in (
        (0, 0.5, "too unlike"), (20, 0.2, "a hand is over it"), (200, 0.3, "waits: it may get clearer"),
    )]  # fmt: skip
    page = closed(tried_at(tmp_path, *moments), tmp_path)
    assert "<b>a: too unlike</b>" in page
    assert "<b>b: waits: it may get clearer</b>" in page
    assert page.count("class=refused>") == 2
    assert "also tried: 1</summary><ul><li>a hand is over it" in page


def words_of(node: ast.AST) -> str:
    """A string in the code, with dots for its variable parts."""
    if isinstance(node, ast.JoinedStr):
        return "".join(words_of(part) for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "…"


@pytest.mark.parametrize("module", ["mat/moment", "mat/arrivals", "mat/card_search", "cards/proposal"])
def test_every_reason_for_which_a_card_is_refused_says_what_it_means(module: str) -> None:
    tree: ast.AST = ast.parse((Path(__file__).parents[2] / "vision" / f"{module}.py").read_text())
    if module == "cards/proposal":
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        tree = next(each for each in functions if each.name == "why_unsure")
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    told = [
        words_of(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in documented | inside
    ]
    reasons = [words for words in told if len(words.split()) > 3]
    assert reasons
    assert [words for words in reasons if meaning(words) is None] == []


def test_the_head_of_a_trace_names_the_cards_that_the_deck_lacks(tmp_path: Path) -> None:
    lacking = replace(deck(), names=deck().names[1:], pictures=deck().pictures[1:], partial=True)
    lacking.expect([deck().names[0]])
    trace = Trace(str(tmp_path), "a film")
    trace.before(LAYOUT, Eye(LAYOUT, lacking), lacking)
    head, *_ = closed(trace, tmp_path).partition("In the order of time")
    assert f"The deck has no picture of {deck().names[0]}." in head
