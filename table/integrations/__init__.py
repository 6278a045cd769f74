"""Integrations with neighbouring software: MQTT and systemd."""
