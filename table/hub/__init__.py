"""Many tables: what they tell a broker, kept in PostgreSQL, as leagues, evenings and ratings on a page."""
