import SyncProtocol

/// How sessions are shown: in one line, in detail, and in a list.
enum SessionList {
    /// What happened to a session, in one line.
    static func line(_ verb: String, _ session: SessionSummary) -> Line {
        Line(verb + " ") + Line(session.title, .strong) + Line(" (\(facts(session)))")
    }

    /// One session, a fact a line.
    static func details(_ session: SessionSummary, _ console: Console) -> [Line] {
        var rows: [(String, String)] = [
            ("Title", session.title), ("Id", session.id), ("Game", game(session)),
            ("Status", session.status), ("Players", "\(session.players)"),
            ("You", session.me ?? "nobody (scorectl player me NAME)"), ("Others", others(session)),
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

    /// All sessions, the current one marked.
    static func lines(_ sessions: [SessionSummary]) -> [Line] {
        guard !sessions.isEmpty else {
            return [
                Line("No sessions yet. Begin one:  scorectl session new rounds --title Friday"),
                Line("or join one by its code:     scorectl join CODE"),
            ]
        }
        var table = Table([
            Table.Column(""), Table.Column("Title"), Table.Column("Game"), Table.Column("Status"),
            Table.Column("Players", .right), Table.Column("Others"), Table.Column("Id"),
        ])
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

    /// Names and values in two columns.
    static func facts(_ rows: [(String, String)]) -> [Line] {
        Table.aligned(rows.map { [Line($0.0, .faint), Line($0.1)] }, [.left, .left], gap: 2)
    }

    private static func game(_ session: SessionSummary) -> String {
        session.game.isEmpty ? "not here yet" : session.game
    }

    private static func facts(_ session: SessionSummary) -> String {
        let count = session.players
        return "\(game(session)), \(session.status), \(count) \(count == 1 ? "player" : "players")"
    }

    private static func others(_ session: SessionSummary) -> String {
        guard session.peersOnline > 0 else { return "none online" }
        return "\(session.peersOnline) online, " + (session.synced ? "synced" : "syncing")
    }
}
