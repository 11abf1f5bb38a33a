"""The `study` command line and small langgraph-sdk examples."""
