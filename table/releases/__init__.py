"""Releases of this program side by side on one computer: built, tried, proven, rolled back.

Uses the standard library only: this package runs on the system's Python, before anything is installed.
"""
