import SyncProtocol

extension Sample {
    static let points = GameSummary(
        id: "points",
        name: "Points",
        version: 1,
        summary: "One number for each player.",
        players: PlayerCount(from: 1)
    ).with { $0.group = "plain" }

    static let tichu = GameSummary(
        id: "tichu",
        name: "Tichu",
        version: 2,
        summary: "Two teams, to a thousand points.",
        players: PlayerCount(from: 2, to: 4)
    ).with { $0.own = true }

    static let hearts = GameSummary(
        id: "hearts",
        name: "Hearts",
        version: 1,
        summary: "Tricks without hearts.",
        players: PlayerCount(from: 3, to: 6)
    ).with { $0.group = "cards" }

    /// Games that were looked for by words.
    static let found: [GameSummary] = {
        var (hearts, tichu) = (Sample.hearts, Sample.tichu)
        hearts.found = []
        tichu.name = "Our Tichu"
        tichu.found = [
            GameFinding(place: "summary", text: tichu.summary),
            GameFinding(place: "row", text: "Bombs"),
            GameFinding(place: "help", text: "… the points of each round …"),
        ]
        return [hearts, tichu]
    }()

    static let tichuSheet = """
        {
          "id": "tichu",
          "name": "Tichu",
          "version": 2,
          "summary": "Two teams, to a thousand points.",
          "help": "Enter the points of each round, Tichus and double wins included.",
          "commands": "score Ann 65",
          "players": {"from": 2, "to": 4},
          "rows": [
            {"id": "round", "label": "Round", "kind": "rounds", "range": {"from": -500, "to": 400},
             "help": "Card points."},
            {"id": "bombs", "label": "Bombs", "kind": "number", "scores": false}
          ],
          "options": [
            {"name": "target", "kind": "integer", "range": {"from": 100}, "default": 1000},
            {"name": "wins", "kind": "choice", "choices": ["highest", "lowest"],
             "default": "highest", "help": "Which total wins."}
          ],
          "wins": {"option": "wins"},
          "tieBreakers": [{"row": "bombs", "wins": "highest"}],
          "target": {"option": "target"}
        }

        """

    static let options = SessionOptionReply(options: [
        OptionSummary(
            name: "target",
            value: .null,
            default: .null,
            takes: "a whole number of at least 1",
            help: "The total that ends the game as soon as somebody reaches it."
        ),
        OptionSummary(
            name: "wins",
            value: .text("lowest"),
            default: .text("highest"),
            takes: "highest, lowest",
            help: "Which total wins."
        ),
    ])
}
