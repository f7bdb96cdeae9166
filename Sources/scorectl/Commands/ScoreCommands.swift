import SyncProtocol

/// The commands that write scores, and those that tell how they came about.
enum ScoreCommands {
    static var score: Command {
        Command(
            name: "score",
            summary: "write scores",
            words: "[PLAYER] ROW[.ROUND]=VALUE...",
            count: 1...256,
            details: [
                "Without PLAYER the scores are yours (see 'player me'). A bare number works where"
                    + " the sheet has one row. All values of one call are saved together, and it"
                    + " says so only once they are on the disk."
            ],
            examples: [
                ("score Ann 42", "in a sheet with one row"),
                ("score Ann round.3=-5", "a row that has rounds"),
                ("score birds=50 eggs=12", "two rows of your own"),
            ],
            takesSession: true,
            action: .run { call throws(ControlError) in
                let request = ScoreRequest(session: call.session, words: call.words)
                try answer(call, try call.call(request))
            }
        )
    }

    static var clear: Command {
        Command(
            name: "clear",
            summary: "empty cells",
            words: "[PLAYER] ROW[.ROUND]...",
            count: 1...256,
            examples: [("clear Ann round.3", "take a score away")],
            takesSession: true,
            action: .run { call throws(ControlError) in
                let request = ClearRequest(session: call.session, words: call.words)
                try answer(call, try call.call(request))
            }
        )
    }

    static var undo: Command {
        Command(
            name: "undo",
            summary: "take back the last score or move of this laptop",
            takesSession: true,
            action: .run { call throws(ControlError) in
                try answer(call, try call.call(UndoRequest(session: call.session)))
            }
        )
    }

    static var resolve: Command {
        Command(
            name: "resolve",
            summary: "settle a conflict",
            words: "PLAYER ROW[.ROUND] VALUE",
            count: 3...3,
            examples: [("resolve Ann round.3 15", "15 it is, on every laptop")],
            takesSession: true,
            action: .run { call throws(ControlError) in
                let request = ResolveRequest(session: call.session, words: call.words)
                try answer(call, try call.call(request))
            }
        )
    }

    private static func answer(_ call: Invocation, _ reply: WrittenReply) throws(ControlError) {
        try call.report(reply, lines(reply))
        if !call.isJSON { for note in reply.notes { call.tell(note) } }
    }

    /// How many cells are told one by one, when a reset is taken back.
    private static let mostCells = 20

    private static func lines(_ reply: WrittenReply) -> [Line] {
        // What was chosen is no cell: a note tells it.
        guard !reply.cells.isEmpty else { return [] }
        var cells = reply.cells.map { cell in
            let texts = cell.replacedTexts ?? cell.replaced.map(\.description)
            let before = zip(cell.replaced, texts).filter { $0.0 != .null && $0.0 != cell.value }
                .map(\.1)
            let was = before.isEmpty ? "" : " (was \(before.joined(separator: ", ")))"
            // A sum is told with what it comes to.
            let isSum = cell.count.map { .integer($0) != cell.value } ?? false
            let sum = isSum ? cell.count.map { " = \($0)" } ?? "" : ""
            let whose = cell.player.map { $0 + " " } ?? ""
            return "\(whose)\(cell.label) = \(cell.text ?? cell.value.description)\(sum)\(was)"
        }
        if cells.count > mostCells {
            cells = cells.prefix(mostCells - 1) + ["and \(cells.count - mostCells + 1) more"]
        }
        let whose = reply.player.isEmpty ? "" : reply.player + ": "
        var line = Line(whose, .strong) + Line(cells.joined(separator: ", "))
        if let total = reply.total { line += Line(" – total ") + Line("\(total)", .strong) }
        return [line]
    }

    // MARK: How it came about

    static var conflicts: Command {
        Command(
            name: "conflicts",
            summary: "cells that were written differently on several laptops",
            takesSession: true,
            action: .run(conflicts)
        )
    }

    private static func conflicts(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(ConflictsRequest(session: call.session))
        try call.print(reply, ConflictList.lines(reply.conflicts, now: call.console.now()))
    }

    static var history: Command {
        Command(
            name: "history",
            summary: "who wrote what, and what it replaced, the latest first",
            options: [
                CommandOption(
                    name: "player",
                    value: "NAME",
                    summary: "only this player",
                    kind: .player
                ),
                CommandOption(name: "row", value: "ROW[.ROUND]", summary: "only this row"),
                CommandOption(name: "limit", value: "N", summary: "how many (20; 0 for all)"),
            ],
            takesSession: true,
            action: .run(history)
        )
    }

    private static func history(_ call: Invocation) throws(ControlError) {
        // For people the last ones are enough; programs get what they ask for.
        let said = try call.number("limit", in: 0...1_000_000)
        let limit = said ?? (call.isJSON ? 0 : 20)
        let request = HistoryRequest(
            session: call.session,
            player: call.value("player"),
            row: call.value("row"),
            // One more tells whether there are more.
            limit: limit == 0 ? nil : said == nil ? limit + 1 : limit
        )
        let reply = try call.call(request)
        let shown = limit == 0 ? reply.entries : Array(reply.entries.prefix(limit))
        try call.print(reply, HistoryList.lines(shown, now: call.console.now()))
        if shown.count < reply.entries.count {
            call.tell("There is more: scorectl history --limit 0")
        }
    }
}
