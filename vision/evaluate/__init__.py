"""How well the eye sees, against labels: which thresholds there are, what a set's labels say, what agrees."""
