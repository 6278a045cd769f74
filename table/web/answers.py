"""The structs of the server's answers. The schema is made from them; tests check the answers against it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from table.catalogue import Fact, Language
from table.health import Health
from table.rules.events import PlainEvent
from table.rules.view import Finding, View


class LoggedEvent(msgspec.Struct, omit_defaults=True):
    """A line of the log; `now` only if it was corrected, null = it never happened; `by` the correction."""

    id: int
    wall: float
    event: PlainEvent
    now: PlainEvent | msgspec.UnsetType | None = msgspec.UNSET
    by: int | msgspec.UnsetType = msgspec.UNSET


class LeftOut(msgspec.Struct):
    """Numbers of older items: events and findings on request, contested ones and doubts once they fit."""

    findings: int
    contested: int
    doubts: int
    events: int


class GameForm(msgspec.Struct):
    """How the game is played at a table, according to the rules (`table.rules.game.Game`)."""

    title: str
    boxed: bool
    kinds: list[str]
    sayings: list[str]


class StateMessage(msgspec.Struct):
    """The state of the game (`table.web.state`); the live line sends it, too, and `{"type": "tick"}`."""

    type: Literal["state"]
    game: int | None
    newest: int
    undo: int | None
    redo: int | None
    language: Language
    form: GameForm
    view: View
    events: list[LoggedEvent]
    proof: dict[str, PlainEvent]
    faces: str | None
    demo: bool
    lamps: list[str]
    sure: list[str]
    crops: list[int]
    left_out: LeftOut
    health: Health


class HealthAnswer(msgspec.Struct):
    """For programs that watch the table from outside, as updates and monitoring do; without the game itself.

    `release` is null if nothing was installed; `playing`: a game is unfinished and something was noted within
    the last half hour; `newest` is the number of the game and of its newest line; `parts` as in the state, in
    one word each.
    """

    process: int
    version: str
    release: str | None
    up_s: float
    playing: bool
    newest: list[int]
    parts: dict[str, str]


class SettingsAnswer(msgspec.Struct):
    """The table's settings; null = not set. `offers` are the choices for each key.

    `file` is null if the table was started without one: nothing can be set.
    """

    file: str | None
    settings: dict[str, str | int | bool | None]
    offers: dict[str, list[str]]


class SettingsDone(msgspec.Struct):
    """`changed`: at least one setting differed; `starts_anew`: the table restarts in a moment."""

    changed: bool
    starts_anew: bool


class OlderEvents(msgspec.Struct):
    """Lines before a given one, oldest first."""

    newest: int
    events: list[LoggedEvent]
    left_out: int


class OlderFindings(msgspec.Struct):
    """Findings before a given one, oldest first, with the events that prove them."""

    findings: list[Finding]
    proof: dict[str, PlainEvent]
    left_out: int


class ToldConsequences(msgspec.Struct):
    """What a wish would lead to; a guest agrees to `state`."""

    state: str
    before: dict[str, int]
    after: dict[str, int]
    findings: list[Finding]
    proof: dict[str, PlainEvent]


class WishDone(msgspec.Struct):
    """The id of the line that was written; if another game begins, its number."""

    id: int


class WishWeighed(msgspec.Struct):
    """What would follow; null if nothing would be written in this game. Nothing was done."""

    consequences: ToldConsequences | None


class WishRefused(msgspec.Struct, omit_defaults=True):
    """The reason: an English sentence, and its code and arguments in the catalogue, for any language.

    An argument is a text, a number, another code with its arguments, or a list of these. If there are
    `consequences`, the guest may agree to them.
    """

    error: str
    code: str
    args: dict[str, Any]
    consequences: ToldConsequences | None = None


def refused(why: Fact) -> dict[str, Any]:
    """The body of a refusal."""
    return {"error": str(why), "code": why.code, "args": why.args}


class HostShown(msgspec.Struct):
    """The PIN was right: this answer sets a cookie."""

    host: Literal[True]


class SeatOffer(msgspec.Struct):
    """Something that a seat may say, as the event to send, and until when."""

    event: PlainEvent
    until: str
    n: int


class SeatOffers(msgspec.Struct):
    """What a seat may say now."""

    game: int | None
    newest: int
    seat: str
    offers: list[SeatOffer]


class SeatCards(msgspec.Struct):
    """Cards that a seat may lay: `sure` in any case, `assumed` if it holds no card that it must lay."""

    game: int | None
    newest: int
    seat: str
    sure: list[str]
    assumed: list[str]


class SheetReason(msgspec.Struct):
    """What decided a round, and the rules behind it."""

    text: str
    why: list[dict[Literal["text", "rule"], str]]


class SheetRound(msgspec.Struct):
    """A round that is over."""

    round: int
    head: list[str]
    broken_off: bool
    brought: dict[str, int]
    points: dict[str, int]
    steps: list[dict[str, int]]
    reasons: list[SheetReason]


class EveningSheet(msgspec.Struct):
    """The evening so far."""

    game: int | None
    newest: int
    points: dict[str, int]
    winners: list[str]
    rounds: list[SheetRound]


class AttractShow(msgspec.Struct):
    """After `minutes` idle minutes (0 = never) a kiosk shows this number of `steps`."""

    minutes: int
    steps: int


class CheckupTold(msgspec.Struct):
    """One part that the doctor examined; `well` is null if there is nothing to examine."""

    part: str
    well: bool | None
    said: str
    remedy: str


class CheckupAnswer(msgspec.Struct):
    """The doctor's report on the running table."""

    process: int
    checks: list[CheckupTold]
