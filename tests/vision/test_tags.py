"""The printed tags are found in every frame, whatever its noise is like."""

import pytest

from table.printables import plan_mat
from table.virtual.camera import painter_for
from vision.synthetic.scene import Scene
from vision.tags import find_tags

SEEDS = (*range(1, 21), 75, 163)
"""In the last two, noise made the paper round one tag of the A2 mat a clearer square than the tag."""


@pytest.mark.parametrize("sheet", ["A3", "A2"])
def test_a_bare_mat_shows_all_its_tags_in_every_noisy_frame(sheet: str) -> None:
    """A tag lies in the middle of its white paper; it must not matter which of the two squares is clearer."""
    plan = plan_mat(4, sheet)
    painter = painter_for(plan, {})
    tags = [tag.id for tag in plan.layout.tags]
    seen = [sorted(find_tags(painter.render(Scene(), seed), tags)) for seed in SEEDS]
    assert seen == [tags] * len(SEEDS)
