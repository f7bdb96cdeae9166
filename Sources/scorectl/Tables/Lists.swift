import SyncProtocol
import TerminalText

/// Sessions in one line, in detail, and in a list.
enum SessionList {
    /// Describes a session in one line, after a verb.
    static func line(_ verb: String, _ session: SessionSummary) -> Line {
        Line(verb + " ") + Line(session.title, .strong) + Line(" (\(facts(session)))")
    }

    static func details(_ session: SessionSummary, _ console: Console) -> [Line] {
        var rows: [(String, String)] = [
            ("Title", session.title), ("Id", session.id), ("Game", game(session)),
            ("Status", session.status), ("Players", "\(session.players)"),
            ("You", session.me ?? "not set (scorectl player me NAME)"), ("Others", others(session)),
        ]
        if let options = session.options, !options.isEmpty {
            let words = options.sorted { $0.key < $1.key }.map { name, value in
                name + "=" + OptionList.shown(value)
            }
            rows.append(("Options", words.joined(separator: ", ")))
        }
        if let expires = session.inviteExpires?.milliseconds {
            rows.append(("Invite", "open until " + console.timeOfDay(expires)))
        }
        return facts(rows)
    }

    static func lines(_ sessions: [SessionSummary]) -> [Line] {
        guard !sessions.isEmpty else {
            return [
                Line("No sessions yet. Start one:  scorectl session new rounds --title Friday"),
                Line("or join one by its code:     scorectl join CODE"),
            ]
        }
        var table = Table(["", "Title", "Game", "Status", .right("Players"), "Others", "Id"])
        for session in sessions {
            let title = TextWidth.truncated(session.title, to: 32)
            table.add([
                Line(session.current ? "→" : "", .good),
                Line(title, session.current ? .strong : .plain), Line(game(session)),
                Line(session.status), Line("\(session.players)"), Line(others(session)),
                Line(String(session.id.prefix(8)), .faint),
            ])
        }
        return table.lines
    }

    static func facts(_ rows: [(String, String)]) -> [Line] {
        Table.aligned(rows.map { [Line($0.0, .faint), Line($0.1)] }, [.left, .left], gap: 2)
    }

    private static func game(_ session: SessionSummary) -> String {
        session.game.isEmpty ? "not received yet" : session.game
    }

    private static func facts(_ session: SessionSummary) -> String {
        let count = session.players
        return "\(game(session)), \(session.status), \(count) \(count == 1 ? "player" : "players")"
    }

    private static func others(_ session: SessionSummary) -> String {
        guard session.peersOnline > 0 else {
            // The links of a finished session are closed once all laptops have everything.
            return session.synced ? "synced" : "none online"
        }
        return "\(session.peersOnline) online, " + (session.synced ? "synced" : "syncing")
    }
}

/// The players of a game that shows panels, in seat order: piece, total, rank, whose turn it is.
struct PlayerTable {
    let show: ShowReply
    let page: PageFormat

    var lines: [Line] {
        let players = show.scorers
        guard !players.isEmpty else {
            return [Line("  No players yet: scorectl player add NAME...", .faint)]
        }
        let isRanked = players.contains { $0.rank != nil }
        let label = show.context.totalLabel + (players.contains(where: isStarred) ? " " : "")
        let heads = ["", "", label, isRanked ? "Rank" : "", ""]
        let rows = [heads.map { Line($0, .faint) }] + players.map { row($0, isRanked: isRanked) }
        let sides: [Alignment] = [.left, .left, .right, .right, .left]
        return Table.aligned(rows, sides, gap: 2).map { Line("  ") + $0 }
            + TieBreakNotes.lines(players, columns: page.columns)
    }

    private func row(_ player: ShownPlayer, isRanked: Bool) -> [Line] {
        let isStarred = isStarred(player)
        let space = show.activePlayers.contains(where: self.isStarred) ? " " : ""
        let star = Line(isStarred ? "★" : space, .good)
        let total = Line("\(player.total)", isStarred ? .good : .strong) + star
        let name = TextWidth.truncated(player.name, to: 24)
        return [
            Line(piece(of: player)), Line(name, .strong), total,
            Line(isRanked ? player.rank.map { "\($0)" } ?? "–" : ""),
            Line(remark(player), player.id == show.document.turn ? .strong : .faint),
        ]
    }

    /// Whether the player has won, or leads while another player is behind.
    private func isStarred(_ player: ShownPlayer) -> Bool {
        player.winner
            || show.context.leaders.contains(player.id)
                && show.activePlayers.contains { $0.rank ?? 1 > 1 }
    }

    func piece(of player: ShownPlayer) -> String {
        for panel in show.document.panels {
            guard case .board(let board) = panel,
                let piece = board.pieces.first(where: { $0.player == player.name }),
                let mark = piece.mark.first
            else { continue }
            return BoardPanel.glyph(mark, board.pieces) + " " + piece.name
        }
        return ""
    }

    private func remark(_ player: ShownPlayer) -> String {
        var words: [String] = []
        if player.id == show.document.turn { words.append("to move") }
        if player.id == show.context.me { words.append("you") }
        return words.joined(separator: ", ")
    }
}

enum NameList {
    /// Joins names: `Ann`, `Ann and Bob`, `Ann, Bob and Cem`; long names are truncated.
    static func text(_ names: [String]) -> String {
        let names = names.map { TextWidth.truncated($0, to: 16) }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Returns `Ann has won` or `Ann and Bob have won`; nil without names.
    static func won(by names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        return text(names) + (names.count == 1 ? " has won" : " have won")
    }
}

/// The word of the table on who has won, where it names no players.
enum ShownVerdict {
    static func words(_ verdict: String?) -> String? {
        switch verdict {
        case "all-won": "all have won together"
        case "all-lost": "all have lost together"
        case "no-winner": "no winner"
        default: nil
        }
    }
}
