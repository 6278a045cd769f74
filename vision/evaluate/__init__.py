"""Evaluation of the eye against labels: its thresholds, the labels of a set, and the agreement with them."""
