"""What all stories check with."""

from __future__ import annotations

from .laptop import Laptop
from .member import Member


def same(got: object, wanted: object, what: str) -> None:
    """Fails where two things differ."""
    if got != wanted:
        raise AssertionError(f"{what}: {got!r} instead of {wanted!r}")


def same_form(one: object, other: object, place: str) -> None:
    """Fails where one value has not the fields, or the kinds of values, of another one.

    Null is of every kind.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        same(sorted(one), sorted(other), f"the fields of {place}")
        for name, value in one.items():
            same_form(value, other[name], f"{place}.{name}")
    elif isinstance(one, list) and isinstance(other, list):
        same(bool(one), bool(other), f"whether {place} has elements")
        if one:
            same_form(one[0], other[0], f"{place}[0]")
    elif one is not None and other is not None:
        same(type(one), type(other), f"the kind of {place}")


def member_of(laptop: Laptop, *players: str) -> Member:
    """A member of a new session of the laptop, with these players."""
    laptop.begin(*players)
    return laptop.admit()


def cell(member: Member, player: str, round_: int) -> object:
    """What a member has in a round of a player."""
    identifier = member.replica.players()[player]
    return member.replica.value(f"cell/{identifier}/round/{round_}")
