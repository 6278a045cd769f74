"""THE EYE: camera frames in, sightings in millimetres out; it knows no rule of any game."""
