"""Who sits at the virtual table tonight: opens rounds and games, tells honestly where eye and truth differ.

The house does not know that its guests are virtual: it gets the `game` and `round` lines that people would
give it, and everything else from its camera.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping

from table.rules import engine
from table.rules.events import Event
from table.rules.games import TRICK_GAMES
from table.rules.opening import open_game
from table.session import Session, SessionError
from table.standing import standing
from table.virtual.deeds import Lying
from table.virtual.players import SEED, Players, VirtualRound
from table.virtual.tonight import ASKED_S, Tonight, broken_off

log = logging.getLogger(__name__)

NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Elke")
EVENING_ROUNDS = 8
"""Number of rounds of a game without an end after which the virtual players begin a new sheet."""
PATIENCE_S = 4.0
"""How long the house may take to note the last card or to settle; then things go on regardless."""


class Evening:
    """Game after game at one sitting.

    Args:
        session: the house's sitting; its journal tells where the evening stands.
        players: who gets the rounds to play.
        tonight: what they play: a game of tricks.
        tell: gets a line for people after each round.
        clock: real seconds.
    """

    def __init__(
        self,
        session: Session,
        players: Players,
        tonight: Tonight,
        tell: Callable[[str], None] = lambda line: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._players, self._clock, self._tell = session, players, clock, tell
        self._tonight, self._left = tonight, tonight.limit
        self._seats = [f"S{i + 1}" for i in range(tonight.players)]
        usual = {
            "game": tonight.game,
            "options": TRICK_GAMES[tonight.game].usual_options(tonight.players),
            "seats": self._seats,
            "players": list(NAMES[: tonight.players]),
        }
        self._opening = tonight.opening or Event("game", usual)
        self._setup = open_game(self._opening)
        self._round: VirtualRound | None = None
        self._told = 0
        self._compared = 0
        self._noted = 0
        self._waiting_since: float | None = None
        self._over_since: float | None = None
        self.differences = 0
        """How often the journal differed from what was really played."""
        self._gone = False

    def take_up(self) -> tuple[Lying, str]:
        """Continue where the journal stands, or begin; return what lies on the table and a line to show."""
        self._session.listen(lambda _view: self._compare())
        resumed = self._session.resume()
        entries = self._session.entries
        now = standing(entries)
        events = [(entry.id, now.get(entry.id, entry.event)) for entry in entries]
        opened = [i for i, (_, event) in enumerate(events) if event and event.kind == "round"]
        view = self._session.view
        ours = view.game == self._setup.game and list(view.seats) == self._seats
        rounds = [event for i in opened if (event := events[i][1]) is not None]
        if resumed and ours and rounds and all(SEED in event.fields for event in rounds):
            so_far = [e for _, e in events[opened[-1] + 1 :] if e is not None and e.kind != "correction"]
            self._compared = len(entries)
            self._round = self._before(rounds[:-1])
            lying = self._sit(rounds[-1], so_far)
            self._noted = len(self._round.played) if self._round else 0
            return lying, f"the journal holds game {self._session.game}: round {view.round} goes on"
        if resumed and ours and self._just_chosen():
            self._deal_chosen(opened)
        else:
            self._begin_game()
        return Lying(), f"game {self._session.game} begins"

    def _just_chosen(self) -> bool:
        """Whether the game of the journal is the one that people want, and nothing was played in it."""
        kinds = [entry.event.kind for entry in self._session.entries]
        return self._tonight.opening is not None and kinds in (["game"], ["game", "round"])

    def _deal_chosen(self, opened: list[int]) -> None:
        """Continue the game that people began on the page: nobody has dealt its cards."""
        self._compared = len(self._session.entries)
        if opened:
            entry = self._session.entries[opened[0]]
            self._deal_for(entry.id, entry.event)
        else:
            self._begin_round()
        self._session.prune(self._tonight.keep_games)

    def leave(self) -> None:
        """Stop: somebody has begun another game."""
        self._gone = True

    def _before(self, rounds: list[Event]) -> VirtualRound | None:
        """Replay the rounds of this game so far in memory; return the last one, if there was any."""
        last: VirtualRound | None = None
        for number, (event, noted) in enumerate(
            zip(rounds, self._session.result()["rounds"], strict=False), 1
        ):
            before = None if last is None else last.handed_on
            last = VirtualRound(self._setup, event, (), number, before)
            if noted["broken_off"]:
                last.break_off()
            last.play_out()
        return last

    def tend(self) -> bool:
        """Open what is due, tell what is said; False when the agreed number of rounds is played."""
        if self._gone:
            return True
        if self._players.said is not None:
            self._note_word(self._players.said)
            return True
        if not self._players.waiting:
            self._waiting_since = None
            if self._round is not None and broken_off(self._session):
                self._players.rise(self._round)
            return True
        if (theirs := self._opened_by_people()) is not None:
            self._waiting_since = None
            self._close_round(settled=True, opened_since=1)
            self._deal_for(*theirs)
            return self._left != 0
        settled = self._session.view.phase in ("settled", "finished")
        if not settled and self._within(PATIENCE_S):
            return True
        if settled and broken_off(self._session) and self._within(ASKED_S):
            return True
        if not settled:
            self._session.close_gaps()
            settled = self._session.view.phase in ("settled", "finished")
        self._waiting_since = None
        if self._over_since is None:
            self._close_round(settled)
            if self._left == 0:
                return False
            if not self._game_over():
                self._begin_round()
                return True
            self._over_since = self._clock()
        if self._clock() >= self._over_since + self._tonight.shown_s(self._session.entries[-1].event):
            self._over_since = None
            self._tonight = self._tonight.by_itself()
            self._begin_game()
        return True

    def _opened_by_people(self) -> tuple[int, Event] | None:
        """The line of a round that was begun on the page or with the button: nobody has dealt its cards."""
        entries = self._session.entries
        now = standing(entries)
        for entry in reversed(entries):
            line = now.get(entry.id, entry.event)
            if line is not None and line.kind == "round":
                return None if SEED in line.fields else (entry.id, line)
        return None

    def _deal_for(self, of: int, line: Event) -> None:
        """Deal the round that people began; its line tells how, for resuming it after a power cut."""
        ours = self._round_event(self._session.view.round - 1)
        event = Event("round", {**ours.fields, **line.fields})
        self._session.correct(of, event)
        self._compared = len(self._session.entries)
        self._sit(event)

    def _within(self, seconds: float) -> bool:
        """Whether the house has waited less than that for the guests, or they for it."""
        now = self._clock()
        if self._waiting_since is None:
            self._waiting_since = now
        return now < self._waiting_since + seconds

    def _note_word(self, event: Event) -> None:
        """Tell the house what was said, after it has noted the cards that lay there before."""
        behind = self._round is not None and self._noted < len(self._round.played)
        if behind and self._within(PATIENCE_S):
            return
        self._waiting_since = None
        try:
            self._session.tell(event)
        except SessionError as wrong:
            self.differences += 1
            log.warning("the table refused what was said: %s", wrong)
        self._players.heard()

    def _game_over(self) -> bool:
        view = self._session.view
        endless = TRICK_GAMES[self._setup.game].endless
        agreed = EVENING_ROUNDS if endless else self._setup.options.get("rounds")
        return view.over or (agreed is not None and view.round >= agreed)

    def _begin_game(self) -> None:
        self._round = None
        event = self._round_event(0)
        self._session.begin([self._opening, event])
        self._session.prune(self._tonight.keep_games)
        self._compared = len(self._session.entries)
        self._sit(event)

    def _begin_round(self) -> None:
        event = self._round_event(self._session.view.round)
        self._session.add(event)
        self._compared = len(self._session.entries)
        self._sit(event)

    def _round_event(self, number: int) -> Event:
        """The line of the round after this many of the game."""
        before = None if self._round is None else self._round.handed_on
        dealer = TRICK_GAMES[self._setup.game].next_dealer(self._setup, before)
        if number == 0 and self._tonight.first is not None:
            dealer = self._tonight.first
        chance = random.Random(f"{self._tonight.seed}/{self._session.game}/{number}")
        return Event("round", {"dealer": dealer, SEED: chance.getrandbits(48)})

    def _sit(self, event: Event, so_far: list[Event] | None = None) -> Lying:
        before = None if self._round is None else self._round.handed_on
        number = max(1, self._session.view.round)
        self._round = VirtualRound(self._setup, event, so_far or (), number, before)
        self._noted = 0
        self._players.sit(self._round)
        return self._round.lying

    # --- truth ---------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Compare every new card of the journal with what was really played; never mend anything."""
        if self._gone:
            return
        fresh = self._session.entries[self._compared :]
        self._compared = len(self._session.entries)
        for entry in fresh:
            by_rules = entry.event.get("source") == "rules"
            if self._round is None or entry.event.kind not in ("card", "unsure") or by_rules:
                continue
            seen_play = (str(entry.event.get("seat")), str(entry.event.get("card")))
            self._pass_over_unseen(seen_play)
            played, at = self._round.played, self._noted
            self._noted += 1
            truth = played[at] if at < len(played) else None
            if entry.event.kind == "unsure":
                log.info("event %d: the table is unsure; %s was played", entry.id, _card(truth))
            elif truth != seen_play:
                self.differences += 1
                seen = _card(seen_play)
                log.warning("event %d: the table saw %s, but %s was played", entry.id, seen, _card(truth))

    def _pass_over_unseen(self, seen: tuple[str, str]) -> None:
        """Report which cards were played before this one and never seen, so that one miss counts once."""
        assert self._round is not None
        ahead = self._round.played[self._noted : self._noted + len(self._seats)]
        if seen not in ahead:
            return
        for missed in ahead[: ahead.index(seen)]:
            self._noted += 1
            self.differences += 1
            log.warning("the table did not see %s", _card(missed))

    def _close_round(self, settled: bool, opened_since: int = 0) -> None:
        """Report how the round went, in the table's and in the players' own count.

        Args:
            settled: the table has seen it to its end, or somebody has broken it off.
            opened_since: number of rounds begun after it.
        """
        if self._round is None:
            return
        view, truth = self._session.view, engine.score(self._round.position)
        if self._left is not None:
            self._left -= 1
        if not settled:
            self.differences += 1
            log.warning(
                "round %d: the table did not see all of it (%d of %d cards); it is broken off",
                view.round,
                sum(view.seen.values()),
                len(self._round.played),
            )
            self._session.add(Event("end", {"source": "touch"}))
            view = self._session.view
        rounds = self._session.result()["rounds"]
        number, told = view.round - opened_since, rounds[-1 - opened_since] if rounds else {}
        if settled and told.get("broken_off"):
            self._tell(f"round {number}: broken off by somebody")
            return
        counted = told.get("points", {})
        agree = (
            "as the players count"
            if counted == truth
            else f"the players count {_points(truth, view.players)}"
        )
        if counted != truth and settled:
            self.differences += 1
        self._tell(f"round {number}: {_points(counted, view.players)} ({agree})")


def _card(played: tuple[str, str] | None) -> str:
    return "nothing" if played is None else f"{played[1]} by {played[0]}"


def _points(points: Mapping[str, int], players: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {value:+d}" for name, value in zip(players, points.values(), strict=False))
