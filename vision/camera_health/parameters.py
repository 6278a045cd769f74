"""Thresholds that decide whether a picture shows the table (`verdict`, `reference`, `liveness`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class SightParameters:
    """Thresholds that decide whether a picture shows the table at all, and whether it is a new picture."""

    torn_s: float = threshold(
        20.0,
        "s",
        (5.0, 120.0),
        "sight that comes back under a blank thing against a torn picture taken for the table",
    )
    stays_s: float = threshold(
        2.0,
        "s",
        (0.5, 10.0),
        "play seen again beside a thing that lies there against cards played under a cover",
    )
    seen: float = threshold(
        0.45,
        "share of the table's structure",
        (0.3, 0.8),
        "sight back under arms against a half covered table taken for seen",
        ".63 and more with up to four arms over card tables, .1 and less with covers",
    )
    unseen: float = threshold(
        0.25,
        "share of the table's structure",
        (0.1, 0.45),
        "covers noticed against arms taken for a cover",
        ".63 and more with up to four arms over card tables, .1 and less with covers",
    )
    jump: float = threshold(
        0.28,
        "share of the table's structure",
        (0.1, 0.6),
        "sudden covers noticed against quick hands taken for one",
        "hands hid .19 at most",
    )
    jump_s: float = threshold(
        0.21, "s", (0.05, 0.6), "covers that slide in noticed against slow hands taken for one"
    )
    slide: float = threshold(
        0.45,
        "share of the table's structure",
        (0.3, 0.8),
        "covers that slide in slowly noticed against arms and a menu taken for one",
        "up to four arms over card tables hid .37 at most",
    )
    slide_s: float = threshold(1.5, "s", (0.3, 5.0), "slow covers noticed against a table that fills up")
    back: float = threshold(
        0.12,
        "share of the table's structure",
        (0.02, 0.3),
        "sight back soon against a table still half covered",
    )
    dark_gain: float = threshold(
        0.3, "share of the table's light", (0.1, 0.6), "dim evenings seen against ink that is noise"
    )
    dark_level: float = threshold(
        12.0, "grey levels", (4.0, 40.0), "dim evenings seen against ink that is noise"
    )
    of_borne: float = threshold(
        0.6,
        "share of what an arm leaves",
        (0.2, 0.95),
        "arms that lie on the table borne against covers that grow",
    )
    flat: float = threshold(
        0.5, "share of the table's contrast", (0.1, 0.8), "hazy pictures searched for the table against time"
    )
    haze: float = threshold(
        0.4,
        "share of the table's contrast",
        (0.1, 0.8),
        "haze noticed against dim light taken for haze",
        "ten films kept .94 and more; .07 through a drawn palm, .5 and more badly out of focus",
    )
    blurred: float = threshold(
        0.62,
        "share of the table's edges",
        (0.3, 0.85),
        "blur noticed against turned dice boxes taken for blurred",
        "2026-11: seven films of card tables kept .96 and more, three dice boxes .85 (turned; 45 s each); "
        "blurred by 3 pixels .73 to .80, by 5 .50 to .61, by 8 .29 to .44",
    )
    same_whole: float = threshold(
        0.3,
        "correlation of the whole picture",
        (0.1, 0.8),
        "dim tables known against other pictures taken for the table",
    )
    mostly_blank: float = threshold(
        0.5,
        "share of what is hidden",
        (0.2, 0.9),
        "torn pictures noticed against blank things taken for torn",
    )
    structure: float = threshold(
        3.0,
        "grey levels, standard deviation",
        (1.0, 10.0),
        "plain tables known by weak structure against noise taken for structure",
    )
    like: float = threshold(
        0.6,
        "correlation of a block",
        (0.3, 0.9),
        "blocks known in noise against other things taken for the table",
    )
    still: int = threshold(4, "grey levels", (1, 12), "the table learnt in noise against slow hands learnt")
    settled: int = threshold(6, "frames", (2, 30), "new cards learnt soon against resting hands learnt")
    blank: float = threshold(
        0.25,
        "grey levels, standard deviation",
        (0.05, 1.0),
        "lost parts of a picture noticed against burnt out paper taken for lost",
    )
    least_blocks: int = threshold(6, "blocks", (2, 40), "plain tables known against judgements on little")
    known: float = threshold(
        0.45,
        "share of the table's structure",
        (0.2, 0.8),
        "light told beside a menu against light told from little",
    )
    level: float = threshold(
        0.15,
        "share of the light",
        (0.05, 0.5),
        "plain blocks known in drifting light against plain covers taken for the table",
    )
    edges: float = threshold(
        3.0,
        "grey levels, mean of the Laplacian",
        (1.0, 10.0),
        "blur told on plain tables against noise taken for edges",
    )
    differs: float = threshold(
        0.03,
        "grey levels, mean of a tile",
        (0.005, 0.5),
        "repeated pictures noticed against clean cameras taken for frozen",
    )
    alive: int = threshold(
        9,
        "tiles of 16",
        (4, 16),
        "cameras with little noise known as alive against those that cannot be judged",
        "13 differed in a picture with noise",
    )
    dead: int = threshold(
        2,
        "tiles of 16",
        (0, 8),
        "repeated pictures with a clock in them noticed against clean cameras taken for frozen",
    )
    memory: int = threshold(
        100, "frames", (20, 1000), "rare pauses borne against a camera that changes noticed late"
    )
    least_frames: int = threshold(8, "frames", (5, 100), "freezes noticed early against judgements on little")
    mostly: float = threshold(
        0.5,
        "share of the frames",
        (0.2, 0.95),
        "freezes of clean cameras noticed against those taken for frozen",
    )
    always: float = threshold(
        0.95,
        "share of the frames",
        (0.8, 1.0),
        "torn bands noticed against bands that are still now and then",
        "2026-11: in ten films of card tables and dice boxes (15,000 frames) "
        "no band was still in more than .2 %",
    )
    black: int = threshold(
        12, "grey level", (2, 60), "torn bands noticed in the dark against black parts without noise"
    )
    longest_tear: int = threshold(
        600, "frames", (60, 5000), "long tears noticed against parts that lost their noise"
    )
    long_freeze: int = threshold(4, "frames", (2, 20), "freezes noticed against frames that cameras repeat")


SIGHT = SightParameters()
