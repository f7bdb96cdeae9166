import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Turns typed words into scores of a session, in the state that the next write will find.
@EventLoop
struct ScoreInput {
    let session: Session
    let board: Scoreboard
    let sheet: Sheet
    let game: any Game
    let gameWords: GameWords

    var book: Book { board.book }

    /// The input of a session.
    init(_ session: Session) throws(ControlError) {
        self.session = session
        board = session.nextBoard
        sheet = try board.playedSheet()
        game = board.game ?? sheet.rules.game(of: board.book)
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
                ?? Scalar(gameWords.visibleValue(of: Score(cell, $0))).description
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

    /// The label of a cell: `Visit 8`.
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

extension ScoreInput {
    private static let mostTold = 3

    /// The side effects of mutations: entries that no longer count, or
    /// count now, visits that come to something else, and legs that are won no more.
    func sideEffects(of mutations: [Mutation]) -> SideEffects {
        var after = board
        let written = mutations.compactMap { mutation in
            if case .cell(let cell) = mutation.key { cell } else { nil }
        }
        let change = session.suppose(mutations, on: &after)
        let touched = change.cells.subtracting(written)
        // What somebody won or not stands in the line of a player.
        guard !touched.isEmpty || !change.lines.isEmpty, let before = board.standings,
            !touched.isEmpty || !before.outcomes.isEmpty, let now = after.standings
        else { return .none }
        let (old, new) = (scored(touched, in: before), scored(touched, in: now))
        let changes = touched.sorted().compactMap { cell in
            words(from: old[cell], to: new[cell]).map { (cell: cell, words: $0) }
        }
        let texts = changes.map { "\(name(of: $0.cell)) \($0.words)" }
        let results = takenBack(from: before.outcomes, to: now.outcomes)
        return SideEffects(
            cells: Set(changes.map(\.cell)),
            notes: [
                sentence("changes", texts, "another entry", "other entries"),
                sentence("takes back", results, "a result", "results"),
            ]
            .compactMap(\.self)
        )
    }

    private func sentence(
        _ verb: String,
        _ told: [String],
        _ one: String,
        _ several: String
    ) -> String? {
        guard !told.isEmpty else { return nil }
        let more = told.count - ScoreInput.mostTold
        return "this \(verb) \(told.count == 1 ? one : "\(told.count) \(several)"): "
            + (told.prefix(ScoreInput.mostTold) + (more > 0 ? ["and \(more) more"] : []))
            .joined(separator: "; ")
    }

    /// The legs or games whose winner changes.
    private func takenBack(from old: [Outcome], to new: [Outcome]) -> [String] {
        let word = sheet.rules.partName ?? sheet.rules.outcomeName
        return old.enumerated().compactMap { place, outcome in
            let winners = outcome.players.filter(\.isWinner).map(\.name)
            let now = new.dropFirst(place).first?.players.filter(\.isWinner).map(\.name) ?? []
            guard !winners.isEmpty, winners != now else { return nil }
            return "\(word) \(outcome.number), which \(winners.joined(separator: ", ")) won"
                + (now.isEmpty ? "" : " and now \(now.joined(separator: ", "))")
        }
    }

    private func scored(_ cells: Set<Cell>, in standings: Standings) -> [Cell: ScoredCell] {
        let found = cells.compactMap { cell in
            standings[cell.player]?.cells.cell(of: cell.row, in: cell.round).map { (cell, $0) }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    private func words(from old: ScoredCell?, to new: ScoredCell?) -> String? {
        guard let old, let new else { return nil }
        switch (old.points, new.points) {
        case (.some, nil): return "does not count any more"
        case (nil, .some): return "counts now"
        case (.some(let before), .some(let now)) where before != now && new.count == nil:
            return "comes to \(now) and not \(before)"
        case (.some, .some), (nil, nil): return nil
        }
    }

    private func name(of cell: Cell) -> String {
        let player = book.player(cell.player)?.name ?? "somebody"
        return "\(player), \(label(of: cell))"
    }
}

/// The changes of a command in addition to what it writes.
struct SideEffects {
    /// The entries that are told, one by one or by their number.
    let cells: Set<Cell>
    let notes: [String]

    /// Nothing.
    static let none = SideEffects(cells: [], notes: [])
}

extension Scoreboard {
    /// What a device entered and what does not count, in sentences: somebody else's entry is shown
    /// in its place, or the rules do not allow it.
    ///
    /// Of the cells that the command wrote each is told with the reason, of the others their
    /// number, without those of which the answer says already that it changes them.
    func losses(
        of device: DeviceID,
        telling cells: [Cell],
        besides sideEffects: SideEffects,
        _ standings: Standings?
    ) -> [String] {
        let lost = conflicts.count { cell in
            guard let set = self[cell] else { return false }
            return set.losers.contains { $0.author == device && $0.value != set.winner.value }
        }
        let told = Set(cells)
        var reasons: [String] = []
        var vain: Set<Cell> = []
        for flag in standings?.flags ?? [] {
            guard case .cell(let cell) = flag.subject else { continue }
            if told.contains(cell) {
                let gameWords = game?.words(in: book) ?? GameWords()
                reasons.append("does not count: \(flag.words(in: book, by: gameWords))")
            } else if self[cell]?.winner.author == device, !sideEffects.cells.contains(cell) {
                vain.insert(cell)
            }
        }
        return reasons
            + [
                Scoreboard.sentence(
                    lost,
                    "of this laptop lost to another laptop's: scorectl conflicts"
                ),
                Scoreboard.sentence(vain.count, "of this laptop cannot count: scorectl show"),
            ].compactMap(\.self)
    }

    private static func sentence(_ count: Int, _ what: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? "entry" : "entries") \(what)"
    }
}

extension Scoreboard {
    /// The sheet that the session is played by, or in words why there is none.
    func playedSheet() throws(ControlError) -> Sheet {
        do throws(SheetError) { return try sheet.get() } catch {
            throw ControlError(error, of: header)
        }
    }

    /// The player with this id.
    func player(_ id: PlayerID) -> Player? { book.player(id) }

    /// The player to move; nil in games without turns and at the end.
    var turn: Player? { standings?.turn.flatMap(player) }

    /// Those who take part.
    var presentPlayers: [Player] { players.filter(\.isPresent) }

    /// The name of a device, the same on every device.
    func name(of device: DeviceID, among names: DeviceNames) -> String {
        names[device] ?? devices[device] ?? device.placeholder
    }
}

extension ControlError {
    /// The rules do not allow it.
    init(_ violation: RuleViolation) {
        let candidates = violation.candidates
        self.init(
            .refused,
            violation.message,
            hint: violation.hint,
            candidates: candidates.isEmpty ? nil : candidates
        )
    }

    /// A session cannot be played here, because of its sheet; its scores are kept all the same.
    init(_ error: SheetError, of header: SessionHeader) {
        let title = header.title.isEmpty ? "this session" : "“\(header.title)”"
        switch error {
        case .noGame:
            self.init(
                .notFound,
                "it is not known here yet which game \(title) is; it comes with the first link"
            )
        case .unknownGame(let game, _), .ambiguousGame(let game, _):
            self.init(
                .notFound,
                "\(title) is a game of “\(game)”, which this laptop does not have; update "
                    + "ScoreSync here, or add the game with: scorectl games add FILE"
            )
        case .unreadable, .tooLong:
            let sheet = SheetHead(header.sheet ?? "")
            guard let sheet, sheet.id == header.game?.description else {
                self.init(
                    .failed,
                    "the sheet that \(title) carries is broken: \(error); its scores are kept "
                        + "and synced all the same; to put back the sheet of before: "
                        + "scorectl session restore"
                )
                return
            }
            self.init(
                .versionMismatch,
                "\(title) was begun with a newer ScoreSync; update this laptop. Scores are "
                    + "kept and synced all the same (\(sheet.name ?? sheet.id), \(error))"
            )
        }
    }
}

/// The part of a sheet that every version has.
private struct SheetHead: Decodable {
    let id: String
    let name: String?

    /// The head of a sheet; nil of what is no sheet of any version.
    init?(_ json: String) {
        let head = try? ControlJSON.decode(SheetHead.self, from: json.utf8)
        guard let head else { return nil }
        self = head
    }
}
