"""How questions are worded: tokens, compound and yes/no forms, leaks, references to the document."""
