"""What the nodes of the loop do."""
