"""The page of a trace: one HTML file beside its pictures, which any browser opens without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from table.cli.trace_reasons import MEANINGS, meaning

_STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; color: #1b1b1b; background: #f2f1ee }
body { max-width: 75rem }
section { background: #fff; border: 1px solid #ccc; border-radius: .4rem; padding: .6rem 1rem }
section { margin: 0 0 1rem }
figure.found { max-width: none; white-space: pre-line }
section > img { width: 100%; max-width: 60rem }
h2 { font-size: 1.1rem; margin: .2rem 0 .6rem; white-space: pre-line }
figure { display: inline-block; margin: .3rem .8rem .3rem 0; vertical-align: top; max-width: 19rem }
figure img { height: 130px; border: 1px solid #bbb; max-width: 18rem; object-fit: contain }
figure.refused { border-left: 4px solid #b91c1c; padding-left: .5rem }
figure.taken { border-left: 4px solid #15803d; padding-left: .5rem }
figcaption { font-size: .85rem }
figcaption b { display: block }
summary { cursor: pointer; margin: .4rem 0 }
nav a { margin-right: 1rem; display: inline-block }
a.missed { color: #b91c1c; font-weight: 600; display: block }
section.missed { border-color: #b91c1c; border-width: 2px }
td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0 }
figcaption ul { margin: .3rem 0; padding-left: 1.1rem; color: #555 }
"""


@dataclass(frozen=True, slots=True)
class Beside:
    """A flattened picture beside enrolled faces: its words and file, each face, a verdict."""

    words: str
    picture: str | None
    faces: Sequence[tuple[str, str | None]] = ()
    verdict: str = ""
    refused: bool = False
    also: Sequence[str] = ()
    """Further reasons, from other attempts at the same place."""


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One entry: its time, what was decided, the frame's file, what was found, what was proposed before.

    `missed`: not an event, but a place that looked like a card without any being read, or a missed card.
    """

    t: float
    words: tuple[str, ...]
    picture: str
    found: Beside
    proposed: Sequence[Beside] = field(default_factory=tuple)
    missed: bool = False


def page(title: str, lines: Sequence[TraceLine], missing: Sequence[str] = ()) -> str:
    """The entries as one HTML page; pictures are named relative to it. `missing`: cards without a picture."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>",
        *([f"<p>The deck has no picture of {escape(', '.join(missing))}.</p>"] if missing else []),
        *_unread(lines),
        "<h2>In the order of time</h2><nav>",
        *(_link(n, line) for n, line in enumerate(lines)),
        "</nav>",
        "<details><summary>How to read this page</summary><p>On a card table, grey: what differs from the "
        "settled table; blue: hands; yellow: cards that lie there; green, or orange where the eye is not "
        "sure: what was decided just then; thin red, with a letter: places that were proposed as cards since "
        "the event before and refused. Their reasons are below the picture, under the same letter, the "
        "one that came furthest first. For a dice box each rest of the dice is listed: where each die "
        "lies, what it touches and counts as, its distance to the nearest line, and what is in doubt.</p>"
        "</details>",
        _meanings(),
    ]
    if not lines:
        parts.append("<p>Nothing was decided, and nothing was proposed as a card.</p>")
    for number, line in enumerate(lines):
        parts += _section(number, line)
    return "\n".join([*parts, "</html>"]) + "\n"


def _link(number: int, line: TraceLine) -> str:
    return f"<a href='#e{number}'{' class=missed' * line.missed}>{escape(line.words[0])}</a>"


def _unread(lines: Sequence[TraceLine]) -> list[str]:
    """The list of entries for a reader who looks for a missed card."""
    missed = [_link(n, line) for n, line in enumerate(lines) if line.missed]
    if not missed:
        return []
    return ["<h2>Something lay there, and no card was read</h2><nav>", *missed, "</nav>"]


def _meanings() -> str:
    rows = "".join(
        f"<tr><td>{escape(each.words)}<td>{escape(each.cause)}<td>{escape(each.helps)}" for each in MEANINGS
    )
    return (
        "<details><summary>What the reasons mean, and what helps</summary>"
        f"<table><tr><th>reason<th>cause<th>what helps{rows}</table></details>"
    )


def _section(number: int, line: TraceLine) -> list[str]:
    words = "\n".join(line.words)
    missed = " class=missed" * line.missed
    parts = [f"<section id=e{number}{missed}><h2>{escape(words)}</h2>"]
    if line.found.picture is not None or line.found.words:
        parts.append(_figure(line.found))
    parts.append(f"<img loading=lazy src='{escape(line.picture)}' alt='the frame at {line.t:.2f} s'>")
    if line.missed and (known := meaning(line.words[0])) is not None:
        parts.append(f"<p>Likely cause: {escape(known.cause)}. What helps: {escape(known.helps)}.</p>")
    taken = [each for each in line.proposed if not each.refused]
    refused = [each for each in line.proposed if each.refused]
    for heading, some, opened in (
        ("read", taken, " open"),
        ("refused places", refused, " open" * (not taken)),
    ):
        if some:
            parts.append(f"<details{opened}><summary>{heading}: {len(some)}</summary>")
            parts += [_figure(each) for each in some]
            parts.append("</details>")
    return [*parts, "</section>"]


def _figure(beside: Beside) -> str:
    kind = " class=found" if not beside.verdict else " class=refused" if beside.refused else " class=taken"
    images = "" if beside.picture is None else _image(beside.picture, "what was seen")
    images += " ".join(_image(file, name) for name, file in beside.faces if file is not None)
    names = ", ".join(name for name, _ in beside.faces)
    verdict = f"<b>{escape(beside.verdict)}</b>" if beside.verdict else f"<b>{escape(names)}</b>"
    also = "".join(f"<li>{escape(each)}</li>" for each in beside.also)
    tried = (
        f"<details><summary>also tried: {len(beside.also)}</summary><ul>{also}</ul></details>" if also else ""
    )
    return f"<figure{kind}>{images}<figcaption>{verdict}{escape(beside.words)}{tried}</figcaption></figure>"


def _image(file: str, says: str) -> str:
    told = escape(says, quote=True)
    return f'<img loading=lazy src="{escape(file, quote=True)}" alt="{told}" title="{told}">'
