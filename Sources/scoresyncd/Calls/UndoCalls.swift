import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Taking back what this device wrote, command by command.
///
/// A command is one commit: cells, perhaps of several players. Options that a move recorded with
/// them are facts that later moves rest on, so they are taken back only when nothing else is
/// entered; so is a command that only chose something. What a computer has answered since goes with
/// the move that it answered, else it would only answer again, or stand there as an answer to
/// nothing.
struct UndoCalls {
    let sessions: SessionCatalog
    let writer: SessionWriter
    let computers: ComputerPlayers
    let disk: Disk
    let device: DeviceID

    func register(on router: inout ControlRouter) {
        router.answerLater(UndoRequest.self, with: undo)
    }

    /// Takes back the last command of this device that was not undone yet.
    private func undo(
        _ request: UndoRequest,
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        let board = session.board
        let own = board.players.map(\.id).filter { computers.own($0, in: session) != nil }
        var rivals: [PlayerID: DeviceID] = [:]
        for player in board.players {
            if let computer = player.computer, computer.device != device {
                rivals[player.id] = computer.device
            }
        }
        let search = UndoSearch(
            session: session.id,
            author: device,
            undone: session.facts.undone,
            computers: Set(own),
            rivals: rivals,
            removed: Set(board.players.filter { !$0.isPresent }.map(\.id)),
            settings: Set((try? board.sheet.get())?.options.map(\.name) ?? [])
        )
        disk.ask { store throws(StoreError) in
            try search.commands(in: store)
        } then: { result in
            do throws(ControlError) {
                try undo(try result.get(), in: session, then: answer)
            } catch { answer(.failure(error)) }
        }
    }

    /// Takes back commands, the last of which is the one that somebody entered.
    private func undo(
        _ found: UndoSearch.Found,
        in session: Session,
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        let desk = try WritingDesk(session)
        let commands = found.commands
        guard let command = commands.last else {
            throw ControlError(.notFound, "nothing that this laptop wrote is left to undo")
        }
        guard !desk.board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        guard let subject = command.compactMap(\.cell).first else {
            return try undoChoice(command, found, at: desk, then: answer)
        }
        let isOfTable = command.allSatisfy { line in
            line.cell.map { desk.words.isOfTable(Score($0, line.entry.value)) } ?? true
        }
        var mutations: [Mutation] = []
        var (places, cells): ([Cell], [WrittenCell]) = ([], [])
        for line in commands.reversed().joined() {
            if let cell = line.cell {
                let score = Score(cell, try desk.valueBefore(line, in: cell, by: device))
                mutations.append(Mutation(line.key, score.value))
                places.append(cell)
                let owner = isOfTable ? cell.player : subject.player
                cells.append(desk.written(score, of: owner))
            }
        }
        for cell in desk.shown(of: found.answers) {
            mutations.append(Mutation(.cell(cell), .null))
            places.append(cell)
            cells.append(desk.written(Score(cell, .null), of: subject.player))
        }
        if desk.isBlank(after: mutations) {
            let options = command.filter { $0.isOption && isShown($0, in: session) }
            mutations += options.map { Mutation($0.key, $0.replaced.first?.value ?? .null) }
        }
        let written = WrittenScores(
            player: subject.player,
            places: places,
            cells: cells,
            wasOver: session.board.isOver,
            consequences: desk.consequences(of: mutations)
        )
        writer.write(mutations, to: session) { result in
            if case .success = result { noteUndone(found, .cell(subject), in: session) }
            answer(
                result.map {
                    var reply = reply(written, on: session.board)
                    // A move of the whole table is nobody's.
                    if isOfTable { reply.player = "" }
                    return reply
                }
            )
        }
    }

    /// Takes back a command that only chose something.
    private func undoChoice(
        _ command: [JournalLine],
        _ found: UndoSearch.Found,
        at desk: WritingDesk,
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        let session = desk.session
        guard desk.board.isBlank else {
            throw ControlError(
                .refused,
                "the last command of this laptop chose what is played with, and something was "
                    + "entered since; nothing was undone"
            )
        }
        guard command.allSatisfy({ isShown($0, in: session) }), let key = command.first?.key else {
            throw ControlError(
                .refused,
                "what this laptop chose was changed since by somebody; nothing was undone"
            )
        }
        let mutations = command.map { Mutation($0.key, $0.replaced.first?.value ?? .null) }
        writer.write(mutations, to: session) { result in
            if case .success = result { noteUndone(found, key, in: session) }
            let note = "what this laptop chose last is as it was before"
            answer(result.map { WrittenReply(player: "", cells: [], notes: [note]) })
        }
    }

    /// Whether a key still says what a line of the journal wrote.
    private func isShown(_ line: JournalLine, in session: Session) -> Bool {
        session.head(line.key)?.winner.dot == line.entry.dot
    }

    /// What was put back, and who is to move again.
    private func reply(_ written: WrittenScores, on board: Scoreboard) -> WrittenReply {
        var reply = written.reply(on: board, by: device)
        if let turn = board.standings?.turn.flatMap(board.player) {
            reply.notes.append("\(turn.name) is to move")
        }
        return reply
    }

    /// Remembers that commands were undone, and which one undid them.
    private func noteUndone(_ found: UndoSearch.Found, _ key: Key, in session: Session) {
        guard let undoing = session.committed(key)?.winner.dot else { return }
        session.noteUndone(found.walked + [UndoneCommands.Stretch(undoing)])
    }
}

extension JournalLine {
    /// The cell that it is about; nil for anything else.
    fileprivate var cell: Cell? {
        guard case .cell(let cell) = key else { return nil }
        return cell
    }

    /// Whether it is about an option of the game.
    fileprivate var isOption: Bool {
        guard case .session(let field) = key else { return false }
        return Field.optionName(of: field) != nil
    }
}

extension WritingDesk {
    /// The cells that still show what lines of the journal wrote, unless that was nothing.
    fileprivate func shown(of lines: [JournalLine]) -> [Cell] {
        lines.compactMap { line in
            let isShown = session.head(line.key)?.winner.dot == line.entry.dot
            return isShown && line.entry.value != .null ? line.cell : nil
        }
    }

    /// Whether nothing is entered any more once these mutations are written.
    fileprivate func isBlank(after mutations: [Mutation]) -> Bool {
        session.supposing(mutations, on: board).isBlank
    }

    /// What a cell said before a line of the journal, or what others say in it beside the line.
    ///
    /// Refused when the cell no longer shows what the line wrote: then it is not this device's
    /// command that would be taken back. What was put there once is not checked again: it may not
    /// be this player's turn any more, and the standings tell what does not count.
    fileprivate func valueBefore(
        _ line: JournalLine,
        in cell: Cell,
        by device: DeviceID
    ) throws(ControlError) -> Value {
        let player = board.player(cell.player)
        if let player, !player.isPresent, line.entry.value != .null {
            throw ControlError(RuleViolation.removedPlayer(name: player.name))
        }
        let live = board[cell]
        let isShown = live?.winner.value == line.entry.value && live?.winner.author == device
        guard let live, isShown else {
            let wrote = written(Score(cell, line.entry.value), of: cell.player)
            let changer = live.map { board.name(of: $0.winner.author) } ?? "somebody"
            let value = wrote.text ?? wrote.value.description
            throw ControlError(
                .refused,
                "the last score of this laptop (\(player?.name ?? "a player"): \(wrote.label) = "
                    + "\(value)) was changed since by \(changer); nothing was undone"
            )
        }
        // Somebody else's value beside it must not go with it.
        return live.losers.first?.value ?? line.replaced.first?.value ?? .null
    }
}
