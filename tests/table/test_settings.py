"""The table file is checked to the last key, and says file, line, key and the nearest name."""

from pathlib import Path

import pytest

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
    """One of the chain's own lamps alone says that all others are dark."""
    usual = read_table(written(tmp_path, GOOD)).lamps
    more = f'[[lamp]]\nindex = {usual.count}\nshows = "turn"\nseat = "S1"\n'
    plan = read_table(written(tmp_path, GOOD + more)).lamps
    assert (plan.lamps[:-1], plan.lamps[-1].shows, plan.count) == (usual.lamps, "turn", usual.count + 1)
    plan = read_table(written(tmp_path, GOOD + '[[lamp]]\nindex = 0\nshows = "trump"\n')).lamps
    assert (len(plan.lamps), plan.count) == (1, 1)


def test_a_chain_shorter_than_the_usual_one_says_what_it_shows(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="what a shorter one shows"):
        read_table(written(tmp_path, GOOD + "[lamps]\ncount = 5\n"))


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
        (("id = 1\n", "id = 0\n"), ["line 10", "stands twice"]),
        (("id = 1\n", ""), ["[[tag]] number 2", "'id' is missing; add a line id = "]),
        (("[[tag]]\nid = 1\ncenter = [315, 165]\nsize = 36\n", ""), ["2 given", "at least 3"]),
        (('"aagewwer"', '"agewwer"'), ["line 18", "did you mean 'aagewwer'"]),
        (('"S2"', '"S3"'), ["expected 'S2'"]),
        (("size = [680, 380]", "size = [680, nan]"), ["[mat] key 'size'", "not finite"]),
        (("[mat]", "[matt"), ["not valid TOML"]),
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


def test_a_missing_table_file_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no such table file"):
        read_table(tmp_path / "none.toml")


def test_every_table_file_of_the_footage_is_read() -> None:
    for path in sorted(shared("footage").glob("*/table*.toml")):
        assert read_table(path).layout.tags
