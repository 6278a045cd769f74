"""MQTT 5: sends what happens at the table to any listener. Nothing at the table waits for it."""
