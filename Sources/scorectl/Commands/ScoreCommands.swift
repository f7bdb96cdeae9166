import ControlSocket
import SyncProtocol

/// The commands that write scores, and those that tell how they came about.
enum ScoreCommands {
    static let score = Command(
        name: "score",
        summary: "write scores",
        words: "[PLAYER] ROW[.ROUND]=VALUE...",
        arity: 1...256,
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
            let request = WordsParameters(session: call.session, words: call.words)
            try answer(call, try call.call(.score, request))
        }
    )

    static let clear = Command(
        name: "clear",
        summary: "empty cells",
        words: "[PLAYER] ROW[.ROUND]...",
        arity: 1...256,
        examples: [("clear Ann round.3", "take a score away")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let request = WordsParameters(session: call.session, words: call.words)
            try answer(call, try call.call(.clear, request))
        }
    )

    static let undo = Command(
        name: "undo",
        summary: "take back the last score or move of this laptop",
        takesSession: true,
        action: .run { call throws(ControlError) in
            try answer(call, try call.call(.undo, .init(session: call.session)))
        }
    )

    static let resolve = Command(
        name: "resolve",
        summary: "settle a conflict",
        words: "PLAYER ROW[.ROUND] VALUE",
        examples: [("resolve Ann round.3 15", "15 it is, on every laptop")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let request = WordsParameters(session: call.session, words: call.words)
            try answer(call, try call.call(.resolve, request))
        }
    )

    private static func answer(_ call: Invocation, _ reply: WrittenReply) throws(ControlError) {
        try call.confirm(reply, lines(reply))
        if !call.isJSON { for note in reply.notes { call.inform(note) } }
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

    static let conflicts = Command(
        name: "conflicts",
        summary: "cells that were written differently on several laptops",
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.conflicts, .init(session: call.session))
            try call.print(reply, ConflictList.lines(reply.conflicts, now: call.console.now()))
        }
    )

    static let history = Command(
        name: "history",
        summary: "who wrote what, and what it replaced, the latest first",
        options: [
            CommandOption("player NAME", "only this player", kind: .player),
            CommandOption("row ROW[.ROUND]", "only this row"),
            CommandOption("limit N", "how many (20; 0 for all)"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            // For people the last ones are enough; programs get what they ask for.
            let said = try call.number("limit", in: 0...1_000_000)
            let limit = said ?? (call.isJSON ? 0 : 20)
            let request = HistoryParameters(
                session: call.session,
                player: call.value("player"),
                row: call.value("row"),
                // One more tells whether there are more.
                limit: limit == 0 ? nil : said == nil ? limit + 1 : limit
            )
            let reply = try call.call(.history, request)
            let shown = limit == 0 ? reply.entries : Array(reply.entries.prefix(limit))
            try call.print(reply, HistoryList.lines(shown, now: call.console.now()))
            if shown.count < reply.entries.count {
                call.inform("There is more: scorectl history --limit 0")
            }
        }
    )
}

/// The commands of games that are played move by move.
enum PlayCommands {
    static let play = Command(
        name: "play",
        summary: "play a move, in games that are played move by move",
        words: "MOVE...",
        details: [
            "Without --player it is your move, once you have said who you are (see 'player"
                + " me'), else that of whoever is to move. A move that the rules do not allow"
                + " is refused and costs nothing; 'undo' takes a move back.",
            "The answer shows the board, where the game has one, with the move of a computer"
                + " that comes within two seconds. Nobody moves for a computer: a list of"
                + " moves that comes to its turn is refused whole.",
        ],
        options: [
            CommandOption("player NAME", "whose move it is", kind: .player),
            CommandOption("darts N", "with how many darts (3)"),
        ],
        examples: [
            ("play d3", "a disc on d3"),
            ("play 60", "three darts that make 60 together"),
            ("play T20 T19 D12", "dart by dart"),
            ("play 26 --darts 2", "a leg that ends with the second dart"),
            ("play Ann", "a point that Ann won, in tennis and the like"),
            ("play 7/", "a spare, in bowling"),
        ],
        takesSession: true,
        takesDashes: true,
        action: .run { call throws(ControlError) in
            var details: [String: String] = [:]
            if let darts = call.value("darts") { details["darts"] = darts }
            let request = PlayParameters(
                session: call.session,
                words: call.words,
                player: call.value("player"),
                details: details
            )
            let reply = try call.call(.play, request)
            try call.confirm(reply, PlayedMove(reply: reply, page: call.form).lines)
        }
    )

    static let reset = Command(
        name: "reset",
        summary: "begin the game or the leg again, after a question",
        details: [
            "What it takes back is what the game calls a leg or a game; the question says it."
                + " 'undo' brings all of it back."
        ],
        options: [.yes],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.callConfirmed(.reset, .init(session: call.session))
            try call.confirm(reply, [Line("Reset; to bring it back: scorectl undo")])
        }
    )
}

/// What became of a move, in a line, with what computers answered and what the rules have to say;
/// then the board, where the game has one.
struct PlayedMove {
    let reply: PlayReply
    let page: PageForm

    var lines: [Line] {
        var told = [line(reply.player, reply.move)]
        told += reply.answers.map { line($0.player, $0.text ?? $0.value.description) }
        told[told.count - 1] += next
        told += reply.notes.map { Line("  " + $0) }
        guard let board = reply.board else { return told }
        let blocks = [told, BoardPanel(board, page).lines, totals(beside: board)]
        return Array(blocks.joined(separator: [Line()]))
    }

    private func line(_ player: String?, _ move: String) -> Line {
        // Where the move is who won a point, one name is enough.
        Line(player.flatMap { $0 == move ? nil : $0 + ": " } ?? "", .strong) + Line(move)
    }

    /// Who is to move, or how the game ended.
    private var next: Line {
        guard !reply.finished else { return Line(" – ") + Line(end, .good) }
        return reply.turn.map { Line(" – ") + Line($0, .strong) + Line(" to move") } ?? Line()
    }

    /// How the game ended: `Ann has won (Ann 40, Bob 24)`.
    private var end: String {
        let totals = reply.totals.map { "\($0.player) \($0.total)" }.joined(separator: ", ")
        return (NameList.won(by: reply.winners) ?? "the game is over") + " (\(totals))"
    }

    /// What everybody has now, with their pieces.
    private func totals(beside board: ShownBoard) -> [Line] {
        var table = Table([
            Table.Column(""), Table.Column(""), Table.Column(reply.totalLabel, .right),
        ])
        for total in reply.totals {
            let piece = board.pieces.first { $0.player == total.player }
            let mark = piece?.mark.first.map { BoardPanel.glyph($0, board.pieces, page) }
            table.add([
                Line([mark, piece?.name].compactMap(\.self).joined(separator: " ")),
                Line(TextWidth.truncated(total.player, to: 24), .strong),
                Line("\(total.total)", .strong),
            ])
        }
        return table.lines.map { Line("  ") + $0 }
    }
}
