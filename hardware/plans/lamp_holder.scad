// A bar that holds the lamps of one seat and tips them towards the player. Printed lying on its back, without supports.
include <dimensions.scad>

$fn = 24;
inner = holder_strip + 0.6;                    // the strip slides in
width = inner + 2 * holder_wall;
height = 4 + holder_wall;                      // room for the lamps under the windows
first = holder_end + holder_window / 2;

module bar() {
    difference() {
        cube([holder_length, width, height + holder_wall]);
        translate([-1, holder_wall, holder_wall]) cube([holder_length + 2, inner, height - holder_wall]);
        for (lamp = [0 : holder_lamps - 1])
            translate([first + lamp * holder_pitch - holder_window / 2, (width - holder_window) / 2, height - 1])
                cube([holder_window, holder_window, holder_wall + 2]);
    }
}

// The wedge below it: glued, or screwed from below through the bar's ends.
module wedge() {
    rise = width * sin(holder_tilt);
    run = width * cos(holder_tilt);
    rotate([90, 0, 90]) linear_extrude(holder_length) polygon([[0, 0], [run, 0], [run, rise]]);
}

wedge();
rotate([holder_tilt, 0, 0]) bar();
