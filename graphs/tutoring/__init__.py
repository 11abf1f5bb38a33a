"""The network lab tutor."""
