"""Reading an Obsidian vault: files, frontmatter, every way of writing a card, fields for Anki."""
