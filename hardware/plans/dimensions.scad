// Millimetres; made by plans.py from parts.toml.
arm_tube = 25;
arm_wall = 5;
arm_socket = 50;
arm_behind = 70;
arm_foot = 110;
arm_screw = 4.5;
arm_thread = 6.6;
holder_lamps = 7;
holder_pitch = 16.667;
holder_strip = 10;
holder_window = 6;
holder_wall = 2;
holder_end = 6;
holder_tilt = 30;
holder_gap = 15;
holder_length = 118.002;
