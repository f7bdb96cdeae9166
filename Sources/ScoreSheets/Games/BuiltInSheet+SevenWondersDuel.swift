extension BuiltInSheet {
    /// 7 Wonders Duel, Repos Production 2015.
    static let sevenWondersDuel = BuiltInSheet(
        """
        {
          "id": "7-wonders-duel",
          "name": "7 Wonders Duel",
          "summary": "Two cities; military or scientific supremacy wins at once.",
          "help": "Enter how far the conflict pawn is from the middle for the one it favours: \
        score Ann military=4. A supremacy ends the game: score Ann supremacy=yes.",
          "players": {"from": 2, "to": 2},
          "rows": [
            {"id": "military", "label": "Conflict pawn", "kind": "number",
             "range": {"from": 0, "to": 8}, "sole": true, "table": [0, 2, 2, 5, 5, 5, 10],
             "help": "Spaces from the middle towards the opponent: 1–2 for 2, 3–5 for 5, 6–8 for \
        10. The opponent enters nothing or 0."},
            {"id": "blue", "label": "Civilian", "kind": "number", "range": {"from": 0},
             "help": "Blue cards; the most of them break a tie."},
            {"id": "green", "label": "Science", "kind": "number", "range": {"from": 0},
             "help": "Green cards."},
            {"id": "yellow", "label": "Commerce", "kind": "number", "range": {"from": 0},
             "help": "Yellow cards."},
            {"id": "purple", "label": "Guilds", "kind": "number", "range": {"from": 0},
             "help": "Purple cards."},
            {"id": "wonders", "label": "Wonders", "kind": "number", "range": {"from": 0},
             "help": "The wonders that were built."},
            {"id": "agriculture", "label": "Agriculture", "kind": "flag", "points": 4,
             "sole": true, "help": "The progress token Agriculture, worth 4."},
            {"id": "philosophy", "label": "Philosophy", "kind": "flag", "points": 7,
             "sole": true, "help": "The progress token Philosophy, worth 7."},
            {"id": "maths", "label": "Mathematics", "kind": "flag", "scores": false,
             "sole": true, "help": "The progress token Mathematics: 3 for each progress token."},
            {"id": "tokens", "label": "Progress tokens", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 10}, "help": "All progress tokens, for Mathematics."},
            {"id": "mathematics", "label": "Mathematics ×3", "kind": "product", "factor": 3,
             "of": ["maths", "tokens"], "help": "3 for each token of who has Mathematics."},
            {"id": "coins", "label": "Treasury", "kind": "number", "per": 3,
             "aliases": ["treasury"], "range": {"from": 0, "to": 1000},
             "help": "Coins: 1 point for 3."},
            {"id": "supremacy", "label": "Won by military", "kind": "flag", "wins": true,
             "sole": true, "help": "The conflict pawn reached the opponent's capital."},
            {"id": "symbols", "label": "Won by science", "kind": "flag", "wins": true,
             "sole": true, "help": "Six different science symbols."}
          ],
          "tieBreakers": [{"row": "blue"}]
        }
        """
    )
}
