extension BuiltInSheet {
    /// X01 in legs and sets.
    static let darts = BuiltInSheet(
        """
        {
          "id": "darts",
          "name": "Darts",
          "summary": "501 and the like: from the start to exactly zero, in legs and sets.",
          "help": "Enter each visit of the player to throw: play 60. With fewer darts: play 26 \
        --darts 2. Dart by dart: play T20 T19 D12; also 5, 25, BULL, MISS. A visit that went bust: \
        play bust, or its total. A visit has three darts where nobody says; say it where a leg was \
        won with fewer. The leg begins with the next player each time.",
          "players": {"from": 1},
          "engine": "darts",
          "rows": [
            {"id": "visit", "label": "Visit", "kind": "moves",
             "help": "A visit by the turn of the match: 60, 26/2 for two darts, T20 T19 D12, BUST."}
          ],
          "options": [
            {"name": "start", "kind": "integer", "range": {"from": 2, "to": 1001}, "default": 501,
             "help": "The points from which a leg is played: 501, 301, 701, 170."},
            {"name": "out", "kind": "choice", "choices": ["double", "straight", "master"],
             "default": "double",
             "help": "The last dart: a double, any dart, or a double or triple (master)."},
            {"name": "in", "kind": "choice", "choices": ["straight", "double"],
             "default": "straight",
             "help": "The first dart that counts: any, or a double."},
            {"name": "legs", "kind": "integer", "range": {"from": 1, "to": 999}, "odd": true,
             "default": 1,
             "help": "Best of so many legs: whoever wins more than half, wins the set."},
            {"name": "sets", "kind": "integer", "range": {"from": 1, "to": 99}, "odd": true,
             "default": 1,
             "help": "Best of so many sets: whoever wins more than half, wins the match."},
            {"name": "order", "kind": "text",
             "help": "How the match is set and who throws in which order; the game writes it with \
        the first visit."}
          ]
        }
        """
    )
}
