"""The scoreboard: one page that follows the table live."""

from table.web.page import HostTools, Page, PageAddress, PageError, PageLook

__all__ = ["HostTools", "Page", "PageAddress", "PageError", "PageLook"]
