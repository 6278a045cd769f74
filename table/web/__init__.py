"""The scoreboard: one page that follows the table live."""
