"""MQTT 5: what happens at the table, told to whoever listens. Nothing at the table waits for it."""
