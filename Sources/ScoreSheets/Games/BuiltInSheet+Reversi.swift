extension BuiltInSheet {
    /// Othello on its board.
    static let reversi = BuiltInSheet(
        """
        {
          "id": "reversi",
          "name": "Reversi",
          "summary": "Othello: two players turn each other's discs; more discs win.",
          "help": "The first player is black and moves first: play d3. A move must turn a disc; \
        who has none is passed over. Several moves at once: play f5d6c3.",
          "players": {"from": 2, "to": 2},
          "engine": "reversi",
          "rows": [
            {"id": "move", "label": "Move", "kind": "moves",
             "help": "The square of the n-th disc, from a1 to h8; passes are left out."}
          ],
          "options": [
            {"name": "sides", "kind": "text",
             "help": "Who plays black, who white; the first move records it."}
          ]
        }
        """
    )
}
