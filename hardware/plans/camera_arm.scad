// The printed parts of the camera arm: foot on the table, elbow from mast to boom, head that holds the camera.
// openscad -D 'part="foot"' … or "elbow", "head"; "all" shows them side by side.
include <dimensions.scad>

part = "all";
$fn = 48;
hole = arm_tube + 0.4;                         // a tube slides in
outer = hole + 2 * arm_wall;

// Where the wall is thick enough for a nut: a rib along z on the side of +x. It needs no supports.
module rib(length) translate([0, -arm_nut, 0]) cube([outer / 2 + arm_boss, 2 * arm_nut, length]);

// What a screw along x takes that clamps the tube, and its nut, which is laid in from inside: the tube keeps it there.
module clamp() rotate([0, 90, 0]) {
    cylinder(d = arm_screw, h = outer);
    rotate(30) cylinder(d = (arm_nut + 0.3) / cos(30), h = hole / 2 + 3.6, $fn = 6);
}

// A sleeve along z with a screw that clamps the tube.
module sleeve(length) {
    difference() {
        union() {
            cylinder(d = outer, h = length);
            rib(length);
        }
        translate([0, 0, -1]) cylinder(d = hole, h = length + 2);
        translate([0, 0, length / 2]) clamp();
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
            rotate(180) rib(arm_socket / 2);
            translate([arm_socket / 2 - arm_nut, -arm_nut, axis]) cube([2 * arm_nut, 2 * arm_nut, outer / 2 + arm_boss]);
        }
        translate([0, 0, -1]) cylinder(d = hole, h = arm_socket - arm_wall + 1);
        translate([arm_wall - outer / 2, 0, axis]) rotate([0, 90, 0]) cylinder(d = hole, h = arm_socket + outer);
        translate([0, 0, arm_socket / 4]) rotate(180) clamp();
        translate([arm_socket / 2, 0, axis]) rotate([0, -90, 0]) clamp();
    }
}

// The camera's screw comes from behind: beside the sleeve there is room for its head and a finger.
camera_x = arm_plate / 2 - 9;

module head() {
    rotate(-90) sleeve(arm_socket);
    difference() {
        translate([-arm_plate / 2, outer / 2 - arm_wall, 0]) cube([arm_plate, arm_wall, arm_socket]);
        translate([0, -1, -1]) cylinder(d = hole, h = arm_socket + 2);
        for (x = [-1, 1]) translate([x * camera_x, outer / 2 + 1, arm_socket / 2]) rotate([90, 0, 0])
            cylinder(d = arm_thread, h = arm_wall + 2);
    }
}

// What the camera's screw needs on its way, with a head of 11 mm; a test says that nothing stands there.
module camera_screws() {
    for (x = [-1, 1]) translate([x * camera_x, 0, arm_socket / 2]) rotate([90, 0, 0]) {
        translate([0, 0, arm_wall - outer / 2 + 0.01]) cylinder(d = 11, h = 2 * outer);
        translate([0, 0, -outer]) cylinder(d = 6.35, h = 3 * outer);
    }
}

if (part == "foot") foot();
else if (part == "elbow") elbow();
else if (part == "head") head();
else if (part == "in the screw's way") intersection() { head(); camera_screws(); }
else {
    foot();
    translate([arm_foot, 0, 0]) elbow();
    translate([2 * arm_foot, 0, 0]) head();
}
