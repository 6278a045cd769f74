"""Image operations: change, photometry, polygons; they know no table, no card and no die."""
