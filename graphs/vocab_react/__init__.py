"""A song becomes Japanese vocabulary: a ReAct agent over lyrics, checked word by word."""
