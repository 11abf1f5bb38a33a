"""A document becomes validated questions, each with evidence that a machine has checked."""
