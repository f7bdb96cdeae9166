import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Parses typed words into scores of a session, using the board that the next write will change.
@EventLoop
final class ScoreInput {
    let session: Session
    let board: Scoreboard
    let sheet: Sheet
    let game: any Game
    let gameWords: GameWords

    var book: Book { board.book }
    private var parser: ScoreParser { ScoreParser(sheet, sides: game.sideBook) }

    init(_ session: Session) throws(ControlError) {
        self.session = session
        board = session.nextBoard
        sheet = try board.playedSheet()
        game = board.game ?? sheet.rules.game(of: board.book)
        gameWords = game.words(in: board.book)
    }

    /// Splits words into a player and the remaining words; without a name it is this device's
    /// player.
    func subject(
        of words: [String],
        isOther: (String) -> Bool
    ) throws(ControlError) -> (player: Player, others: [String]) {
        guard let first = words.first, !isOther(first) else {
            guard let player = session.facts.me.flatMap(board.player) else {
                throw ControlError(
                    .usage,
                    "Whose score?",
                    hint: "Name the player (scorectl score Ann 12), or say once who you are: "
                        + "scorectl player me NAME",
                    candidates: board.presentPlayers.map(\.name)
                )
            }
            return (player, words)
        }
        do throws(ControlError) {
            return (try Naming.player(first, among: board.players), Array(words.dropFirst()))
        } catch {
            guard error.kind == .notFound, row(first) != nil else { throw error }
            throw formError(words)
        }
    }

    /// Joins the parts of scores that have spaces around their equals sign.
    ///
    /// `birds = 5` is `birds=5`; a player before the sign stays a word of its own.
    func joinedAtEquals(_ words: [String]) -> [String] {
        var joined: [String] = []
        for word in words {
            guard let last = joined.last else {
                // The first word may be all of `Ann=5`, or `Ann=`.
                let name = String(word.prefix { $0 != "=" })
                let isOfPlayer = name != word && isPlayer(name)
                joined = isOfPlayer ? [name, String(word.dropFirst(name.count))] : [word]
                continue
            }
            let isBefore = last.hasSuffix("=") && !word.contains("=")
            let isAfter = word.hasPrefix("=") && !last.contains("=")
            if isBefore || isAfter && !(joined.count == 1 && isPlayer(last)) {
                joined[joined.count - 1] += word
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// Whether a word names a player rather than a row.
    private func isPlayer(_ word: String) -> Bool {
        row(word) == nil && (try? Naming.player(word, among: board.players)) != nil
    }

    /// Parses texts into scores of a player, and checks them by the rules.
    func scores(_ texts: [String], of player: Player) throws(ControlError) -> [Score] {
        do throws(RuleViolation) {
            let scores = try parser.scores(texts, for: player.id, in: book)
            try game.check(scores, in: book)
            return scores
        } catch {
            let isFormed = texts.allSatisfy { text in
                parser.isScore(text) && text.first != "=" && text.last != "="
            }
            throw isFormed ? ControlError(error) : formError(texts, of: player)
        }
    }

    /// Returns the error for words that are not scores of one player, with an example that uses the
    /// row and the value among them.
    private func formError(_ words: [String], of player: Player? = nil) -> ControlError {
        let parts = words.flatMap { $0.split(separator: "=").map(String.init) }
        let place = parts.first { row($0) != nil } ?? "ROW"
        let value = parts.first(where: ScoreParser.isScore) ?? "VALUE"
        let name = player.map { $0.name + " " } ?? ""
        return ControlError(
            .usage,
            "“\(words.joined(separator: " "))” does not have the form ROW=VALUE of one player's score",
            hint: "for example: scorectl score \(name)\(place)=\(value)"
        )
    }

    private func row(_ text: String) -> Row? {
        (try? RowReference(text)).flatMap { try? parser.row($0) }
    }

    /// Whether a word refers to a cell rather than a player; this includes rounds out of range.
    func isPlace(_ word: String) -> Bool {
        guard (try? Naming.player(word, among: board.players)) == nil else { return false }
        return (try? RowReference(word)) == nil || row(word) != nil
    }

    /// Returns the scores that clear cells, each of which must have a value.
    func clearings(_ places: [String], of player: Player) throws(ControlError) -> [Score] {
        guard !board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        var scores: [Score] = []
        for place in places {
            let named = try byRules(parser.cell(place, of: player.id))
            // A round of a row with fields means all of its fields.
            let written = sheet.rowAndFields(named.row)
                .map { Cell(player: player.id, row: $0, round: named.round) }
                .filter(book.isWritten)
            guard !written.isEmpty else {
                throw ControlError(.notFound, "\(player.name) has nothing in \(place)")
            }
            scores += written.map { Score($0, .null) }
        }
        return scores
    }

    /// Applies the rules of the game to a move.
    func play(_ move: Move, with context: MoveContext) throws(RuleViolation) -> Played {
        guard !board.header.isFinished else { throw .finished }
        var context = context
        return try game.play(move, in: book, with: &context)
    }

    /// Returns the score that resolves a conflict by choosing one of its values.
    func choice(
        _ place: String,
        _ text: String,
        of player: Player
    ) throws(ControlError) -> Score {
        let cell = try byRules(parser.cell(place, of: player.id))
        guard let live = board[cell], live.isConflicting else {
            throw ControlError(.notFound, "there is no conflict in \(place) of \(player.name)")
        }
        let values = live.entries.map(\.value)
        let names = values.map {
            gameWords.typed($0, among: values, in: cell)
                ?? Scalar(gameWords.visibleValue(of: Score(cell, $0))).description
        }
        guard
            let index = values.firstIndex(where: { Scalar($0).description == text })
                ?? names.firstIndex(of: text.lowercased())
        else {
            throw ControlError(
                .refused,
                "choose one of the values that were entered, or score a new one",
                candidates: names
            )
        }
        return Score(cell, values[index])
    }

    /// Returns the report on a score to be written; it names the player unless that is `subject`.
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

/// Calls code of the rules; a violation becomes an error of the call.
func byRules<Result>(
    _ result: @autoclosure () throws(RuleViolation) -> Result
) throws(ControlError) -> Result {
    do throws(RuleViolation) { return try result() } catch { throw ControlError(error) }
}

// MARK: Side effects

/// The changes that a command causes in entries that it does not write.
struct SideEffects {
    static let none = SideEffects(cells: [], notes: [])

    /// The cells that the notes name or count.
    let cells: Set<Cell>
    let notes: [String]
}

extension ScoreInput {
    /// Returns the side effects of mutations: entries that begin or cease to count or get other
    /// points, and finished legs or games with another winner.
    func sideEffects(of mutations: [Mutation]) -> SideEffects {
        let written = mutations.compactMap { mutation in
            if case .cell(let cell) = mutation.key { cell } else { nil }
        }
        // The usual score needs no second scoreboard.
        if mutations.count == 1, written.count == 1, game.isNextTurn(written[0]) { return .none }
        var after = board
        let change = session.simulate(mutations, on: &after)
        let touched = change.cells.subtracting(written)
        // Another winner changes the line of at least one player.
        guard !touched.isEmpty || !change.lines.isEmpty, let before = board.standings,
            !touched.isEmpty || !before.outcomes.isEmpty, let now = after.standings
        else { return .none }
        let (old, new) = (scored(touched, in: before), scored(touched, in: now))
        let changes = touched.sorted().compactMap { cell in
            words(from: old[cell], to: new[cell]).map { (cell: cell, words: $0) }
        }
        let texts = changes.map { cell, words in
            let player = book.player(cell.player)?.name ?? "a player"
            return "\(player), \(gameWords.label(of: cell, on: sheet)) \(words)"
        }
        let results = lostResults(from: before.outcomes, to: now.outcomes)
        return SideEffects(
            cells: Set(changes.map(\.cell)),
            notes: sentence("changes", texts, "another entry", "other entries")
                + sentence("takes back", results, "a result", "results")
        )
    }

    /// Returns a sentence that quotes up to three changes; empty if there are none.
    private func sentence(
        _ verb: String,
        _ changes: [String],
        _ one: String,
        _ several: String
    ) -> [String] {
        guard !changes.isEmpty else { return [] }
        let more = changes.count - 3
        let quoted = changes.prefix(3) + (more > 0 ? ["and \(more) more"] : [])
        let object = changes.count == 1 ? one : "\(changes.count) \(several)"
        return ["this \(verb) \(object): \(quoted.joined(separator: "; "))"]
    }

    /// Returns the finished legs or games that get another winner.
    private func lostResults(from old: [Outcome], to new: [Outcome]) -> [String] {
        let word = sheet.rules.partName ?? sheet.rules.outcomeName
        return old.enumerated().compactMap { index, outcome in
            let winners = outcome.players.filter(\.isWinner).map(\.name)
            let now = new.dropFirst(index).first?.players.filter(\.isWinner).map(\.name) ?? []
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
            return "now counts \(now) instead of \(before)"
        case (.some, .some), (nil, nil): return nil
        }
    }
}

extension Scoreboard {
    /// Returns notes about the entries of a device that do not count, because another device's
    /// entry is shown instead or because the rules do not allow them.
    ///
    /// Each of the `written` cells gets its own reason. Other cells are only counted, except those
    /// that notes on side effects mention.
    func losses(
        of device: DeviceID,
        written: [Cell],
        besides sideEffects: SideEffects,
        _ standings: Standings?
    ) -> [String] {
        let lost = conflicts.count { cell in
            guard let set = self[cell] else { return false }
            return set.losers.contains { $0.author == device && $0.value != set.winner.value }
        }
        let written = Set(written)
        var reasons: [String] = []
        var uncounted: Set<Cell> = []
        for flag in standings?.flags ?? [] {
            guard case .cell(let cell) = flag.subject else { continue }
            if written.contains(cell) {
                let gameWords = game?.words(in: book) ?? GameWords()
                reasons.append("does not count: \(flag.words(in: book, by: gameWords))")
            } else if self[cell]?.winner.author == device, !sideEffects.cells.contains(cell) {
                uncounted.insert(cell)
            }
        }
        func sentence(_ count: Int, _ reason: String) -> [String] {
            count == 0 ? [] : ["\(count) \(count == 1 ? "entry" : "entries") \(reason)"]
        }
        return reasons
            + sentence(lost, "of this laptop lost to another one (see the conflicts)")
            + sentence(uncounted.count, "of this laptop cannot count (see the score sheet)")
    }

    /// Returns the sheet by which the session is played; throws the reason if there is none.
    func playedSheet() throws(ControlError) -> Sheet {
        do throws(SheetError) { return try sheet.get() } catch {
            throw ControlError(error, of: header)
        }
    }

    func player(_ id: PlayerID) -> Player? { book.player(id) }

    /// The player to move; nil in games without turns and after the end.
    var turn: Player? { standings?.turn.flatMap(player) }

    /// The players who take part.
    var presentPlayers: [Player] { players.filter(\.isPresent) }

    /// Returns the name of a device as all devices show it.
    func name(of device: DeviceID, among names: DeviceNames) -> String {
        names[device] ?? devices[device] ?? device.placeholder
    }
}

extension ControlError {
    init(_ violation: RuleViolation) {
        let candidates = violation.candidates
        self.init(
            .refused,
            violation.message,
            hint: violation.hint,
            candidates: candidates.isEmpty ? nil : candidates
        )
    }

    /// Creates the error for a session that cannot be played here; its scores are kept
    /// nevertheless.
    init(_ error: SheetError, of header: SessionHeader) {
        /// The fields of a sheet that every version can read.
        struct SheetHead: Decodable {
            let id: String
            let name: String?
        }
        let title = header.title.isEmpty ? "this session" : "“\(header.title)”"
        switch error {
        case .noGame:
            self.init(
                .notFound,
                "the game of \(title) is not known here yet; it arrives with the first link"
            )
        case .unknownGame(let game, _), .ambiguousGame(let game, _):
            self.init(
                .notFound,
                "\(title) is a game of “\(game)”, which this laptop does not have; update "
                    + "ScoreSync here or add the game",
                hint: "to add it: scorectl games add FILE"
            )
        case .unreadable, .tooLong:
            let head = try? ControlJSON.decode(SheetHead.self, from: (header.sheet ?? "").utf8)
            guard let head, head.id == header.game?.description else {
                self.init(
                    .failed,
                    "the sheet that \(title) carries is broken: \(error); scores are still kept "
                        + "and synced",
                    hint: "to restore the previous sheet: scorectl session restore"
                )
                return
            }
            self.init(
                .versionMismatch,
                "\(title) was started with a newer ScoreSync; update this laptop. Scores are still "
                    + "kept and synced (\(head.name ?? head.id), \(error))"
            )
        }
    }
}
