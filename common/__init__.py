"""What two graphs or more share: settings, models, the one way to ask, review, durability."""
