"""The dice box: its rim and floor, enrolled dice on it, the zones under their feet."""
