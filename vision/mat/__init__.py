"""A card table over time: background, light, hands, the search for cards and what lies on what."""
