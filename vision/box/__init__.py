"""A dice box watched over time: its pose, its floor, the enrolled dice in it and the zones under their feet.

`pipeline.BoxEye` waits for a rest, and `reader.BoxReader` reads the dice that lie there. What moves:
`frame_diff`, `hands`, `flights`; what does not count as motion: `passing_shade`, `restless`. Where the box
stands: `pose_tracker`, `pose_fit`. Where a die may lie: `background`, `foreground`, `illumination`,
`colour_calibration`. Which die it is: `dice`, `face_detection`, `classification`. Dice that cannot be read:
`unreadable`, `stacked`, `occlusion`. Zones of a bought field: `trace`.
"""
