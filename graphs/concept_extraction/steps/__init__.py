"""What the nodes do, from loading to the commit."""
