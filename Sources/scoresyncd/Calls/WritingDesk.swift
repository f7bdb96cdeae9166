import ScoreSheets
import SessionCRDT
import SyncProtocol

/// What is needed to turn typed words into scores of one session, as the next write will find it.
struct WritingDesk {
    let session: Session
    let board: Scoreboard
    let sheet: Sheet
    let game: any GameState
    let gameWords: GameWords

    /// What the rules read.
    var book: Book { board.book }

    /// The desk of a session.
    init(_ session: Session) throws(ControlError) {
        self.session = session
        board = session.nextBoard
        sheet = try board.playedSheet()
        game = board.game ?? sheet.rules.start(board.book)
        gameWords = game.words(in: board.book)
    }

    /// Splits words into the player that they begin with, else the player of this device, and the
    /// rest.
    func subject(
        of words: [String],
        isRest: (String) -> Bool
    ) throws(ControlError) -> (player: Player, rest: [String]) {
        if let first = words.first, !isRest(first) {
            let rest = Array(words.dropFirst())
            return (try subject(first, before: rest), rest)
        }
        guard let player = session.facts.me.flatMap(board.player)
        else {
            throw ControlError(
                .usage,
                "say whose score it is, or once who you are with: scorectl player me NAME",
                candidates: board.presentPlayers.map(\.name)
            )
        }
        return (player, words)
    }

    /// The player that a word names; a word that looks like a number is told to be neither, and a
    /// row how it is written.
    private func subject(_ word: String, before rest: [String]) throws(ControlError) -> Player {
        do throws(ControlError) {
            return try Naming.player(word, among: board.players)
        } catch {
            if error.kind == .notFound, let value = rest.first, !value.contains("="),
                (try? ScoreParser(sheet).row(RowReference(word))) != nil
            {
                throw ControlError(
                    .usage,
                    "“\(word)” is a row and no player; write: score \(word)=\(value)"
                )
            }
            guard word.drop(while: { "+-−".contains($0) }).first?.isNumber == true else {
                throw error
            }
            throw ControlError(
                .notFound,
                "“\(word)” is neither a whole number nor the name of a player",
                candidates: error.candidates
            )
        }
    }

    /// Refuses scores that begin with a player where a row belongs: `Ann=5`.
    func checkRows(of texts: [String]) throws(ControlError) {
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !isRow(String(parts[0])),
                let player = try? Naming.player(String(parts[0]), among: board.players)
            else { continue }
            throw ControlError(
                .usage,
                "\(player.name) is a player and no row; write: score \(parts[0]) \(parts[1])"
            )
        }
    }

    /// Refuses a `=` with spaces around it: `eggs = 3`.
    func checkSpaces(in words: [String]) throws(ControlError) {
        for (place, word) in words.enumerated() where word.contains("=") {
            let row = place == 0 ? nil : words[place - 1]
            let value = words.dropFirst(place + 1).first
            let joined: String? =
                switch (word.hasPrefix("="), word.hasSuffix("=")) {
                case (true, true): row.flatMap { row in value.map { "\(row)=\($0)" } }
                case (true, false): row.map { $0 + word }
                case (false, true): value.map { word + $0 }
                case (false, false): nil
                }
            guard let joined, joined.count(where: { $0 == "=" }) == 1 else { continue }
            throw ControlError(.usage, "leave no space around the =; write: \(joined)")
        }
    }

    /// Refuses a row or a second player that stand by themselves where `ROW=VALUE` belongs.
    func checkForm(of texts: [String], for player: Player) throws(ControlError) {
        for (place, word) in texts.enumerated() where !ScoreParser(sheet).isScore(word) {
            let next = texts.dropFirst(place + 1).first
            if isRow(word), let next, !next.contains("=") {
                let before = texts.prefix(place).map { $0 + " " }.joined()
                let advice = "write: score \(player.name) \(before)\(word)=\(next)"
                throw ControlError(.usage, advice)
            }
            if let other = try? Naming.player(word, among: board.players) {
                let rest = next ?? "ROW=VALUE"
                throw ControlError(
                    .usage,
                    "one player in each command; write: score \(other.name) \(rest)"
                )
            }
        }
    }

    private func isRow(_ word: String) -> Bool {
        guard let reference = try? RowReference(word) else { return true }
        return (try? ScoreParser(sheet).row(reference)) != nil
    }

    /// Whether a word names a row of the sheet and no player.
    func isPlace(_ word: String) -> Bool {
        let isPlayer = (try? Naming.player(word, among: board.players)) != nil
        return !isPlayer && isRow(word)
    }

    /// The scores that empty cells; a cell that nobody has written is named.
    func clearings(_ places: [String], of player: Player) throws(ControlError) -> [Score] {
        guard !board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        var scores: [Score] = []
        for place in places {
            let written = try cells(place, of: player).filter(board.book.isWritten)
            guard !written.isEmpty else {
                throw ControlError(.notFound, "\(player.name) has nothing in \(place)")
            }
            scores += written.map { Score($0, .null) }
        }
        return scores
    }

    /// The cells that a text names: of a round of several fields all of them.
    private func cells(_ text: String, of player: Player) throws(ControlError) -> [Cell] {
        let named = try cell(text, of: player)
        return sheet.rowAndFields(named.row).map { row in
            Cell(player: player.id, row: row, round: named.round)
        }
    }

    /// The cell that a text names.
    func cell(_ text: String, of player: Player) throws(ControlError) -> Cell {
        do throws(RuleViolation) {
            return try ScoreParser(sheet).cell(text, of: player.id)
        } catch { throw ControlError(error) }
    }

    /// The value that somebody chooses among those that a cell says.
    func choice(
        _ place: String,
        _ text: String,
        of player: Player
    ) throws(ControlError) -> Score {
        let cell = try cell(place, of: player)
        let values = board[cell]?.entries.map(\.value) ?? []
        guard board[cell]?.isConflicting == true else {
            throw ControlError(.notFound, "there is no conflict in \(place) of \(player.name)")
        }
        let names = values.map {
            gameWords.typed($0, among: values, in: cell)
                ?? Scalar(gameWords.told(Score(cell, $0))).description
        }
        guard
            let place = values.firstIndex(where: { Scalar($0).description == text })
                ?? names.firstIndex(of: text.lowercased())
        else {
            throw ControlError(
                .refused,
                "choose one of the values that were entered, or score a new one",
                candidates: names
            )
        }
        return Score(cell, values[place])
    }

    /// What people call a cell: `Visit 8`.
    func label(of cell: Cell) -> String {
        gameWords.label(of: cell, on: sheet)
    }

    /// How a score is reported in an answer about a player: what it says and what it replaces, and
    /// whose it is where it is somebody else's.
    func written(_ score: Score, of subject: PlayerID?) -> WrittenCell {
        let player = score.cell.player
        return WrittenCell(
            score,
            of: player == subject ? nil : book.player(player)?.name,
            replacing: board[score.cell],
            on: sheet,
            in: gameWords
        )
    }
}
