extension BuiltInSheet {
    /// One number for each player.
    static let points = BuiltInSheet(
        """
        {
          "id": "points",
          "name": "Points",
          "summary": "One number for each player.",
          "help": "Enter the points of each player: score Ann 42. A sum is added up: 12+7+9.",
          "players": {"from": 1},
          "rows": [
            {"id": "points", "label": "Points", "kind": "number",
             "help": "The points of the whole game; they may be negative."}
          ],
          "options": \(BuiltInSheet.plainOptions),
          "wins": {"option": "wins"},
          "target": {"option": "target"}
        }
        """
    )
}
