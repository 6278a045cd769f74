"""Releases of this program side by side on one computer: built whole, tried, proven, rolled back.

Standard library only: this package runs on the system's Python, before anything is installed.
"""
