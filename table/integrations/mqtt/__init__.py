"""MQTT 5: what happens at the table, sent to any listener. Nothing at the table waits for it."""
