"""What langgraph.json names under `auth`; a door is one object, wherever it is imported from."""

from service.security.ownership import auth

__all__ = ["auth"]
