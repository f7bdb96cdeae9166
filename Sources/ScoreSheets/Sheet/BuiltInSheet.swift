/// The sheets that are part of the program.
enum BuiltInSheet: CaseIterable {
    case points
    case rounds

    /// The sheet of the JSON below; that it is one is our own affair, and tested.
    var sheet: Sheet {
        do {
            return try Sheet(json: json)
        } catch {
            preconditionFailure("the built-in sheet \(self) is broken: \(error)")
        }
    }

    private var json: String {
        switch self {
        case .points:
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
        case .rounds:
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
        }
    }

    private static let plainOptions = """
        [
          {"name": "wins", "kind": "choice", "choices": ["highest", "lowest"],
           "default": "highest", "help": "Which total wins."},
          {"name": "target", "kind": "integer", "range": {"from": 1},
           "help": "The total that ends the game as soon as somebody reaches it."}
        ]
        """
}
