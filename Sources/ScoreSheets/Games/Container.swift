extension BuiltInSheet {
    /// Container, Valley Games 2007.
    static let container = BuiltInSheet(
        """
        {
          "id": "container",
          "name": "Container",
          "summary": "Containers on the island by a secret card, stores, cash and loans.",
          "help": "Enter the secret card as the colours in the order 10, 10 or 5, 6, 4, 2: score \
        Ann card=white,orange,tan,brown,black. The first colour is enough for a card of the first \
        edition. Enter all containers on the island: the most common colour is dropped by itself.",
          "players": {"from": 3, "to": 5},
          "rows": [
            {"id": "card", "label": "Card", "kind": "order", "scores": false,
             "words": ["white", "orange", "tan", "brown", "black"],
             "presets": [["white", "orange", "tan", "brown", "black"],
                         ["brown", "black", "white", "orange", "tan"],
                         ["black", "white", "orange", "tan", "brown"],
                         ["orange", "tan", "brown", "black", "white"],
                         ["tan", "brown", "black", "white", "orange"]],
             "help": "The colours in the order 10, 10 or 5, 6, 4, 2."},
            \(colour("white")),
            \(colour("orange")),
            \(colour("tan")),
            \(colour("brown")),
            \(colour("black")),
            {"id": "drop", "label": "Dropped", "kind": "choice", "scores": false,
             "choices": [{"word": "white"}, {"word": "orange"}, {"word": "tan"},
                         {"word": "brown"}, {"word": "black"}],
             "help": "New edition: which of equally common colours is dropped."},
            {"id": "island", "label": "Island", "kind": "drop", "order": "card",
             "of": ["white", "orange", "tan", "brown", "black"], "override": "drop",
             "values": [10, {"complete": 10, "else": 5}, 6, 4, 2],
             "help": "All but the most common colour, at the values of the card."},
            {"id": "harbour", "label": "Harbour store", "kind": "number", "factor": 2,
             "range": {"from": 0, "to": 100}, "help": "Containers in the harbour store, 2 each."},
            {"id": "ship", "label": "Ship", "kind": "number", "factor": 3,
             "range": {"from": 0, "to": 100}, "help": "Containers on the ship, 3 each."},
            {"id": "bank", "label": "Bank holding", "kind": "number", "factor": 3,
             "range": {"from": 0, "to": 100},
             "help": "Containers in the bank's holding area, 3 each."},
            {"id": "cash", "label": "Cash", "kind": "number", "range": {"from": 0},
             "help": "Money."},
            {"id": "loans", "label": "Loans", "kind": "number", "factor": -11,
             "range": {"from": 0, "to": 2}, "help": "Loans not paid back, −11 each."},
            {"id": "factory", "label": "Factory store", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 100},
             "help": "Containers in the factory store: worth nothing, they break ties."}
          ],
          "tieBreakers": [{"row": "factory"}]
        }
        """
    )

    private static func colour(_ name: String) -> String {
        """
        {"id": "\(name)", "label": "\(name.prefix(1).uppercased() + name.dropFirst())",
         "kind": "number", "scores": false, "range": {"from": 0, "to": 100},
         "help": "How many \(name) containers are on the island."}
        """
    }
}
