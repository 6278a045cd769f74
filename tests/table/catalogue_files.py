"""Where words, pages and scripts stand."""

from __future__ import annotations

from pathlib import Path

from table import web

STATIC = Path(web.__file__).parent / "static"


SCRIPTS = {file.name: file.read_text(encoding="utf-8") for file in STATIC.glob("*.js")}
