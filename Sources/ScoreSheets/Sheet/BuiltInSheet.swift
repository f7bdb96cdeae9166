/// A sheet that is part of the program, as JSON; `Games` has them, a file each.
struct BuiltInSheet: Hashable {
    /// The JSON, like that of a sheet that a user writes.
    let json: String

    /// The sheet of this JSON.
    init(_ json: String) {
        self.json = json
    }

    /// Every sheet that every device has.
    static let all: [BuiltInSheet] = [
        points, rounds, wingspan, container, agricola, sevenWonders, sevenWondersDuel, ghost,
        smashUp, darts, reversi,
    ]

    /// The sheet; that the JSON is one is our own affair, and tested.
    var sheet: Sheet {
        do {
            return try Sheet(json: json)
        } catch {
            preconditionFailure("a built-in sheet is broken: \(error)")
        }
    }

    /// The options of sheets that only add up.
    static let plainOptions = """
        [
          {"name": "wins", "kind": "choice", "choices": ["highest", "lowest"],
           "default": "highest", "help": "Which total wins."},
          {"name": "target", "kind": "integer", "range": {"from": 1},
           "help": "The total that ends the game; in a game of rounds when the round is complete."}
        ]
        """
}
