extension BuiltInSheet {
    /// 7 Wonders, Repos Production 2010, with rows for its expansions.
    static let sevenWonders = BuiltInSheet(
        """
        {
          "id": "7-wonders",
          "name": "7 Wonders",
          "summary": "Wonder, coins, wars, five colours of cards and science.",
          "help": "Enter coins and science symbols, the points follow: score Ann coins=14 \
        tablets=2 compasses=1 gears=1. Military is the sum of the tokens: military=5+3-1.",
          "players": {"from": 3, "to": 7},
          "rows": [
            {"id": "wonder", "label": "Wonder", "kind": "number",
             "range": {"from": 0, "to": 200}, "help": "The stages that were built."},
            {"id": "coins", "label": "Treasury", "kind": "number", "per": 3,
             "aliases": ["treasury"], "range": {"from": 0, "to": 1000},
             "help": "Coins: 1 point for 3; the most coins break a tie."},
            {"id": "military", "label": "Military", "kind": "tokens", "tokens": [1, 3, 5, -1],
             "range": {"from": -1000, "to": 1000},
             "help": "Tokens: 1, 3 or 5 for a victory, −1 for a defeat; 5+3-1, or 2x5-3x1."},
            {"id": "blue", "label": "Civilian", "kind": "number", "range": {"from": 0},
             "help": "Blue cards."},
            {"id": "yellow", "label": "Commerce", "kind": "number", "range": {"from": 0},
             "help": "Yellow cards."},
            {"id": "purple", "label": "Guilds", "kind": "number", "range": {"from": 0},
             "help": "Purple cards."},
            {"id": "tablets", "label": "Tablets", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 100}, "help": "Science symbols: tablets."},
            {"id": "compasses", "label": "Compasses", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 100}, "help": "Science symbols: compasses."},
            {"id": "gears", "label": "Gears", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 100}, "help": "Science symbols: gears."},
            {"id": "wild", "label": "Wild symbols", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 100},
             "help": "Science symbols of any kind; each goes where it helps most."},
            {"id": "science", "label": "Science", "kind": "sets", "aliases": ["green"],
             "of": ["tablets", "compasses", "gears"], "wild": "wild", "set": 7,
             "help": "Green cards: the square of each symbol's count, 7 for each set."},
            {"id": "leaders", "label": "Leaders", "kind": "number",
             "when": {"option": "leaders"}, "help": "White cards."},
            {"id": "cities", "label": "Cities", "kind": "number", "when": {"option": "cities"},
             "help": "Black cards."},
            {"id": "debt", "label": "Debt", "kind": "number", "factor": -1,
             "range": {"from": 0, "to": 1000}, "when": {"option": "cities"},
             "help": "Debt tokens, −1 each."},
            {"id": "armada", "label": "Armada", "kind": "number", "when": {"option": "armada"},
             "help": "Naval conflicts, islands and shipyards together, as 5+3-1."},
            {"id": "edifice", "label": "Edifice", "kind": "number", "when": {"option": "edifice"},
             "help": "Edifices and their penalties together."}
          ],
          "options": [
            {"name": "leaders", "kind": "boolean", "default": false, "help": "Leaders."},
            {"name": "cities", "kind": "boolean", "default": false, "help": "Cities, with debt."},
            {"name": "armada", "kind": "boolean", "default": false, "help": "Armada."},
            {"name": "edifice", "kind": "boolean", "default": false, "help": "Edifice."}
          ],
          "tieBreakers": [{"row": "coins"}]
        }
        """
    )
}
