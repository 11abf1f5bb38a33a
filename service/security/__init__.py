"""The door: who may come in, what they own, and what may be carried in."""
