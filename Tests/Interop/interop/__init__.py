"""A second client of ScoreSync, written from Documentation/PROTOCOL.md.

Section numbers in these modules are those of that page.
"""
