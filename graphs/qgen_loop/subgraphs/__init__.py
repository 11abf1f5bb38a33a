"""The document agent that the generator and the validator both use."""
