"""What each node does: a turn of the model, the step it asked for, extraction with no model, the answer."""
