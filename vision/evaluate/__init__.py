"""How well the eye sees, against labels: its thresholds, what a set's labels say, what agrees."""
