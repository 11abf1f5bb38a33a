"""Book quotes to a Zettelkasten."""
