"""Inner graphs of card_decision."""
