"""The table file is checked down to the last key; errors name file, line, key and the nearest name."""

import errno
from pathlib import Path

import pytest

from table.catalogue import LANGUAGES, Fact, tell
from table.errors import system_reason
from table.settings import CHARACTERS, SettingsError, read_table
from tests.shared import shared

GOOD = """
[mat]
size = [680, 380]
die_edge = 16
[[tag]]
id = 0
center = [-315, 165]
size = 36
[[tag]]
id = 1
center = [315, 165]
size = 36
[[tag]]
id = 2
center = [315, -165, 2]
size = 36
[[spot]]
name = "aagewwer"
center = [-120, 160]
size = 30
[[seat]]
name = "S1"
zone = [[-55, -160], [55, -160], [55, -40]]
enters_from = [0, -190]
[[seat]]
name = "S2"
zone = [[-185, -60], [-65, -60], [-65, 50]]
enters_from = [-340, -5]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text)
    return path


def test_a_good_table_is_read_whole(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, GOOD))
    assert [t.center_mm for t in table.layout.tags] == [(-315, 165, 0), (315, 165, 0), (315, -165, 2)]
    assert [s.name for s in table.layout.seats] == ["S1", "S2"]
    assert table.layout.die_edge_mm == 16


def test_a_table_without_lamps_gets_five_characters_turn_and_finding_a_seat(tmp_path: Path) -> None:
    plan = read_table(written(tmp_path, GOOD)).lamps
    assert plan.count == 2 + 2 * 7
    assert [x.character for x in plan.lamps if x.seat == "S2" and x.shows == "character"] == list(CHARACTERS)
    assert sorted(x.index for x in plan.lamps) == list(range(plan.count))


def test_lamps_behind_the_usual_chain_are_added_to_it(tmp_path: Path) -> None:
    """A section for one of the chain's own lamps means that all others are dark."""
    usual = read_table(written(tmp_path, GOOD)).lamps
    more = f'[[lamp]]\nindex = {usual.count}\nshows = "turn"\nseat = "S1"\n'
    plan = read_table(written(tmp_path, GOOD + more)).lamps
    assert (plan.lamps[:-1], plan.lamps[-1].shows, plan.count) == (usual.lamps, "turn", usual.count + 1)
    plan = read_table(written(tmp_path, GOOD + '[[lamp]]\nindex = 0\nshows = "trump"\n')).lamps
    assert (len(plan.lamps), plan.count) == (1, 1)


def test_a_chain_shorter_than_the_usual_one_says_what_it_shows(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="what a shorter one shows"):
        read_table(written(tmp_path, GOOD + "[lamps]\ncount = 5\n"))


def assert_every_language_tells(told: Fact) -> None:
    """The host reads it on the page (/api/set), in the page's language."""
    assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)
    inside = [told]
    for each in inside:
        assert each.code != "foreign", each
        inside += [value for value in each.args.values() if isinstance(value, Fact)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ("enters_from = [-340", "entersfrom = [-340"),
            ["line 28", "entersfrom", "did you mean 'enters_from'"],
        ),
        (("[[spot]]", "[[spto]]"), ["'spto'", "did you mean 'spot'"]),
        (
            ("size = 36", 'size = "36"'),
            ["line 8", "[[tag]] number 1 key 'size'", "a number is needed, here is a text"],
        ),
        (("id = 1\n", "id = 0\n"), ["line 10", "appears twice"]),
        (("id = 1\n", ""), ["[[tag]] number 2", "'id' is missing; add a line id = "]),
        (("[[tag]]\nid = 1\ncenter = [315, 165]\nsize = 36\n", ""), ["2 given", "at least 3"]),
        (('"aagewwer"', '"agewwer"'), ["line 18", "did you mean 'aagewwer'"]),
        (('"S2"', '"S3"'), ["expected 'S2'"]),
        (("size = [680, 380]", "size = [680, nan]"), ["[mat] key 'size'", "not finite"]),
        (("[mat]", "[matt"), ["table.toml, line 2: not valid TOML", "fix that line"]),
        (("[mat]\nsize = [680, 380]\ndie_edge = 16\n", ""), ["either [mat]", "or [field]"]),
    ],
)
def test_a_bad_table_is_refused_with_place_and_remedy(
    tmp_path: Path, change: tuple[str, str], says: list[str]
) -> None:
    assert change[0] in GOOD
    with pytest.raises(SettingsError) as refused:
        read_table(written(tmp_path, GOOD.replace(*change, 1)))
    for words in ["table.toml", *says]:
        assert words in str(refused.value)
    assert_every_language_tells(refused.value.fact)


@pytest.mark.parametrize(
    ("lamp", "says"),
    [
        ('shows = "charakter"', "known here: character"),
        ('shows = "character"\nseat = "S1"', "needs 'seat' and 'character'"),
        ('shows = "turn"\nseat = "S7"', "'S7' is unknown"),
        ('shows = "trump"\npip = 7', "at most 6"),
    ],
)
def test_a_bad_lamp_is_refused(tmp_path: Path, lamp: str, says: str) -> None:
    with pytest.raises(SettingsError, match="lamp") as refused:
        read_table(written(tmp_path, GOOD + f"[[lamp]]\nindex = 0\n{lamp}\n"))
    assert says in str(refused.value)


def test_a_table_file_that_is_no_toml_is_refused_in_every_language_with_its_line(tmp_path: Path) -> None:
    """Line and remedy were once English words in a German sentence."""
    with pytest.raises(SettingsError) as refused:
        read_table(written(tmp_path, GOOD.replace("[mat]", "[matt")))
    said = tell(refused.value.fact, "de")
    assert "table.toml, Zeile 2: das ist kein gültiges TOML („Expected ']'" in said
    assert said.endswith("“); richte die Zeile")
    assert "at line" not in said
    with pytest.raises(SettingsError) as refused:
        read_table(written(tmp_path, GOOD + '[board]\nport = """'))
    lines = GOOD.count("\n") + 2
    assert f"table.toml, line {lines}: not valid TOML" in str(refused.value)
    with pytest.raises(SettingsError, match="nested too deep") as refused:
        read_table(written(tmp_path, GOOD + "deep = " + "[" * 9999))
    assert_every_language_tells(refused.value.fact)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (OSError(errno.EACCES, "Permission denied"), "die Rechte reichen nicht"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "das Kontingent ist erschöpft"),
        (OSError(errno.EUNATCH, "Protocol driver not attached"), "„Protocol driver not attached“"),
    ],
)
def test_the_systems_reasons_are_told_in_the_tables_words_or_quoted(wrong: OSError, said: str) -> None:
    assert tell(system_reason(wrong), "de") == said


def test_a_table_file_that_a_link_leads_to_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.toml").symlink_to("table.toml")
    with pytest.raises(SettingsError) as refused:
        read_table(tmp_path / "table.toml")
    assert tell(refused.value.fact, "de").endswith("ist nicht zu lesen (der Link führt im Kreis); richte das")


BOX = GOOD[: GOOD.index("[[spot]]")].replace("[mat]\nsize = [680, 380]", "[field]\nsize = [680, 380]")
LONG = "x" * 5000


def test_a_box_has_no_seats_for_a_button(tmp_path: Path) -> None:
    """The message once said that the table knows, and then listed nothing."""
    for section in ('[[button]]\nboard = "D2"\ndoes = "undo"', '[[led]]\npin = 4\nshows = "turn"'):
        with pytest.raises(SettingsError, match="a box has no seats; leave it out") as refused:
            read_table(written(tmp_path, f'{BOX}{section}\nseat = "S1"\n'))
        assert f"line {BOX.count(chr(10)) + 4}" in str(refused.value)


@pytest.mark.parametrize(
    "taken",
    [
        "[lamps]\nday = 0.01\nevening = 1\nnight = 1.0\nlimit_ma = 100\ncount = 99",
        "[lamps]\nlimit_ma = 65536\ncount = 65535",
        "[lamps]\nday_from = 08:00:00",
        "[camera]\ncorners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]\ndistortion = [0.1, 0, 0]",
        '[lamps]\nlimit_ma = 65536\n[[lamp]]\nindex = 65534\nshows = "turn"\nseat = "S1"',
        '[[button]]\npin = 27\ndoes = "say"\nseat = "S1"\nwhat = "armut-zurueck:3"',
        '[pins]\ncamera_light = 0\nbrightness = 0\n[board]\nport = "none"',
    ],
)
def test_what_the_reference_allows_is_taken(tmp_path: Path, taken: str) -> None:
    assert read_table(written(tmp_path, f"{GOOD}{taken}\n")).layout.tags


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("[lamps]\nday = 0", ["key 'day'", "greater than 0"]),
        ("[lamps]\nlimit_ma = 99", ["key 'limit_ma'", "at least 100"]),
        ("[lamps]\ncount = 200\nlimit_ma = 200", ["key 'limit_ma'", "200 lamps draw 200 mA when dark"]),
        ("[lamps]\ncount = 65536", ["key 'count'", "at most 65535"]),
        ('[lamps]\nday_from = "08:00"', ["key 'day_from'", "a time like 08:00:00", "without quotes"]),
        ('[lamps]\nday_from = "08:00:00Z"', ["key 'day_from'", "time zone"]),
        ("[lamps]\nday_from = 8", ["a time like 08:00:00 is needed, here is a whole number"]),
        ("[camera]\ncorners = [[0, 0], [0, 0], [0, 0], [0, 0]]", ["key 'corners'", "clockwise"]),
        ("[camera]\ncorners = [[9, 9], [900, 9], [900, 900], [9, 900]]", ["in shares of the picture"]),
        ("[camera]\ndistortion = [1, 2, 3, 4, 5, 6]", ["key 'distortion'", "up to five"]),
        ('[[seat]]\nname = "S3"\nzone = [[0, 0], [1, 1], [2, 2]]\nenters_from = [0, 0]', ["enclose nothing"]),
        ('[[zone]]\nkind = "3x"\npolygon = [[0, 0], [9, 0], [9, 9]]', ["a mat has none", "leave them out"]),
        ('[[bet]]\nkind = "A"\ncenter = [0, 0]\nsize = 60', ["a mat has none", "leave them out"]),
        (
            '[[button]]\npin = 4\ndoes = "say"\nseat = "S1"\nwhat = "gesunt"',
            ["key 'what'", "said in no game; did you mean 'gesund'?"],
        ),
        (
            '[[button]]\npin = 4\ndoes = "say"\nseat = "S1"\nwhat = "ree"',
            ["said in no game; did you mean 're'?"],
        ),
        ('[[button]]\npin = 4\ndoes = "undo"\nwhat = "re"', ["any other has no 'what'"]),
        ('[board]\nport = ""', ["key 'port'"]),
        (f'[[lamp]]\nindex = 0\nshows = "{LONG}"', ["xxx…' is unknown; known here: character"]),
        (f'[[lamp]]\nindex = 0\nshows = "turn"\nseat = "{LONG}"', ["xxx…' is unknown"]),
        (f"[{LONG}]\na = 1", ["section 'xxx", "…': unknown"]),
        (f"[cards]\n{LONG} = 1", ["key 'xxx", "…': unknown"]),
        (f'[[spot]]\nname = "{LONG}"\ncenter = [0, 0]\nsize = 3', ["xxx…' is unknown"]),
        (f'[[seat]]\nname = "{LONG}"\nzone = [[0, 0], [1, 0], [1, 9]]\nenters_from = [0, 0]', ["xxx…'"]),
        (f'[[button]]\npin = 4\ndoes = "say"\nseat = "S1"\nwhat = "{LONG}"', ["xxx…' is said in no game"]),
    ],
)
def test_nonsense_is_refused_in_a_short_sentence_with_its_line(
    tmp_path: Path, more: str, says: list[str]
) -> None:
    with pytest.raises(SettingsError) as refused:
        read_table(written(tmp_path, f"{GOOD}{more}\n"))
    for words in [", line ", *says]:
        assert words in str(refused.value)
    assert len(str(refused.value)) < len(str(tmp_path)) + 300
    assert_every_language_tells(refused.value.fact)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('[[zone]]\nkind = "3x"\npolygon = [[0, 0], [1, 1], [2, 2]]', "these corners enclose nothing"),
        ('[[zone]]\nkind = "3x"\npolygon = [[0, 0], [9, 9], [9, 0], [0, 9]]', "in order, round the place"),
        ('[[zone]]\nkind = "3x"\npolygon = [[900, 0], [901, 1], [902, 0]]', "wholly outside the floor"),
        ('[[bet]]\nkind = "A"\ncenter = [9000, 0]\nsize = 60', "more than a metre outside the floor"),
        ('[[bet]]\nkind = "A"\ncenter = [0, 0]\nsize = 60\n' * 2, "'A' appears twice"),
    ],
)
def test_zones_and_bets_that_no_box_has_are_refused(tmp_path: Path, more: str, says: str) -> None:
    assert read_table(written(tmp_path, BOX)).layout.kind == "field"
    with pytest.raises(SettingsError, match=says) as refused:
        read_table(written(tmp_path, f"{BOX}{more}\n"))
    assert ", line " in str(refused.value)


TILE = '[[bet]]\nkind = "{}"\ncenter = [{}, 300]\nsize = 60\n'


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("size = [680, 380]", "size = [68.0, 38.0]"), "68 x 38 mm is not a possible size of a mat"),
        (("die_edge = 16", "die_edge = 500"), "500 mm is not a possible size of a die"),
        (("die_edge = 16", "[cards]\nsize = [5.9, 9.1]"), "5.9 x 9.1 mm is not a possible size of a card"),
        (("die_edge = 16", "[cards]\nsize = [5000, 9000]"), r"a possible size of a card \(20 to 250 mm\)"),
        (("size = 36", "size = 1000000"), "is not a possible size of a tag"),
        (("[-315, 165]", "[-5000, 165]"), "number 1 key 'center': lies far outside the table"),
        (("[-315, 165]", "[315, 165]"), "number 2 key 'center': lies over number 1"),
        (("[-315, 165]", "[300, 160]"), "number 2 key 'center': lies over number 1"),
        (("[-120, 160]", "[-1200, 160]"), r"\[\[spot\]\] number 1 key 'center': lies far outside the mat"),
        (("zone = [[-55, -160], [55, -160], [55, -40]]", "zone = [[5000, 0], [5009, 0], [5009, 9]]"),
         "key 'zone': lies far outside the mat"),
        (("zone = [[-185, -60], [-65, -60], [-65, 50]]", "zone = [[-55, -160], [55, -160], [55, -40]]"),
         "number 2 key 'zone': belongs to S1; each seat has its own"),
        (("[-340, -5]", "[-10, -5]"), "lies in the mat's middle; a hand comes in over its edge"),
    ],
)  # fmt: skip
def test_measures_that_no_mat_has_are_refused_with_their_line(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    with pytest.raises(SettingsError, match=says) as refused:
        read_table(written(tmp_path, GOOD.replace(*change, 1)))
    assert ", line " in str(refused.value)
    assert "in millimetres" in str(refused.value)


@pytest.mark.parametrize(
    ("bets", "says"),
    [
        (TILE.format("A", 0).replace("300", "30"), "number 1 key 'center': lies in the middle of the floor"),
        (TILE.format("A", 0) + TILE.format("B", 20), "number 2 key 'center': lies over number 1"),
        (TILE.format("A", 0).replace("60", "6"), "6 mm is not a possible size of a bet tile"),
    ],
)
def test_bets_that_no_box_has_are_refused(tmp_path: Path, bets: str, says: str) -> None:
    assert read_table(written(tmp_path, BOX + TILE.format("A", 0) + TILE.format("B", 60))).layout.bets
    with pytest.raises(SettingsError, match=says):
        read_table(written(tmp_path, BOX + bets))


def test_places_beside_the_mat_and_tiles_in_a_corner_of_the_floor_are_taken(tmp_path: Path) -> None:
    """A small mat on a large table, or a box whose rim is printed with its floor: people build both."""
    beside = GOOD.replace("[-120, 160]", "[-120, 260]", 1)
    assert read_table(written(tmp_path, beside)).layout.spots[0].center_mm == (-120.0, 260.0)
    corner = TILE.format("A", -120).replace("300", "120")
    assert read_table(written(tmp_path, BOX + corner)).layout.bets[0].center_mm[:2] == (-120.0, 120.0)


def test_a_missing_table_file_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no such table file"):
        read_table(tmp_path / "none.toml")


def test_every_table_file_of_the_footage_is_read() -> None:
    paths = sorted(shared("footage").glob("*/table*.toml"))
    assert paths
    for path in paths:
        assert read_table(path).layout.tags
