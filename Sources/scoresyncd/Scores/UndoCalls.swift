import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The call that undoes what this device wrote, one command at a time.
///
/// A command is one commit: cells, possibly of several players. Options recorded with a move are
/// facts that later moves depend on, so they are undone only if nothing else has been entered
/// since; the same holds for a command that only chose options. Moves with which a computer has
/// answered since are undone together with the move that they answered: otherwise the computer
/// would only answer again, or its answer would remain without that move.
@EventLoop
struct UndoCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.undo) { request async throws(ControlError) in
            try await undo(in: try sessions.session(request.session))
        }
    }

    /// Undoes the last command of this device, or of a phone, that is not undone yet.
    func undo(
        in session: Session,
        from phone: PhoneSubmission? = nil
    ) async throws(ControlError) -> WrittenReply {
        let search = search(session, phone?.player)
        let found = try await storage.run { store throws(StoreError) in
            try search.commands(in: store)
        }
        // The same undo may be on its way to disk.
        if let phone, session.head(phone.mark.key) != nil { throw PhoneSubmission.isBeingSaved }
        let author = phone == nil ? "this laptop" : "this phone"
        let input = try ScoreInput(session)
        guard let command = found.commands.last else {
            throw ControlError(.notFound, "nothing that \(author) wrote is left to undo")
        }
        guard !input.board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        let isChoice = command.allSatisfy { $0.cell == nil }
        if isChoice {
            try input.checkUndo(ofChoice: command)
        } else if phone != nil {
            try input.checkLeavesNoHole(found)
        }
        let undone = isChoice ? [] : try input.scores(before: found, by: device.id, author)
        var mutations = undone.map { Mutation(.cell($0.cell), $0.value) }
        if isChoice || session.simulating(mutations, on: input.board).isBlank {
            mutations += command.filter { $0.isOption && session.shows($0) }.map {
                Mutation($0.key, $0.replaced.first?.value ?? .null)
            }
        }
        let sideEffects = input.sideEffects(of: mutations)
        mutations += phone.map { [$0.mark] } ?? []
        var reply: WrittenReply
        if let player = undone.first?.cell.player {
            let write = ScoreWrite(
                undone,
                by: mutations,
                of: player,
                isOfTable: command.allSatisfy { line in
                    line.cell.map { input.gameWords.isOfTable(Score($0, line.entry.value)) } ?? true
                },
                at: input,
                sideEffects
            )
            reply = try await ScoreCalls(daemon: daemon).write(write)
            if let turn = session.turn { reply.notes.append("\(turn.name) is to move") }
        } else {
            try await writer.write(mutations, to: session)
            let note = "what this laptop chose last is as it was before"
            reply = WrittenReply(player: "", cells: [], notes: [note])
        }
        recordUndone(found, mutations, in: session)
        return reply
    }

    private func search(_ session: Session, _ phone: PlayerID?) -> UndoSearch {
        let board = session.board
        let players = board.players
        let computerDevices = players.compactMap { player in
            player.computer.map { (player.id, $0.device) }
        }
        .filter { $0.1 != device.id }
        return UndoSearch(
            session: session.id,
            author: device.id,
            undone: session.facts.undone,
            board: board,
            computers: Set(
                players.map(\.id).filter { computers.own($0, in: session) != nil }
            ),
            computerDevices: Dictionary(computerDevices) { first, _ in first },
            removed: Set(players.filter { !$0.isPresent }.map(\.id)),
            settings: Set((try? board.sheet.get())?.options.map(\.name) ?? []),
            phone: phone
        )
    }

    /// Records the undone commands, and all writes of the command that undid them, so that together
    /// with the command just before they form one range.
    private func recordUndone(
        _ found: UndoSearch.Found,
        _ mutations: [Mutation],
        in session: Session
    ) {
        let written = mutations.compactMap { session.committed($0.key)?.winner }
        // A phone's mark comes last: others may write one of the cells meanwhile, but never the
        // mark.
        guard let last = written.last(where: { $0.author == device.id }) else { return }
        let undoing = written.filter { $0.dot.actor == last.dot.actor && $0.stamp == last.stamp }
        session.recordUndone(found.skipped + undoing.map { UndoneCommands.SequenceRange($0.dot) })
    }
}

extension JournalLine {
    fileprivate var cell: Cell? {
        guard case .cell(let cell) = key else { return nil }
        return cell
    }

    /// Whether the line wrote an option of the game.
    fileprivate var isOption: Bool {
        guard case .session(let field) = key else { return false }
        return Field.optionName(of: field) != nil
    }
}

extension Session {
    /// Whether a key still has the value that a journal line wrote.
    fileprivate func shows(_ line: JournalLine) -> Bool {
        head(line.key)?.winner.dot == line.entry.dot
    }
}

extension ScoreInput {
    /// Throws if the game depends on the choice, or if the choice was changed since.
    fileprivate func checkUndo(ofChoice command: [JournalLine]) throws(ControlError) {
        guard board.isBlank else {
            throw ControlError(
                .refused,
                "nothing was undone: the last command of this laptop chose options of the game, "
                    + "and something has been entered since"
            )
        }
        guard command.allSatisfy(session.shows) else {
            throw ControlError(
                .refused,
                "nothing was undone: this laptop's choice has since been changed by another laptop"
            )
        }
    }

    /// Throws if undoing would leave a gap in a game whose moves depend on earlier ones, because a
    /// person has entered something since, on any laptop.
    fileprivate func checkLeavesNoHole(_ found: UndoSearch.Found) throws(ControlError) {
        guard sheet.hasMoves else { return }
        let stamp = found.commands.last?.last?.entry.stamp
        let isOvertaken = board.players.filter { $0.computer == nil }.contains { player in
            book.cells(of: player.id).contains { cell in
                guard let stamp, !cell.isEmpty else { return false }
                return cell.live.winner.stamp > stamp
            }
        }
        guard !found.isOlder, !isOvertaken else {
            throw ControlError(
                .refused,
                "nothing was undone: another player has moved since this phone did"
            )
        }
    }

    /// Returns the scores that undo commands, the earliest first, and clear those answers of
    /// computers that are still shown.
    fileprivate func scores(
        before found: UndoSearch.Found,
        by device: DeviceID,
        _ author: String
    ) throws(ControlError) -> [Score] {
        var scores: [Score] = []
        for line in found.commands.reversed().joined() {
            guard let cell = line.cell else { continue }
            scores.append(Score(cell, try valueBefore(line, in: cell, by: device, author)))
        }
        return scores
            + found.answers.compactMap { line in
                guard session.shows(line), line.entry.value != .null else { return nil }
                return line.cell.map { Score($0, .null) }
            }
    }

    /// Returns the value of a cell before a journal line, or a concurrent value.
    ///
    /// Throws if the cell no longer shows the value that the line wrote, because undoing would then
    /// change another write. The returned value is not checked by the rules: it may not be this
    /// player's turn any more, and the standings report entries that do not count.
    private func valueBefore(
        _ line: JournalLine,
        in cell: Cell,
        by device: DeviceID,
        _ author: String
    ) throws(ControlError) -> Value {
        let player = board.player(cell.player)
        if let player, !player.isPresent, line.entry.value != .null {
            throw ControlError(RuleViolation.removedPlayer(name: player.name))
        }
        let live = board[cell]
        func score() -> String {
            let wrote = written(Score(cell, line.entry.value), of: cell.player)
            return "\(player?.name ?? "a player"): \(wrote.label) = "
                + "\(wrote.text ?? wrote.value.description)"
        }
        if let live, live.losers.count > 1, live.contains(where: { $0.dot == line.entry.dot }) {
            // One write would replace all of them.
            throw ControlError(
                .refused,
                "nothing was undone: several other values stand beside the last score of \(author) "
                    + "(\(score())); choose one of them",
                hint: "to see them: scorectl conflicts"
            )
        }
        // A value that stands beside the shown one goes, which settles the conflict.
        if let live, live.losers.contains(where: { $0.dot == line.entry.dot }) {
            return live.winner.value
        }
        let isShown = live?.winner.value == line.entry.value && live?.winner.author == device
        guard let live, isShown else {
            let changer = live.map { board.name(of: $0.winner.author, among: session.deviceNames) }
            throw ControlError(
                .refused,
                "nothing was undone: the last score of \(author) (\(score())) has since been changed "
                    + "by \(changer ?? "another laptop")"
            )
        }
        // Keeps a concurrent value of another device.
        return live.losers.first?.value ?? line.replaced.first?.value ?? .null
    }
}
