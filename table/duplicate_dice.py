"""Two dice of one colour in the box: the one that moves is the player's.

The other is a stray that lies there. That is not certain, so both are in doubt. So are a die on the field and
one of its colour laid as a bet: nobody throws a die that he has laid, and a printed tile may look like a die.
Two that land on the field in one throw are not in doubt: both were thrown, and the rules decide (X-I7).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from table.hindsight import MOVED_MM
from table.resting_dice import apart_mm
from vision.sightings import DieSeen


class DuplicateDice:
    """Sorts the dice of each rest by colour; remembers the duplicates of the rest before."""

    def __init__(self) -> None:
        self._before: tuple[dict[str, DieSeen], list[DieSeen]] = {}, []
        self._twice: set[str] = set()
        """Colours that had two dice at an earlier rest."""
        self._now: tuple[dict[str, DieSeen], list[DieSeen]] = {}, []

    def part(
        self, dice: Sequence[DieSeen], *, late: bool
    ) -> tuple[dict[str, DieSeen], list[DieSeen], frozenset[str]]:
        """The dice by colour; strays on the field without a colour of their own; doubtful duplicate colours.

        A die of doubtful colour is a stray if another die has that colour. `late`: the eye reports this rest
        a second time.
        """
        if not late:
            self._before = self._now
            self._twice |= {str(die.colour) for die in self._now[1]}
        sure: dict[str, list[DieSeen]] = {}
        doubtful = []
        for die in dice:
            if die.colour is None or "colour" in die.doubt:
                doubtful.append(die)
            else:
                sure.setdefault(die.colour, []).append(die)
        now, second = {}, []
        for colour, own in sure.items():
            main = self._own(colour, own)
            if main is not None:
                now[colour] = main
            second += [die for die in own if die is not main]
        self._now = dict(now), second
        strays = []
        for die in doubtful:
            if die.colour is None or die.colour in now:
                strays += [die] if die.where == "field" else []
            else:
                now[die.colour] = die
        were = [*self._before[0].values(), *self._before[1]]
        riddles = {old.colour for old in were if any(_lies_still(old, die) for die in dice)}
        riddles |= {die.colour for die in dice if die.where.startswith("bet")}
        return now, strays, frozenset(die.colour for die in second if die.colour in riddles and die.colour)

    def _own(self, colour: str, dice: Sequence[DieSeen]) -> DieSeen | None:
        """The player's die among those of a colour; None where all are duplicates that lay there before."""
        were, second = self._before
        free = [die for die in dice if not any(_lies_still(old, die) for old in second)]
        was = were.get(colour)
        stayed = [die for die in free if was is not None and _lies_still(was, die)]
        moved = [die for die in free if die not in stayed]
        # The die that lay there alone is the player's; if there were two before, it is the one that moves.
        return next(iter((*moved, *stayed) if colour in self._twice else (*stayed, *moved)), None)


def doubted(dice: Sequence[DieSeen], colours: Collection[str]) -> tuple[DieSeen, ...]:
    """The dice, with a doubt whether they truly are of these colours."""
    return tuple(die.doubted("colour") if die.colour in colours else die for die in dice)


def _lies_still(old: DieSeen, new: DieSeen) -> bool:
    return old.colour == new.colour and old.face == new.face and apart_mm(old, new) < MOVED_MM
