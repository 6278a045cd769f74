"""Releases of this program side by side on one computer: built whole, tried, proven, gone back from.

Standard library only: what stands here runs on the system's Python, before anything is installed.
"""
