"""The first evening, and every later one on which something was moved: what the host sets up by touch.

`enrolment` learns a deck with the running camera, `lens` measures it, `desk` lends them the camera's
frames, lights the lamps in turn and keeps the results. `web/setup` and the page `/setup` show it.
"""
