"""The scoreboard: one page that follows the table live."""

from table.web.page import Page, PageError

__all__ = ["Page", "PageError"]
