extension BuiltInSheet {
    /// Any number of rounds, a number each.
    static let rounds = BuiltInSheet(
        """
        {
          "id": "rounds",
          "name": "Rounds",
          "summary": "A number for each player and round, added up.",
          "help": "Enter the next round: score Ann 15. Or any round: score Ann round.3=15.",
          "players": {"from": 1},
          "rows": [
            {"id": "round", "label": "Round", "kind": "rounds",
             "help": "The points of one round; they may be negative."}
          ],
          "options": \(BuiltInSheet.plainOptions),
          "wins": {"option": "wins"},
          "target": {"option": "target"}
        }
        """
    )
}
