import SessionCRDT

extension ReversiBoard {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
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
        let isToRecord = !record.isRecorded && rules.sheet.option(ReversiRecord.sides) != nil
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
    ) -> [Note] {
        let news = game.turns[start...].enumerated()
        let passes = news.filter(\.element.isPassed).map { offset, turn -> ReversiNote in
            let name = record.name(of: turn.side.other)
            let place = start + offset + 1
            return place == game.turns.count
                ? .passes(name, next: nil) : .passed(name, afterMove: place)
        }
        return (passes + (game.isOver ? [record.ending(of: game)] : [])).map(Note.reversi)
    }
}
