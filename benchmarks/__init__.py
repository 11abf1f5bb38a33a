"""What `make bench` runs: our numbers beside what one would use instead, in the same run."""
