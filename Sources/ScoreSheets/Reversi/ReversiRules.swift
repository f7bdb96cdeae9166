package import SessionCRDT

/// The rules of Reversi as Othello is played: a fixed start, black moves first, and only a side
/// without a move is passed over.
///
/// Turn n is the n-th disc that was put, in the cell of whoever put it; the value is the square.
/// The first move records who plays black and who white.
package struct ReversiRules: GameRules, Hashable {
    package let sheet: Sheet
    package let hasComputer = true

    /// The rules of this sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// Refuses one that would only watch, because a move has settled who plays.
    package func checkComputer(in book: Book) throws(RuleViolation) {
        let record = ReversiRecord(book, by: sheet)
        guard !record.isRecorded else {
            throw ReversiRule.sidesFixed(players: record.whoPlays).violation
        }
    }

    /// None: the first move records who plays.
    package func isChoice(_ option: Symbol) -> Bool {
        option != ReversiRecord.sides && sheet.option(option) != nil
    }

    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != ReversiRecord.sides else { throw ReversiRule.recorded.violation }
    }

    /// Refuses what does not count at its turn, judged by the moves before it.
    ///
    /// An earlier move can be corrected: those that follow are judged again when they are read.
    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        guard score.value != .null else { return try checkForm(score, in: book) }
        try checkForm(score, in: book)
        let round = Int(score.cell.round ?? 0)
        let record = ReversiRecord(book, by: sheet, turns: min(round, 61) - 1)
        if let crowd = record.crowd { throw crowd }
        if let violation = record.violation(of: score.value, in: score.cell) { throw violation }
    }

    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        let record = ReversiRecord(book, by: sheet)
        if let count = record.missing ?? record.crowd { throw count }
        if let absent = record.absent { throw .removedPlayer(name: absent.name) }
        do {
            return try play(move, in: book, after: record)
        } catch {
            throw error.violation
        }
    }

    private func play(
        _ move: Move,
        in book: Book,
        after record: ReversiRecord
    ) throws(ReversiRule) -> Played {
        if let detail = move.details.keys.sorted().first { throw .unknownDetail(detail) }
        let transcript = try ReversiTranscript(move.words)
        var game = record.game
        if game.isOver { throw .over }
        if let player = move.player, player != record.turn?.id {
            guard record.side(of: player) != nil else {
                let name = book.player(player)?.name ?? "player \(player)"
                throw .noSeat(name, players: record.whoPlays)
            }
            throw .turn(of: record.name(of: game.side))
        }
        let first = record.turn
        var writes: [Score] = []
        for square in transcript.squares {
            let number = game.turns.count + 1
            let mover = record.player(of: game.side)
            do {
                try game.play(square)
            } catch {
                throw transcript.squares.count == 1 ? error : .inTranscript(number, error)
            }
            guard let mover, let round = UInt32(exactly: number) else { continue }
            let cell = Cell(player: mover.id, row: ReversiRecord.row, round: round)
            writes.append(Score(cell, .text(square.description)))
        }
        let notes = notes(on: game, from: record.game.turns.count, record)
        let isToRecord = !record.isRecorded && sheet.option(ReversiRecord.sides) != nil
        return Played(
            by: first?.id,
            writes: writes,
            options: isToRecord
                ? [ReversiRecord.sides: ReversiRecord.record(record.seats)] : [:],
            notes: notes
        )
    }

    /// What is told about moves: who was passed over, and how it ended.
    private func notes(
        on game: ReversiGame,
        from start: Int,
        _ record: ReversiRecord
    ) -> [String] {
        let news = game.turns[start...].enumerated()
        let passes = news.filter(\.element.isPassed).map { offset, turn in
            let name = record.name(of: turn.side.other)
            let place = start + offset + 1
            return place == game.turns.count
                ? "\(name) must pass" : "\(name) had to pass after move \(place)"
        }
        return passes + (game.isOver ? [record.ending(of: game)] : [])
    }

    package func suggestion(in book: Book, depth: Int) -> Move? {
        let record = ReversiRecord(book, by: sheet)
        guard let player = record.turn, record.crowd == nil else { return nil }
        var search = ReversiSearch(depth: depth)
        return search.move(in: record.game.position)
            .map { Move([$0.description], by: player.id) }
    }

    package func standings(of book: Book) -> Standings {
        ReversiRecord(book, by: sheet).standings
    }

    /// The general ones, and how somebody fares with either colour.
    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func wins(as side: ReversiSide) -> String {
            let games = outcomes.filter { $0.tally[side.symbol] == 1 }
            return "\(games.count { $0.isWinner && $0.tally[ReversiRecord.drawn] != 1 })"
                + " of \(games.count)"
        }
        let draws = outcomes.count { $0.tally[ReversiRecord.drawn] == 1 }
        return Statistic.general(of: outcomes) + [
            Statistic(Symbol(known: "draws"), "Draws", "\(draws)"),
            Statistic(Symbol(known: "black"), "Wins as black", wins(as: .black)),
            Statistic(Symbol(known: "white"), "Wins as white", wins(as: .white)),
        ]
    }
}
