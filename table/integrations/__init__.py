"""Neighbours: MQTT and systemd."""
