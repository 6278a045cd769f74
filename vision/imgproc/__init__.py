"""Image operations: change detection, registration, photometry, polygons; they know no table, card or die."""
