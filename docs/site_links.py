"""A hook of `make docs`: links to code and rules, which are not on the site, become plain words."""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\[([^\]]*)\]\((\.\.[^)\s]*)\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page as mkdocs shall read it."""
    folder = posixpath.dirname(page.file.src_uri)

    def on_the_site(link: re.Match[str]) -> str:
        outside = posixpath.normpath(posixpath.join(folder, link[2])).startswith("..")
        return link[1] if outside else link[0]

    return _LINK.sub(on_the_site, markdown)
