"""What an agent can do with a document, and how it hands in its result."""
