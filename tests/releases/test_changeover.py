"""Another release: installed beside the running one, never during a game, proven in a minute or undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.errors import StammtischError
from table.releases.changeover import START_S, STEADY_S
from table.releases.shelf import KEPT, WHOLE
from tests.releases.pub import (
    Fault,
    PowerCutError,
    Pub,
    dead,
    ends_after_half_a_minute,
    forgetful,
    no_journal_copy,
    without_camera,
)

OLD, NEW = "0.2.0-aaaaaaaa", "0.3.0-bbbbbbbb"


@pytest.fixture
def pub(tmp_path: Path) -> Pub:
    pub = Pub(tmp_path)
    pub.has(OLD)
    assert pub.change().change_to(OLD)
    pub.said.clear()
    return pub


def links(pub: Pub) -> tuple[str | None, ...]:
    return tuple(pub.shelf.named(link) for link in ("current", "proven", "next"))


def test_the_first_release_is_the_proven_one(tmp_path: Path) -> None:
    pub = Pub(tmp_path)
    assert pub.change().change_to(pub.has(OLD))
    assert links(pub) == (OLD, OLD, None)
    assert pub.unit() == f"# of {OLD}\n"
    assert pub.said == [
        f"{OLD}: is installed and runs; its page: http://localhost:8080/",
        "what it still lacks: sudo stammtisch doctor",
    ]


def test_a_release_that_is_well_for_a_minute_is_proven(pub: Pub) -> None:
    began = pub.now()
    assert pub.change().change_to(pub.has(NEW))
    assert pub.now() - began >= STEADY_S
    assert links(pub) == (NEW, NEW, None)
    assert pub.unit() == f"# of {NEW}\n", "its units came with it"
    assert not (pub.shelf.base / "copy").exists(), "the journal's copy, with its names, is not kept"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (dead, f"the page does not answer after {START_S:.0f} s"),
        (without_camera, f"camera worked before but not now after {START_S:.0f} s"),
        (forgetful, f"lines of the journal are missing after {START_S:.0f} s"),
        (ends_after_half_a_minute, "it was restarted, 32 s after all was well"),
    ],
)
def test_a_release_that_does_not_get_well_is_gone_back_from(pub: Pub, fault: Fault, why: str) -> None:
    assert not pub.change().change_to(pub.has(NEW, fault))
    assert links(pub) == (OLD, OLD, None)
    assert pub.unit() == f"# of {OLD}\n"
    assert pub.shelf.failure(NEW) == why
    assert pub.said == [f"{NEW}: {why}; going back to {OLD}"]
    answer = pub.answer()
    assert answer is not None
    assert answer.release == OLD


def test_what_did_not_work_before_need_not_work_afterwards(pub: Pub) -> None:
    pub.camera = "lost"
    assert pub.change().change_to(pub.has(NEW, without_camera))


def test_during_a_game_nothing_changes_and_in_the_pause_it_does(pub: Pub) -> None:
    pub.shelf.point("next", pub.has(NEW))
    pub.playing = True
    assert pub.change().settle()
    assert links(pub) == (OLD, OLD, NEW)
    assert pub.said == [f"{NEW} waits: a game is being played"]
    pub.playing = False
    assert pub.change().settle()
    assert links(pub) == (NEW, NEW, None)


def test_what_waits_for_a_pause_never_undoes_a_later_choice(pub: Pub) -> None:
    """0.2.1 waits and 0.3.0 is installed at once: the next pause must not go back to 0.2.1."""
    pub.shelf.point("next", pub.has("0.2.1-cccccccc"))
    assert pub.change().change_to(pub.has(NEW))
    assert pub.change().settle()
    assert links(pub) == (NEW, NEW, None)


def test_a_table_that_runs_and_does_not_answer_may_be_played_at(pub: Pub) -> None:
    pub.shelf.point("next", pub.has(NEW))
    pub.faults[OLD] = dead
    assert pub.change().settle()
    assert links(pub) == (OLD, OLD, NEW)


def test_a_release_that_was_gone_back_from_is_not_tried_again_by_itself(pub: Pub) -> None:
    pub.shelf.point("next", pub.has(NEW, dead))
    assert not pub.change().settle()
    pub.said.clear()
    assert pub.change().settle()
    assert pub.said == []


def test_without_a_copy_of_the_journal_nothing_is_changed(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pub, "copy_journal", no_journal_copy)
    with pytest.raises(StammtischError, match="no room"):
        pub.change().change_to(pub.has(NEW))
    assert links(pub) == (OLD, OLD, None)


def test_a_journal_that_the_old_release_cannot_read_is_put_back(pub: Pub) -> None:
    assert not pub.change().change_to(pub.has(NEW, dead, form=3))
    assert pub.form == 2
    assert "its earlier journal is restored" in pub.said[-1]
    answer = pub.answer()
    assert answer is not None
    assert answer.release == OLD


@pytest.mark.parametrize("form", [2, 3])
@pytest.mark.parametrize("new_is_dead", [True, False])
def test_wherever_the_plug_is_pulled_the_next_settle_ends_it(pub: Pub, new_is_dead: bool, form: int) -> None:
    """The plug is pulled at each moment in which the machine is asked for something."""
    pub.has(NEW, dead if new_is_dead else None, form=form)
    for moment in range(1000):
        asked = iter(range(moment + 1))
        pub.power_cut_at = lambda asked=asked: next(asked, None) is None  # type: ignore[misc]
        pub.shelf.pardon(NEW)
        try:
            pub.change().change_to(NEW)
            break
        except PowerCutError:
            pass
        assert pub.shelf.named("proven") in (OLD, NEW)
        pub.boots()
        pub.change().settle()
        current, proven, _ = links(pub)
        assert current == proven, f"after {moment}"
        assert current == OLD or not new_is_dead
        answer = pub.answer()
        assert answer is not None, f"after {moment} it reads its journal"
        assert answer.release == current
        assert pub.unit() == f"# of {current}\n"
        assert not (pub.shelf.base / "trial.json").exists()
        pub.shelf.point("proven", OLD)
        pub.shelf.point("current", OLD)
        pub.furnish(OLD)
        pub.form = 2
        pub.boots()
    assert moment > 30


def test_old_releases_go_but_never_one_that_a_link_names(pub: Pub) -> None:
    for number in range(5):
        pub.has(f"0.3.{number}-cccccccc")
    (pub.shelf.folder / "unfinished").mkdir()
    pub.shelf.sweep()
    assert len(pub.shelf.names()) == KEPT
    assert pub.shelf.names()[0] == OLD
    assert not (pub.shelf.folder / "unfinished").exists()


def test_two_at_a_time_change_nothing(pub: Pub) -> None:
    with pub.shelf.alone(), pytest.raises(StammtischError, match="another installation"), pub.shelf.alone():
        pass


def test_a_copy_that_a_power_cut_left_after_the_proof_goes(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    change = pub.change()
    monkeypatch.setattr(change, "_end", lambda: None)
    assert change.change_to(pub.has(NEW))
    assert (pub.shelf.base / "copy").exists()
    assert pub.change().settle()
    assert not (pub.shelf.base / "copy").exists()
    assert not (pub.shelf.base / "trial.json").exists()


def test_a_name_that_nobody_knows_leaves_the_table_running(pub: Pub) -> None:
    with pytest.raises(StammtischError, match="there is no such release"):
        pub.change().change_to("0.2.0-typo")
    assert pub.is_active()
    assert not (pub.shelf.base / "trial.json").exists()


def test_a_change_to_what_runs_is_none(pub: Pub) -> None:
    assert pub.change().change_to(OLD)
    assert pub.said == [f"{OLD}: is already running"]


def test_a_journal_that_the_old_release_reads_is_never_put_back(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever keeps both from answering, lines written after the copy must not be lost."""
    pub.faults[OLD] = dead
    pub.lines += 1
    restored: list[Path] = []
    monkeypatch.setattr(pub, "restore_journal", lambda _name, copy: restored.append(copy))
    with pytest.raises(StammtischError, match="does not answer either"):
        pub.change().change_to(pub.has(NEW, dead))
    assert restored == []


def test_a_link_never_names_a_release_that_is_not_whole(pub: Pub) -> None:
    (pub.shelf.path(pub.has(NEW)) / WHOLE).unlink()
    with pytest.raises(StammtischError, match="there is no such release"):
        pub.shelf.point("current", NEW)
    assert pub.shelf.named("current") == OLD
