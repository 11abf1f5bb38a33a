"""Threads that wait for a person, as a released version left them in its checkpoint file.

`python -m tests.stored VERSION` writes one for the version at hand. Files of earlier versions stay as they
are: their threads must go on with any later code.
"""
