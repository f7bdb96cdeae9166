import ScoreSheets
import SyncProtocol

/// What `games list` and `games search` print.
enum GameList {
    /// All games under the headings of their groups, the user's own at the end, in so many columns.
    static func lines(_ games: [GameSummary], columns: Int) -> [Line] {
        // One table, so that the columns of all groups stand below each other.
        let blocks = zip(games, WrappedList.blocks(games.map { row($0) }, columns: columns))
        let groups = headings.compactMap { heading -> [Line]? in
            let lines = blocks.filter { Self.heading(of: $0.0) == heading }.flatMap(\.1)
            return lines.isEmpty ? nil : [Line(heading, .faint)] + lines
        }
        let hints = [
            Line("Find one:    scorectl games search WORD", .faint),
            Line("Explain one: scorectl games show GAME", .faint),
            Line("Begin one:   scorectl session new GAME", .faint),
        ]
        return Array((groups + [hints]).joined(separator: [Line()]))
    }

    /// The games that were looked for, each with where the words stand that are not to be seen in
    /// its line.
    static func found(_ games: [GameSummary], columns: Int) -> [Line] {
        WrappedList.blocks(games.map { row($0, reasons($0.found ?? [])) }, columns: columns)
            .flatMap(\.self)
    }

    // MARK: Groups

    private static let own = "Your games"
    private static let other = "Other games"
    private static let headings = GameGroup.allCases.map(\.heading) + [other, own]

    private static func heading(of game: GameSummary) -> String {
        // The daemon may know a group that this program does not.
        game.own ? own : game.group.flatMap(GameGroup.init)?.heading ?? other
    }

    // MARK: One game

    private static func row(_ game: GameSummary, _ reasons: [String] = []) -> WrappedList.Row {
        let players = Line(PlayerCountWords.short(game.players))
        return ([Line("  \(game.id)", .strong), players], [text(of: game)] + reasons)
    }

    /// What the game is; begins with what it is called where the id does not say that.
    private static func text(of game: GameSummary) -> String {
        let name = core(of: game.name) == core(of: game.id) ? [] : [game.name]
        let summary = game.summary.isEmpty ? [] : [game.summary]
        let version = game.version > 1 ? " · version \(game.version)" : ""
        return (name + summary).joined(separator: " – ") + version
    }

    private static func core(of text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func reasons(_ findings: [GameFinding]) -> [String] {
        findings.compactMap { finding in
            switch finding.place {
            case "name", "summary": nil
            case "group": "→ in the group “\(finding.text)”"
            case "row": "→ a row: \(finding.text)"
            case "help": "→ its help: \(finding.text)"
            case let place: "→ \(place): \(finding.text)"
            }
        }
    }
}
