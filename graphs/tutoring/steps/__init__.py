"""What the tutor's nodes do."""
