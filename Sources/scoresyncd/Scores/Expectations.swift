import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Compares the state that a caller saw with the one that its write would change.
///
/// Nothing else protects a value that another device wrote meanwhile: a write replaces everything
/// that its writer's laptop has, not what the person at a phone has seen. The comparison is made
/// on the board that the write will change, in the same turn of the event loop.
@EventLoop
struct ExpectationCheck {
    let expected: Expectation
    let player: Player
    let input: ScoreInput
    /// The commits of the caller's submissions that it had not seen the effect of.
    private let own: Set<CommitID>
    /// Whether one of them is an undo, which reopens a turn.
    private let hasUndone: Bool

    init?(_ expected: Expectation?, of player: Player, at input: ScoreInput) {
        guard let expected else { return nil }
        (self.expected, self.player, self.input) = (expected, player, input)
        let marks = (expected.after ?? []).compactMap { id in
            Field.phone(id.text).flatMap { input.session.head(.player(player.id, $0)) }
        }
        own = Set(marks.map { CommitID($0.winner) })
        hasUndone = marks.contains { $0.winner.value == .boolean(false) }
    }

    // MARK: Cells

    /// Returns an expected cell that has changed, and the score for it; nil if it has not, or has
    /// the score's value.
    private func change(
        of place: ExpectedCell,
        by scores: [Score]
    ) throws(ControlError) -> (Cell, Score?)? {
        let cell = try cell(of: place)
        guard !isOwn(cell), revision(of: cell) != place.revision else { return nil }
        let score = scores.first { $0.cell == cell }
        // Whoever wrote the same value has settled it.
        if let score, input.board[cell]?.allSatisfy({ $0.value == score.value }) == true {
            return nil
        }
        return (cell, score)
    }

    /// Returns the cells of `scores` that have changed and shall have both values.
    ///
    /// Throws if another expected cell has changed, if only one value can be kept, or if a cell of
    /// `scores` shows another value than expected.
    @discardableResult
    func check(_ scores: [Score]) throws(ControlError) -> Set<Cell> {
        var besides: Set<Cell> = []
        for place in expected.cells ?? [] {
            guard let (cell, score) = try change(of: place, by: scores) else { continue }
            guard expected.keepsBoth == true, let score, canStandBeside(score, in: cell) else {
                throw conflict(in: cell, typed: score)
            }
            besides.insert(cell)
        }
        guard let value = expected.value else { return besides }
        if let score = scores.first(where: { !shows(value, $0.cell) }) {
            throw conflict(in: score.cell, typed: score, insteadOf: value)
        }
        return besides
    }

    private func cell(of place: ExpectedCell) throws(ControlError) -> Cell {
        let round = place.round.map { UInt32(exactly: $0) ?? 0 }
        guard let row = Symbol(place.row), round.map({ (1...Cell.lastRound) ~= $0 }) ?? true else {
            throw ControlError(.usage, "“\(place.row)” is not a row, or its round is out of range")
        }
        return Cell(player: player.id, row: row, round: round)
    }

    private func revision(of cell: Cell) -> String? {
        input.book.isWritten(cell) ? input.board[cell]?.revision(of: cell) : nil
    }

    /// Whether a cell has only what the caller itself has written.
    private func isOwn(_ cell: Cell) -> Bool {
        guard !own.isEmpty, let live = input.board[cell] else { return false }
        return live.allSatisfy { own.contains(CommitID($0)) }
    }

    /// Whether a cell shows a value, given as it is shown or as it is typed.
    private func shows(_ text: String, _ cell: Cell) -> Bool {
        guard input.book.isWritten(cell), let value = input.board[cell]?.winner.value else {
            return text == "-"
        }
        let score = Score(cell, value)
        let shown = [
            input.gameWords.value(score)?.shown,
            Scalar(input.gameWords.visibleValue(of: score)).description,
        ]
        if shown.contains(text) { return true }
        // A sum can be given by its result, and a number in any spelling.
        guard let row = input.sheet.row(cell.row, in: input.book),
            let typed = try? row.value(of: text)
        else {
            return false
        }
        return typed == value || (row.isNumeric && row.count(of: typed) == row.count(of: value))
    }

    // MARK: Turns

    /// Returns what a move would have written at its turn, if that has been played by now and shall
    /// have both values.
    ///
    /// Nil if the turn is still to be played. Throws if only one value can be kept. Only the player's own turns matter, unless anyone may enter anyone's move: a player may type
    /// before it is their turn.
    func alternative(
        of move: Move,
        with context: MoveContext
    ) throws(ControlError) -> Score? {
        guard let first = expected.turn else { return nil }
        let end = input.game.nextTurn ?? .max
        let isOfAnyone = input.sheet.rules.acceptsMovesFromAnyone
        let players = isOfAnyone ? input.board.players.map(\.id) : [player.id]
        let played = players.flatMap { player in
            input.book.cells(of: player).compactMap { bookCell -> (turn: Int, cell: Cell)? in
                guard !bookCell.isEmpty, let turn = input.game.turn(of: bookCell.cell),
                    turn >= first, turn < end, !isOwn(bookCell.cell)
                else { return nil }
                return (turn, bookCell.cell)
            }
        }
        guard let (turn, cell) = played.min(by: { $0.turn < $1.turn }) else { return nil }
        let score = score(of: move, at: turn, with: context)
        if expected.keepsBoth == true, let score, canStandBeside(score, in: cell) { return score }
        throw conflict(in: cell, typed: score, ofTurn: true)
    }

    /// Throws if the turn that a move was typed for is not reached any more, because turns before
    /// it were taken back.
    func check(_ played: Played) throws(ControlError) {
        guard let first = expected.turn, !hasUndone, let score = played.writes.first,
            let turn = input.game.turn(of: score.cell), turn < first
        else { return }
        throw conflict(in: score.cell, typed: score, ofTurn: true)
    }

    /// Returns what a move would have written at a turn; nil if it was not allowed there.
    private func score(of move: Move, at turn: Int, with context: MoveContext) -> Score? {
        let later = input.board.players.lazy.flatMap { input.book.cells(of: $0.id) }.filter {
            !$0.isEmpty && (input.game.turn(of: $0.cell) ?? 0) >= turn
        }
        let cleared = later.map { Mutation(.cell($0.cell), .null) }
        let before = input.session.simulating(Array(cleared), on: input.board)
        var context = context
        let played = try? before.game?.play(move, in: before.book, with: &context)
        return played?.writes.first { input.game.turn(of: $0.cell) == turn }
    }

    // MARK: Both values

    /// Whether a value can be written beside the present ones of a cell and be chosen later.
    private func canStandBeside(_ score: Score, in cell: Cell) -> Bool {
        words(writing: score, in: cell) != nil && input.board[cell] != nil
    }

    /// Returns a remark on each score that is written beside another value.
    func remarks(on besides: [Score]) -> [String] {
        besides.map { score in
            let name = input.board.player(score.cell.player)?.name ?? ""
            let label = input.gameWords.label(of: score.cell, on: input.sheet)
            let typed = input.gameWords.value(score)?.shown ?? Scalar(score.value).description
            return "\(label) of \(name) has changed meanwhile: choose between it and \(typed)"
        }
    }

    // MARK: The error

    private func conflict(
        in cell: Cell,
        typed: Score?,
        insteadOf value: String? = nil,
        ofTurn isOfTurn: Bool = false
    ) -> ControlError {
        let (board, gameWords) = (input.board, input.gameWords)
        let live = board[cell]
        let score = Score(cell, live.map(\.winner.value) ?? .null)
        let name = board.player(cell.player)?.name ?? ""
        var conflict = WriteConflict(
            player: name,
            row: cell.row.description,
            round: cell.round.map(Int.init),
            label: gameWords.label(of: cell, on: input.sheet),
            value: Scalar(gameWords.visibleValue(of: score))
        )
        conflict.text = gameWords.value(score)?.shown
        if let winner = live?.winner {
            conflict.by = board.name(of: winner.author, among: input.session.deviceNames)
            conflict.at = Timestamp(milliseconds: winner.stamp.milliseconds)
        }
        conflict.revision = revision(of: cell)
        if let typed, typed.value != .null {
            conflict.typed = Scalar(gameWords.visibleValue(of: typed))
            conflict.typedText = gameWords.value(typed)?.shown
            conflict.words = words(writing: typed, in: cell)
        }
        conflict.turn = isOfTurn ? input.game.nextTurn : nil
        let now = conflict.text ?? conflict.value.description
        let shown = score.value == .null ? "empty" : now
        let by = conflict.by.map { " (\($0))" } ?? ""
        let expected = value.map { $0 == "-" ? ", not empty" : ", not \($0)" } ?? " now"
        return ControlError(
            .refused,
            "\(conflict.label) of \(name) is \(shown)\(by)\(expected): nothing was written"
        ).with { $0.conflict = conflict }
    }

    /// Returns the words with which `score` writes a value into a cell of the player; nil if the
    /// rules do not allow that, or if it is there already.
    private func words(writing score: Score, in cell: Cell) -> [String]? {
        guard score.cell == cell, cell.player == player.id,
            score.value != input.board[cell]?.winner.value
        else { return nil }
        let place = cell.round.map { "\(cell.row).\($0)" } ?? "\(cell.row)"
        let words = ["\(place)=\(Scalar(score.value))"]
        return (try? input.scores(words, of: player)) == [score] ? words : nil
    }
}

extension LiveSet {
    /// Returns the text by which clients tell one content of a cell from another.
    func revision(of cell: Cell) -> String {
        String(digest(under: .cell(cell)).description.prefix(16))
    }
}
