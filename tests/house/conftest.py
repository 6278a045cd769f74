"""Fixtures of tables to play at: with any number of seats, or the usual four."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.house.pub_table import PubTable


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[..., PubTable]]:
    opened: list[PubTable] = []

    def table_for(seats: int, **options: Any) -> PubTable:
        folder = tmp_path / str(len(opened))
        opened.append(PubTable(folder, seats, **options))
        return opened[-1]

    yield table_for
    for table in opened:
        table.journal.close()


@pytest.fixture
def table(tables: Callable[..., PubTable]) -> PubTable:
    """Four seats; trump is blue, S1 chose it, S2 leads."""
    pub = tables(4)
    pub.lay_die("blue", 1, "aagewwer")
    return pub
