"""What the answers of the interface look like, in the words of JSON Schema."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]

INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
STRING: Schema = {"type": "string"}
COLUMN: Schema = {"type": "integer", "minimum": 1, "maximum": 7}
PLAYER: Schema = {"type": "integer", "enum": [1, 2]}
GAME: Schema = {"type": "string", "enum": ["max", "classic"]}


def named(name: str) -> Schema:
    """A schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def listed(items: Schema, length: int | None = None) -> Schema:
    """A list, of so many if that is known."""
    schema: Schema = {"type": "array", "items": items}
    return schema if length is None else {**schema, "minItems": length, "maxItems": length}


def or_null(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def thing(**properties: Schema) -> Schema:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def each_game(schema: Schema) -> Schema:
    """One for each game."""
    return thing(max=schema, classic=schema)


def counts() -> Schema:
    """Some numbers by name."""
    return {"type": "object", "additionalProperties": NUMBER}


CELLS = listed({"type": "string", "pattern": "^[012]{7}$"}, 6)
POINTS = listed(INTEGER, 2)
FOUR = listed(listed(INTEGER, 2), 4)
FOURS = listed(listed(FOUR), 2)
PLAYERS = listed(STRING, 2)
KNOWN = listed(or_null(named("Value")), 7)

_POSITION = {
    "game": GAME,
    "start": or_null({"type": "string", "pattern": "^[012]{42}$"}),
    "moves": {"type": "string", "pattern": "^[1-7]*$"},
    "width": INTEGER,
    "height": INTEGER,
    "cells": CELLS,
    "to_move": PLAYER,
    "columns": listed(COLUMN),
    "points": POINTS,
    "fours": FOURS,
    "over": BOOLEAN,
    "winner": or_null(PLAYER),
    "result": or_null(STRING),
    "words": STRING,
    "text": STRING,
    "begin": thing(cells=CELLS, points=POINTS, fours=FOURS, to_move=PLAYER, columns=listed(COLUMN)),
    "drops": listed(named("Drop")),
}
_GAME = {
    "id": STRING,
    "game": GAME,
    "players": PLAYERS,
    "position": named("Position"),
    "future": STRING,
    "created": STRING,
    "changed": STRING,
}
_WINDOW = {
    "alpha": or_null(INTEGER),
    "beta": or_null(INTEGER),
    "alpha_from": or_null(STRING),
    "beta_from": or_null(STRING),
}
_LEAF = {
    "path": STRING,
    "kind": {"type": "string", "enum": ["max", "min", "leaf"]},
    "player": PLAYER,
    "over": BOOLEAN,
    "value": INTEGER,
    "bound": {"type": "string", "enum": ["exact", "at least", "at most"]},
    **_WINDOW,
}
_INNER = {
    "best": STRING,
    "steps": listed(thing(path=STRING, value=INTEGER, **_WINDOW)),
    "cut": or_null(thing(after=STRING, **_WINDOW, columns=listed(COLUMN), spared=INTEGER, reason=STRING)),
}

SCHEMAS: dict[str, Schema] = {
    "Position": thing(**_POSITION),
    "Drop": thing(
        number=INTEGER,
        player=PLAYER,
        column=COLUMN,
        row=INTEGER,
        fours=listed(FOUR),
        points=POINTS,
        columns=listed(COLUMN),
        words=STRING,
    ),
    "Offers": thing(
        api=INTEGER,
        version=STRING,
        games=listed(GAME),
        levels=each_game(listed(named("Level"))),
        evaluations=listed(thing(name=STRING, description=STRING)),
        limits=counts(),
        searches={"type": "object", "additionalProperties": counts()},
    ),
    "Level": thing(level=INTEGER, name=STRING, description=STRING, strength=STRING),
    "Choice": thing(
        column=COLUMN,
        value=or_null(INTEGER),
        depth=INTEGER,
        nodes=INTEGER,
        seconds=NUMBER,
        exact=BOOLEAN,
        source=STRING,
        words=STRING,
    ),
    "Value": thing(
        low=or_null(INTEGER),
        high=or_null(INTEGER),
        label=STRING,
        score=or_null(INTEGER),
        tone={"type": "string", "enum": ["win", "draw", "loss", "unknown"]},
    ),
    "Analysis": thing(
        value=named("Value"),
        columns=KNOWN,
        best=listed(COLUMN),
        line=or_null(STRING),
        exact=BOOLEAN,
        source=STRING,
        words=STRING,
        nodes=INTEGER,
        seconds=NUMBER,
    ),
    "Review": thing(
        values=listed(INTEGER),
        margins=listed(INTEGER),
        moves=listed(named("ReviewedMove")),
        players=listed(named("Summary"), 2),
        words=STRING,
    ),
    "ReviewedMove": thing(
        number=INTEGER,
        player=PLAYER,
        column=COLUMN,
        before=INTEGER,
        after=INTEGER,
        given_away=INTEGER,
        mistake=BOOLEAN,
        best=listed(COLUMN),
        words=STRING,
    ),
    "Summary": thing(
        moves=INTEGER,
        mistakes=INTEGER,
        given_away=INTEGER,
        perfect_share=or_null(NUMBER),
        detours=INTEGER,
        worst=or_null(INTEGER),
        words=STRING,
    ),
    "Game": thing(**_GAME),
    "ComputersDrop": thing(**_GAME, choice=named("Choice")),
    "Games": thing(games=listed(named("ListedGame")), more=BOOLEAN),
    "ListedGame": thing(
        id=STRING,
        game=GAME,
        players=PLAYERS,
        start=or_null(STRING),
        moves=STRING,
        points=POINTS,
        over=BOOLEAN,
        result=or_null(STRING),
        created=STRING,
        changed=STRING,
    ),
    "Tree": thing(
        game=GAME,
        moves=or_null(STRING),
        to_move=PLAYER,
        depth=INTEGER,
        evaluation=STRING,
        evaluation_in_words=STRING,
        pruning=BOOLEAN,
        order=STRING,
        value=INTEGER,
        column=COLUMN,
        line=STRING,
        visited=INTEGER,
        with_pruning=INTEGER,
        without_pruning=INTEGER,
        pruned_share=NUMBER,
        words=STRING,
        labels={"type": "object", "additionalProperties": STRING},
        nodes=listed(named("TreeNode")),
    ),
    "TreeNode": {"anyOf": [thing(**_LEAF), thing(**_LEAF, **_INNER)]},
    "Deleted": thing(deleted=STRING),
    "Error": thing(error=STRING),
    "Conflict": thing(error=STRING, game=named("Game")),
    "Description": {"type": "object"},
}
