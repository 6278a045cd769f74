"""One game of DoppelX throw by throw: totals, turns, findings (X-06 to X-30).

The core never judges where a die lies: it takes the zones from the throw. A throw counts, whoever made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from table.rules.doppelx import checks
from table.rules.doppelx.judging import Before, judged
from table.rules.doppelx.scoring import Scoring, Throw, score
from table.rules.doppelx.terms import ALL, FIELDS, SPINNER_FIELDS, Die, limit, read_die
from table.rules.events import Event
from table.rules.evidence import Evidence
from table.rules.setup import Setup
from table.rules.view import Doubt, Finding

_WITHOUT_SPINNER = frozenset(FIELDS) - frozenset(SPINNER_FIELDS)
"""Fields of the box's boards (X-05); nobody knows those of a home-made board."""


class DoppelXFold:
    """A game of DoppelX, or the deciding game of those who tied in the one before (X-30)."""

    def __init__(self, setup: Setup, number: int, first: str | None, contenders: Sequence[str]) -> None:
        self.setup, self.number, self.first = setup, number, first
        self.colours, self.seats = setup.players, setup.seats
        self.dealer = self.seat(first) or self.seats[0]
        """The seat that begins: nobody deals in DoppelX."""
        self.contenders = tuple(contenders)
        """The players whose dice count: all, or in a deciding game those who tied."""
        self.evidence = Evidence(setup.seats)
        self.throws: list[Throw] = []
        self.totals: list[int] = [0] * len(self.colours)
        self.due: tuple[str, ...] = () if first is None else (first,)
        """The players who may throw next; empty: it is not known who begins (X-07)."""
        self.edges: list[tuple[int, str]] = []
        """Hands over the edge: (event, player) (X-09)."""
        self.remarks: list[tuple[int, str, str]] = []
        """(throw, what, of what): what the table points out without accusing."""
        self.seen: dict[str, int] = {}
        self.gap = False
        """Whether dice may have been thrown, taken or laid unseen since the last throw that was seen."""
        self.disordered = 0
        """Number of the next throws that may be reported in another order than they were thrown."""
        self.play: set[str | None] = set(self.colours)
        """Colours of the dice reported since throws were missing: perhaps only these play (X-30)."""
        self.over = self.broken_off = self.closed = False

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        for k, v in vars(self).items():
            setattr(twin, k, v.copy() if isinstance(v, list | dict | set | Evidence) else v)
        return twin

    # The fold ---------------------------------------------------------------------------------------------

    def add(self, number: int, event: Event) -> None:
        """Fold one event; never refuse it."""
        match event.kind:
            case "throw":
                self._throw(number, event)
            case "say":
                self._spinner(str(event.get("what")).partition(":")[2])
            case "touch":
                self._edge(number, event)
            case "blind":
                self.gap = True
            case "end":
                self.closed = self.over
                self.broken_off = self.broken_off or not self.over
                self.over = True
            case _:  # hands and light mean nothing here
                pass

    def _throw(self, number: int, event: Event) -> None:
        """Score every player for a throw, and check it against turn, dice and bets (X-10)."""
        if self.over:  # the game ended at once; later throws do not belong to it
            after = "throw_after_tie" if self.handed_on() else "throw_after_end"
            self.remarks.append((len(self.throws) + 1, after, str(event.get("player"))))
            return
        dice = tuple(read_die(plain) for plain in event.fields["dice"])
        if self._told_again(event.get("player"), dice):
            self.remarks.append((len(self.throws), "throw_again", str(event.get("player"))))
            return
        self._remark(event.get("player"), bool(event.get("after_gap")))
        before, unseen = tuple(self.totals), bool(event.get("after_gap"))
        if unseen and event.get("player") is None:  # nobody knows who threw, nor how often
            active, scoring = None, Scoring((), False)
        else:
            active = self._active(event.get("player"))
            scoring = self._score(dice, active, None)
            if not unseen:
                self._judge(number, dice, active)
        if active is not None:
            self.due = self._next_after(active)
        elif self.throws and event.get("player") == ALL:  # another game, though no line says so
            self.due = ()
        if unseen and self.due:
            self.due = self._from(self.due[0])
        self.throws.append(Throw(number, active, dice, scoring, before, before, unseen))
        self.gap = unseen
        self._book(scoring)

    def _told_again(self, named: str | None, dice: tuple[Die, ...]) -> bool:
        """Return whether a throw out of turn repeats an earlier one, die by die: a log has it twice."""
        if not self.throws or named is None:
            return False
        active = self._active(named)
        return (active is None or bool(self.due and active not in self.due)) and self._known(active, dice)

    def _known(self, active: str | None, dice: tuple[Die, ...]) -> bool:
        """Return whether a throw was reported before, die by die."""
        return any((throw.active, throw.dice) == (active, dice) for throw in self.throws)

    def _remark(self, named: str | None, unseen: bool) -> None:
        """Note what no game has: a joint throw in mid-game, none at the start, a throw by nobody, a gap."""
        throw, player = len(self.throws) + 1, "" if named is None else named
        if self.throws and named == ALL:
            self.remarks.append((throw, "opening_again", player))
        elif not self.throws and named not in (None, ALL) and not unseen:
            self.remarks.append((throw, "no_opening", player))
        elif self.throws and named is None and len(self.due) != 1 and not unseen:
            self.remarks.append((throw, "thrower_unknown", player))
        elif self.throws and self.gap and not unseen and self.due and self._active(named) not in self.due:
            self.remarks.append((throw, "throw_missed", self.due[0]))

    def _active(self, named: str | None) -> str | None:
        """Return who threw; a throw without a name is the opening, later that of the player in turn."""
        if named is None:
            return self.due[0] if self.throws and len(self.due) == 1 else None
        if named == ALL:
            return None
        return named if named in self.colours else self.colours[self.seats.index(named)]

    def _score(self, dice: tuple[Die, ...], active: str | None, spinner: str | None) -> Scoring:
        opening = bool(self.setup.options["opening_doppelx"])
        return score(dice, active, self.contenders, opening_doppel_x=opening, spinner=spinner)

    def _book(self, scoring: Scoring) -> None:
        """Book the last throw, netted for each player, then floored (XA-2); the limit ends play (X-29)."""
        last = self.throws[-1]
        for at, player in enumerate(self.colours):
            self._pay(at, last.before[at], scoring.net(player))
        for event, player in self.edges:
            if event > last.event:
                self._fine(self.colours.index(player))
        self.throws[-1] = last._replace(scoring=scoring, totals=tuple(self.totals))
        self.over = max(self._contended().values()) >= limit(len(self.colours))

    def _pay(self, at: int, total: int, net: int) -> None:
        floor = self.setup.options["floor"] != "negative"
        self.totals[at] = max(0, total + net) if floor else total + net

    def _spinner(self, colour: str) -> None:
        """Book that the spinner surely flung this die into a hole, on X or on -1: G pays (X-24, XA-10)."""
        if not self.throws or self.broken_off:
            return
        last = self.throws[-1]
        if (
            last.scoring.gains
            and last.scoring.spinner is None
            and self.setup.details.get("field") not in _WITHOUT_SPINNER
            and colour in checks.flung(last.dice, last.active)
        ):
            self._book(self._score(last.dice, last.active, colour))
        else:
            self.remarks.append((len(self.throws), "not_the_spinner", colour))

    def _edge(self, number: int, event: Event) -> None:
        """Note that a hand reached over the edge in a throw; the throw counts, but may cost a chip (X-09)."""
        if event.seat is not None and not self.over:
            at = self.seats.index(event.seat)
            self.edges.append((number, self.colours[at]))
            self._fine(at)

    def _fine(self, at: int) -> None:
        if self.setup.options["edge_penalty"] == "chip1":
            self._pay(at, self.totals[at], -1)

    # Findings (X-I1, X-I3, X-I5, X-I7) --------------------------------------------------------------------

    def _judge(self, number: int, dice: tuple[Die, ...], active: str | None) -> None:
        """Record what a throw proves against players, and what it only makes likely."""
        in_turn = active is None or not self.throws or not self.due or active in self.due
        passed = () if in_turn or active is None else self._passed_over(active)
        known = self._known(active, dice)
        self._note_players(dice, active, passed)
        bets = self.setup.details.get("bets")
        judgement = judged(
            dice,
            active,
            Before(self.throws, passed, known or bool(self.disordered), self.gap, bets, self.play),
        )
        for offence in judgement.offences:
            self._accuse(offence.finding, offence.rule, offence.colour, number)
        if judgement.untold is not None:
            self.remarks.append((len(self.throws) + 1, "throw_untold", judgement.untold))
            self.disordered = 2  # a throw of his is missing or late, or this one is his
        elif judgement.disordered:
            self.disordered = max(0, self.disordered - 1)

    def _note_players(self, dice: tuple[Die, ...], active: str | None, passed: tuple[str, ...]) -> None:
        """Note whose dice are in this game, as far as reported; the next thrower may hold his in the hand."""
        last = self.throws[-1] if self.throws and not self.gap else None
        if last is not None and active is not None:
            lay = checks.lying(last.dice, last.scoring) - {*passed}
            if checks.throws_missing(dice, active, last.dice, lay):
                self.play = set()
        self.play |= {checks.sure_colour(die) for die in dice}

    def _accuse(self, finding: str, rule: str, colour: str | None, event: int) -> None:
        if colour in self.colours:
            self.evidence.accuse(finding, rule, self.colours.index(colour), event)
        else:
            self.evidence.report(finding, rule, None, event)

    def _next_after(self, active: str) -> tuple[str, ...]:
        """Return who may throw next: clockwise; after one out of turn also who was passed over, or the next.

        A gap hides throws: nobody counts as passed over then, and after an unseen throw it may be anybody.
        """
        ways = [self._left_of(active)]
        if self.due and active not in self.due and not self.gap:
            ways += [self.due[0], self._left_of(self.due[0])]
        return tuple(dict.fromkeys(ways))

    def _passed_over(self, active: str) -> tuple[str, ...]:
        """Return the players whose turn was before this one's."""
        order = self._from(self.due[0])
        return order[: order.index(active)] if active in order else order

    def _left_of(self, player: str) -> str:
        return (self._from(player) * 2)[1]

    def _from(self, player: str) -> tuple[str, ...]:
        """Return all players, clockwise from one player on."""
        order = self.contenders if player in self.contenders else self.colours
        at = order.index(player)
        return (*order[at:], *order[:at])

    @property
    def findings(self) -> list[Finding]:
        """What is proven so far, in the order of the proofs."""
        return self.evidence.findings

    @property
    def odd(self) -> int:
        """How irregular the game is; 0 while all is in order."""
        return len(self.evidence.findings)

    # What others ask --------------------------------------------------------------------------------------

    def seat(self, colour: str | None) -> str | None:
        """Return the seat of a player's colour; None for white and for nobody."""
        return self.seats[self.colours.index(colour)] if colour in self.colours else None

    def doubts(self) -> tuple[Doubt, ...]:
        """Return the throws that nobody saw, or with points that may depend on something unread."""
        return tuple(
            Doubt(throw.event, self.seat(throw.active))
            for throw in self.throws
            if throw.unseen or any(die.unknown or "throw" in die.doubt for die in throw.dice)
        )

    def leaders(self) -> tuple[str, ...]:
        """Return the contenders with the highest total (XA-3)."""
        totals = self._contended()
        return tuple(colour for colour in totals if totals[colour] == max(totals.values()))

    def _contended(self) -> dict[str, int]:
        totals = dict(zip(self.colours, self.totals, strict=True))
        return {colour: totals[colour] for colour in self.contenders}

    def handed_on(self) -> tuple[str, ...]:
        """Return who plays the next game: those who tied, in a deciding game; nobody where one has won."""
        tied = self.leaders()
        return tied if self.over and not self.broken_off and len(tied) > 1 else ()

    def outcome(self) -> None:
        """Return None: the chips decide."""

    def points(self) -> dict[str, int]:
        """Return every player's chips."""
        return dict(zip(self.seats, self.totals, strict=True))
