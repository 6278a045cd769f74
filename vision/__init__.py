"""THE EYE: camera frames in, sightings in millimetres out; has never heard of trump."""
