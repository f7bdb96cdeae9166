import ControlSocket
import SyncProtocol
import TerminalText

/// The commands that write scores, and those that show conflicts and history.
enum ScoreCommands {
    static let score = Command(
        usage: "score [PLAYER] ROW[.ROUND]=VALUE...",
        summary: "write scores",
        arity: 1...256,
        details: "Without PLAYER the scores are yours (see 'player me'). A number alone is enough"
            + " if the sheet has one row. All values of one call are saved together; it prints them"
            + " once they are on disk.",
        options: [expected],
        examples: [
            ("score Ann 42", "in a sheet with one row"),
            ("score Ann round.3=-5", "in a row with rounds"),
            ("score birds=50 eggs=12", "two rows of your own"),
            ("score Ann round.3=15 --if 12", "only if it is still 12"),
        ],
        takesSession: true,
        action: write(.score, expectingWords)
    )

    static let clear = Command(
        usage: "clear [PLAYER] ROW[.ROUND]...",
        summary: "clear cells",
        arity: 1...256,
        options: [expected],
        examples: [("clear Ann round.3", "remove a score")],
        takesSession: true,
        action: write(.clear, expectingWords)
    )

    static let undo = Command(
        usage: "undo",
        summary: "undo the last score or move of this laptop",
        takesSession: true,
        action: write(.undo) { .init(session: $0.session) }
    )

    static let resolve = Command(
        usage: "resolve PLAYER ROW[.ROUND] VALUE",
        summary: "resolve a conflict",
        examples: [("resolve Ann round.3 15", "choose 15, on every laptop")],
        takesSession: true,
        action: write(.resolve, words)
    )

    private static let words: Command.Action.Parameters<WordsParameters> = {
        .init(session: $0.session, words: $0.words)
    }

    private static let expected = CommandOption(
        "if VALUE",
        "only if each of these cells still shows VALUE (- for an empty one)"
    )

    private static let expectingWords: Command.Action.Parameters<WordsParameters> = { call in
        WordsParameters(session: call.session, words: call.words).with { words in
            words.expecting = call.value("if").map { value in
                Expectation().with { $0.value = value }
            }
        }
    }

    private static func write<Value>(
        _ method: Method<Value, WrittenReply>,
        _ parameters: @escaping Command.Action.Parameters<Value>
    ) -> Command.Action {
        .run { call throws(ControlError) in
            let reply = try call.call(method, parameters(call))
            try call.confirm(reply, lines(reply))
            call.inform(reply.notes)
        }
    }

    /// The maximum number of listed cells: undoing a reset may restore many.
    private static let maxCells = 20

    private static func lines(_ reply: WrittenReply) -> [Line] {
        // A change of options has no cells; a note describes it.
        guard !reply.cells.isEmpty else { return [] }
        var cells = reply.cells.map { cell in
            let texts = cell.replacedTexts ?? cell.replaced.map(\.description)
            let before = zip(cell.replaced, texts).filter { $0.0 != .null && $0.0 != cell.value }
                .map(\.1)
            let was = before.isEmpty ? "" : " (was \(before.joined(separator: ", ")))"
            // A sum is followed by its result.
            let count = cell.count.map { "\($0)" } ?? ""
            let isSum = !count.isEmpty && count != cell.value.description
            let sum = isSum ? " = \(count)" : ""
            let whose = cell.player.map { $0 + " " } ?? ""
            return "\(whose)\(cell.label) = \(cell.text ?? cell.value.description)\(sum)\(was)"
        }
        if cells.count > maxCells {
            cells = cells.prefix(maxCells - 1) + ["and \(cells.count - maxCells + 1) more"]
        }
        let whose = reply.player.isEmpty ? "" : reply.player + ": "
        var line = Line(whose, .strong) + Line(cells.joined(separator: ", "))
        if let total = reply.total { line += Line(" – total ") + Line("\(total)", .strong) }
        return [line]
    }

    static let conflicts = Command(
        usage: "conflicts",
        summary: "list the cells with different values from several laptops",
        takesSession: true,
        action: .print(.conflicts) { reply, call in
            ConflictList.lines(reply.items, now: call.console.now())
        }
    )

    static let history = Command(
        usage: "history",
        summary: "list who wrote which values, the latest first",
        options: [
            CommandOption("player NAME", "only this player", kind: .player),
            CommandOption("row ROW[.ROUND]", "only this row"),
            CommandOption("limit N", "how many (20; 0 for all)"),
        ],
        takesSession: true,
        isPage: true,
        action: .run { call throws(ControlError) in
            // The default is 20 for people and unlimited for programs.
            let given = try call.number("limit", in: 0...1_000_000)
            let limit = given ?? (call.isJSON ? 0 : 20)
            var request = HistoryParameters(session: call.session)
            request.player = call.value("player")
            request.row = call.value("row")
            // One entry more shows whether the list is complete.
            request.limit = limit == 0 ? nil : given == nil ? limit + 1 : limit
            let reply = try call.call(.history, request)
            let shown = limit == 0 ? reply.items : Array(reply.items.prefix(limit))
            try call.print(reply, HistoryList.lines(shown, now: call.console.now()))
            if shown.count < reply.items.count {
                call.inform("For all entries: scorectl history --limit 0")
            }
        }
    )
}

enum PlayCommands {
    static let play = Command(
        usage: "play MOVE...",
        summary: "play a move, in games that are played move by move",
        details: "Without --player it is your move if you have said who you are (see 'player me'),"
            + " otherwise that of the player to move. Illegal moves are refused and change nothing;"
            + " 'undo' takes a move back.\n"
            + "It prints the board, if the game has one, after the reply of a computer player if"
            + " that comes within two seconds. You cannot move for a computer: a list of moves that"
            + " reaches its turn is refused as a whole.",
        options: [
            CommandOption("player NAME", "the player who moves", kind: .player),
            CommandOption("darts N", "with how many darts (3)"),
        ],
        examples: [
            ("play d3", "a disc on d3"),
            ("play 60", "three darts with a total of 60"),
            ("play T20 T19 D12", "dart by dart"),
            ("play 26 --darts 2", "a leg that ends with the second dart"),
            ("play Ann", "a point for Ann, in tennis and similar games"),
            ("play 7/", "a spare, in bowling"),
        ],
        takesSession: true,
        takesDashes: true,
        action: .confirm(.play, parameters) { reply, _ in PlayedMove(reply: reply).lines }
    )

    private static let parameters: Command.Action.Parameters<WordsParameters> = { call in
        WordsParameters(session: call.session, words: call.words).with {
            $0.player = call.value("player")
            $0.details = call.value("darts").map { ["darts": $0] } ?? [:]
        }
    }

    static let reset = Command(
        usage: "reset",
        summary: "restart the game or the leg, after confirmation",
        details: "The question says what the game clears: a leg or a game. 'undo' brings it back.",
        options: [.yes],
        takesSession: true,
        action: .confirm(asking: .reset) { _, _ in
            [Line("Reset. To bring it back: scorectl undo")]
        }
    )
}

/// The confirmation of a move: the moves, including those of computers, notes, and the board if the
/// game has one.
struct PlayedMove {
    let reply: PlayReply

    var lines: [Line] {
        var lines = [line(reply.player, reply.move)]
        lines += reply.answers.map { line($0.player, $0.text ?? $0.value.description) }
        lines[lines.count - 1] += next
        lines += reply.notes.map { Line("  " + $0) }
        guard let board = reply.board else { return lines }
        let blocks = [lines, BoardPanel(board).lines, totals(board)]
        return Array(blocks.joined(separator: [Line()]))
    }

    private func line(_ player: String?, _ move: String) -> Line {
        // If the move is the name of the player, as for the winner of a point, it is shown once.
        Line(player.flatMap { $0 == move ? nil : $0 + ": " } ?? "", .strong) + Line(move)
    }

    private var next: Line {
        guard !reply.finished else { return Line(" – ") + Line(outcome, .good) }
        return reply.turn.map { Line(" – ") + Line($0, .strong) + Line(" to move") } ?? Line()
    }

    /// The winners and totals: `Ann has won (Ann 40, Bob 24)`.
    private var outcome: String {
        let totals = reply.totals.map { "\($0.player) \($0.total)" }.joined(separator: ", ")
        return (NameList.won(by: reply.winners) ?? "the game is over") + " (\(totals))"
    }

    private func totals(_ board: ShownBoard) -> [Line] {
        var table = Table(["", "", .right(reply.totalLabel)])
        for total in reply.totals {
            let piece = board.pieces.first { $0.player == total.player }
            let mark = piece?.mark.first.map { BoardPanel.glyph($0, board.pieces) }
            table.add([
                Line([mark, piece?.name].compactMap(\.self).joined(separator: " ")),
                Line(TextWidth.truncated(total.player, to: 24), .strong),
                Line("\(total.total)", .strong),
            ])
        }
        return table.lines.map { Line("  ") + $0 }
    }
}
