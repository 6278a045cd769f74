"""The page of a trace: one file of HTML beside its pictures, which any browser opens without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

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
"""


@dataclass(frozen=True, slots=True)
class Beside:
    """A flattened picture beside enrolled faces: what it is, its file, name and file of each, a verdict."""

    words: str
    picture: str | None
    faces: Sequence[tuple[str, str | None]] = ()
    verdict: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One moment: when, what was decided, the file of the frame, what was found, what was proposed before."""

    t: float
    words: tuple[str, ...]
    picture: str
    found: Beside
    proposed: Sequence[Beside] = field(default_factory=tuple)


def page(title: str, lines: Sequence[TraceLine]) -> str:
    """All of it as one HTML page; pictures are named relative to it."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>",
        "<p>On a card table, grey: what differs from the settled table; blue: hands; yellow: cards that lie "
        "there; green, or orange where the eye is not sure: what was decided just then. Under each event "
        "stand the rectangles that were proposed as cards since the one before, and why they were refused. "
        "Over a dice box each rest of the dice is told: where each die lies, what it touches and counts as, "
        "its distance to the nearest line, and what is in doubt.</p>",
        "<nav>",
        *(f"<a href='#e{n}'>{escape(line.words[0])}</a>" for n, line in enumerate(lines)),
        "</nav>",
    ]
    if not lines:
        parts.append("<p>Nothing was decided, and nothing was proposed as a card.</p>")
    for number, line in enumerate(lines):
        parts += _section(number, line)
    return "\n".join([*parts, "</html>"]) + "\n"


def _section(number: int, line: TraceLine) -> list[str]:
    words = "\n".join(line.words)
    parts = [f"<section id=e{number}><h2>{escape(words)}</h2>"]
    if line.found.picture is not None or line.found.words:
        parts.append(_figure(line.found))
    parts.append(f"<img loading=lazy src='{escape(line.picture)}' alt='the frame at {line.t:.2f} s'>")
    taken = [each for each in line.proposed if not each.refused]
    refused = [each for each in line.proposed if each.refused]
    for heading, some, opened in (("read", taken, " open"), ("refused", refused, " open" * (not taken))):
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
    return f"<figure{kind}>{images}<figcaption>{verdict}{escape(beside.words)}</figcaption></figure>"


def _image(file: str, says: str) -> str:
    told = escape(says, quote=True)
    return f'<img loading=lazy src="{escape(file, quote=True)}" alt="{told}" title="{told}">'
