"""The server's written schema describes what it does: a tool that knows only the schema is never wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis import GenerationMode, checks
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from table.journal import Journal
from table.web import answers, openapi
from table.web.openapi import OPERATIONS
from table.web.state import encode
from tests.table.running_page import OPENING, House

STATIC = Path(openapi.__file__).parent / "static"
SLOW = "/api/doctor"
"""It examines the whole machine, for a second each time, so it is asked only once."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Journal.open(tmp_path_factory.mktemp("page") / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        try:
            yield house
        finally:
            house.close()


SCHEMA = schemathesis.openapi.from_dict(json.loads(encode(openapi.openapi())))
ASKED = [
    pytest.param(told.ok(), mode, id=f"{told.ok().label} {mode.value}")
    for told in SCHEMA.exclude(path=SLOW).get_all_operations()
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode is GenerationMode.POSITIVE or told.ok().method == "post" or told.ok().query
]


@pytest.mark.parametrize(("operation", "mode"), ASKED)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=strategies.data())
def test_whatever_is_asked_the_answer_is_one_that_the_schema_names(
    house: House, operation: Any, mode: GenerationMode, data: strategies.DataObject
) -> None:
    case = data.draw(operation.as_strategy(generation_mode=mode))
    case.call_and_validate(
        base_url=house.page.url,
        checks=[
            checks.not_a_server_error,
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_schema_conformance,
        ],
    )


def test_the_schema_names_every_address_and_no_other(house: House) -> None:
    inner = house.page.app._app
    assert isinstance(inner, Starlette)
    served = {route.path: route.methods for route in inner.routes if isinstance(route, Route)}
    assert served.keys() == OPERATIONS.keys()
    for path, told in OPERATIONS.items():
        assert ("POST" in (served[path] or ())) == (told.wish is not None), path
    assert [route.path for route in inner.routes if isinstance(route, Mount)] == [
        "/static/words",
        "/static",
    ]


def test_the_pages_ask_for_nothing_that_the_schema_does_not_name() -> None:
    asked = {
        re.sub(r"\$\{.*?\}", "17", address).split("?")[0].split("#")[0]
        for file in [*STATIC.glob("*.js"), *STATIC.glob("*.html")]
        for address in re.findall(r"""["`'](/[^"`'\s]*)["`']""", file.read_text("utf-8"))
    }
    known = [re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))) for path in OPERATIONS]
    asked -= {"/api/17"}  # events or findings, as in older.js
    strange = {a for a in asked if not a.startswith("/static/") and not any(k.fullmatch(a) for k in known)}
    assert len(asked) > 15
    assert not strange - {"/live"}


def test_the_doctors_answer_is_as_the_schema_says(house: House) -> None:
    told = httpx.get(f"{house.page.url}{SLOW}?lang=de", trust_env=False, timeout=60)
    assert msgspec.convert(told.json(), answers.CheckupAnswer).checks
