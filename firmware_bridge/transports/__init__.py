"""Ways to reach a board: a serial port, GPIO pins, or a board that lives in memory."""
