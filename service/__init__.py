"""The HTTP side that langgraph.json mounts: REST routes and pages."""
