// The printed parts of the camera arm: foot on the table, elbow from mast to boom, head that holds the camera.
// openscad -D 'part="foot"' … or "elbow", "head"; "all" shows them side by side.
include <dimensions.scad>

part = "all";
$fn = 48;
hole = arm_tube + 0.4;                         // a tube slides in
outer = hole + 2 * arm_wall;

// A sleeve along z with a screw that clamps the tube.
module sleeve(length) {
    difference() {
        cylinder(d = outer, h = length);
        translate([0, 0, -1]) cylinder(d = hole, h = length + 2);
        translate([0, 0, length / 2]) rotate([0, 90, 0]) cylinder(d = arm_screw, h = outer);
    }
}

module foot() {
    difference() {
        translate([-arm_foot / 2, -arm_foot / 2, 0]) cube([arm_foot, arm_foot, arm_wall]);
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (arm_foot / 2 - 12), y * (arm_foot / 2 - 12), -1]) cylinder(d = arm_screw, h = arm_wall + 2);
    }
    sleeve(arm_socket);
    for (turn = [45 : 90 : 315])               // ribs: the arm must not swing
        rotate([0, 0, turn]) translate([outer / 2 - 1, arm_wall / 2, 0]) rotate([90, 0, 0])
            linear_extrude(arm_wall) polygon([[0, 0], [arm_foot / 2 - outer / 2, 0], [0, arm_socket * 0.8]]);
}

// The mast ends below the boom; the web between them keeps the boom from nodding.
module elbow() {
    axis = arm_socket + outer / 2;             // of the boom
    difference() {
        union() {
            cylinder(d = outer, h = arm_socket);
            hull() {
                translate([0, 0, arm_socket / 2]) cylinder(d = outer, h = 1);
                translate([-outer / 2, 0, axis]) rotate([0, 90, 0]) cylinder(d = outer, h = arm_socket + outer / 2);
            }
        }
        translate([0, 0, -1]) cylinder(d = hole, h = arm_socket - arm_wall + 1);
        translate([arm_wall - outer / 2, 0, axis]) rotate([0, 90, 0]) cylinder(d = hole, h = arm_socket + outer);
        translate([0, 0, arm_socket / 4]) rotate([0, -90, 0]) cylinder(d = arm_screw, h = outer);
        translate([arm_socket / 2, 0, axis]) cylinder(d = arm_screw, h = outer);
    }
}

module head() {
    sleeve(arm_socket);
    plate = 50;
    difference() {
        translate([-plate / 2, outer / 2 - arm_wall, 0]) cube([plate, arm_wall, arm_socket]);
        translate([0, -1, -1]) cylinder(d = hole, h = arm_socket + 2);
        for (x = [-15, 15]) translate([x, outer / 2 + 1, arm_socket / 2]) rotate([90, 0, 0]) {
            cylinder(d = arm_thread, h = arm_wall + 2);
        }
    }
}

if (part == "foot") foot();
else if (part == "elbow") elbow();
else if (part == "head") head();
else {
    foot();
    translate([arm_foot, 0, 0]) elbow();
    translate([2 * arm_foot, 0, 0]) head();
}
