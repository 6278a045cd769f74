"""Setting up the table by touch, on the first evening and whenever something was moved.

`enrolment` learns a deck with the running camera, `lens` measures its lens, `desk` passes them the camera's
frames, lights the lamps in turn and stores the results. `web/setup` and the page `/setup` show it.
"""
