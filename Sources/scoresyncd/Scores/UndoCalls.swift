import ControlSocket
import Descriptors
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
@EventLoop
struct UndoCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.undo) { request async throws(ControlError) in
            try await undo(.ofLaptop, in: try sessions.session(request.session))
        }
    }

    /// Takes back the last command that was not undone yet: of this device, or of a phone.
    func undo(
        _ wish: UndoScope,
        in session: Session
    ) async throws(ControlError) -> WrittenReply {
        let board = session.board
        let own = board.players.map(\.id).filter { computers.own($0, in: session) != nil }
        var rivals: [PlayerID: DeviceID] = [:]
        for player in board.players {
            if let computer = player.computer, computer.device != device.id {
                rivals[player.id] = computer.device
            }
        }
        let search = UndoSearch(
            session: session.id,
            author: device.id,
            undone: session.facts.undone,
            computers: Set(own),
            rivals: rivals,
            removed: Set(board.players.filter { !$0.isPresent }.map(\.id)),
            settings: Set((try? board.sheet.get())?.options.map(\.name) ?? []),
            phone: wish.player
        )
        let found = try await storage.run { store throws(StoreError) in
            try search.commands(in: store)
        }
        return try await undo(wish, found, in: session)
    }

    /// Takes back commands, the last of which is the one that somebody entered.
    private func undo(
        _ wish: UndoScope,
        _ found: UndoSearch.Found,
        in session: Session
    ) async throws(ControlError) -> WrittenReply {
        try wish.checkIsNew(in: session)
        let input = try ScoreInput(session)
        let commands = found.commands
        guard let command = commands.last else {
            throw ControlError(.notFound, "nothing that \(wish.author) wrote is left to undo")
        }
        guard !input.board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        guard let subject = command.compactMap(\.cell).first else {
            return try await undoChoice(command, wish, found, at: input)
        }
        if wish.player != nil { try input.checkLeavesNoHole(found) }
        let isOfTable = command.allSatisfy { line in
            line.cell.map { input.gameWords.isOfTable(Score($0, line.entry.value)) } ?? true
        }
        var mutations: [Mutation] = []
        var (places, cells): ([Cell], [WrittenCell]) = ([], [])
        for line in commands.reversed().joined() {
            if let cell = line.cell {
                let value = try input.valueBefore(line, in: cell, by: device.id, for: wish)
                let score = Score(cell, value)
                mutations.append(Mutation(line.key, score.value))
                places.append(cell)
                let owner = isOfTable ? cell.player : subject.player
                cells.append(input.written(score, of: owner))
            }
        }
        for cell in input.shown(of: found.answers) {
            mutations.append(Mutation(.cell(cell), .null))
            places.append(cell)
            cells.append(input.written(Score(cell, .null), of: subject.player))
        }
        if input.isBlank(after: mutations) {
            let options = command.filter { $0.isOption && isShown($0, in: session) }
            mutations += options.map { Mutation($0.key, $0.replaced.first?.value ?? .null) }
        }
        let written = WrittenScores(
            player: subject.player,
            places: places,
            cells: cells,
            wasOver: session.board.isOver,
            sideEffects: input.sideEffects(of: mutations)
        )
        try await writer.write(mutations + wish.marks, to: session)
        noteUndone(found, mutations + wish.marks, in: session)
        var reply = reply(written, on: session.board)
        // A move of the whole table belongs to no single player.
        if isOfTable { reply.player = "" }
        return reply
    }

    /// Takes back a command that only chose something.
    private func undoChoice(
        _ command: [JournalLine],
        _ wish: UndoScope,
        _ found: UndoSearch.Found,
        at input: ScoreInput
    ) async throws(ControlError) -> WrittenReply {
        let session = input.session
        guard input.board.isBlank else {
            throw ControlError(
                .refused,
                "the last command of this laptop chose what is played with, and something was "
                    + "entered since; nothing was undone"
            )
        }
        guard command.allSatisfy({ isShown($0, in: session) }) else {
            throw ControlError(
                .refused,
                "what this laptop chose was changed since by somebody; nothing was undone"
            )
        }
        let undoing = command.map { Mutation($0.key, $0.replaced.first?.value ?? .null) }
        let mutations = undoing + wish.marks
        try await writer.write(mutations, to: session)
        noteUndone(found, mutations, in: session)
        let note = "what this laptop chose last is as it was before"
        return WrittenReply(player: "", cells: [], notes: [note])
    }

    /// Whether a key still says what a line of the journal wrote.
    private func isShown(_ line: JournalLine, in session: Session) -> Bool {
        session.head(line.key)?.winner.dot == line.entry.dot
    }

    private func reply(_ written: WrittenScores, on board: Scoreboard) -> WrittenReply {
        var reply = written.reply(on: board, by: device.id)
        if let turn = board.standings?.turn.flatMap(board.player) {
            reply.notes.append("\(turn.name) is to move")
        }
        return reply
    }

    /// Remembers that commands were undone, and which one undid them: all its writes, so that they
    /// are one stretch with those of a command just before it.
    private func noteUndone(
        _ found: UndoSearch.Found,
        _ mutations: [Mutation],
        in session: Session
    ) {
        let written = mutations.compactMap { session.committed($0.key)?.winner }
        // A phone's mark is last: nobody else writes it, as they may write a cell meanwhile.
        guard let last = written.last(where: { $0.author == device.id }) else { return }
        let undoing = written.filter { $0.dot.actor == last.dot.actor && $0.stamp == last.stamp }
        session.noteUndone(found.walked + undoing.map { UndoneCommands.SequenceRange($0.dot) })
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

extension ScoreInput {
    /// The cells that still show what lines of the journal wrote, unless that was nothing.
    fileprivate func shown(of lines: [JournalLine]) -> [Cell] {
        lines.compactMap { line in
            let isShown = session.head(line.key)?.winner.dot == line.entry.dot
            return isShown && line.entry.value != .null ? line.cell : nil
        }
    }

    /// Whether something is entered that was so after the command which was found, and answers
    /// nothing: by whichever laptop.
    private func isOvertaken(_ found: UndoSearch.Found) -> Bool {
        guard let stamp = found.commands.last?.last?.entry.stamp else { return false }
        return board.players.filter { $0.computer == nil }.contains { player in
            board.book.cells(of: player.id).contains { cell in
                !cell.isEmpty && cell.live.winner.stamp > stamp
            }
        }
    }

    /// Refuses what would leave a hole in a game whose moves rest on those before them.
    fileprivate func checkLeavesNoHole(_ found: UndoSearch.Found) throws(ControlError) {
        guard !sheet.hasMoves || !(found.isOlder || isOvertaken(found)) else {
            throw ControlError(
                .refused,
                "somebody has moved since this phone did; nothing was undone"
            )
        }
    }

    /// Whether nothing is entered any more once these mutations are written.
    fileprivate func isBlank(after mutations: [Mutation]) -> Bool {
        session.supposing(mutations, on: board).isBlank
    }

    /// The value of a cell before a line of the journal, or the concurrent value of another device.
    ///
    /// Refused when the cell no longer shows what the line wrote: then it is not this device's
    /// command that would be taken back. What was put there once is not checked again: it may not
    /// be this player's turn any more, and the standings tell what does not count.
    fileprivate func valueBefore(
        _ line: JournalLine,
        in cell: Cell,
        by device: DeviceID,
        for wish: UndoScope
    ) throws(ControlError) -> Value {
        let player = board.player(cell.player)
        if let player, !player.isPresent, line.entry.value != .null {
            throw ControlError(RuleViolation.removedPlayer(name: player.name))
        }
        let live = board[cell]
        let isShown = live?.winner.value == line.entry.value && live?.winner.author == device
        guard let live, isShown else {
            let wrote = written(Score(cell, line.entry.value), of: cell.player)
            let changer = live?.winner.author
            let names = session.deviceNames
            let name = changer.map { board.name(of: $0, among: names) } ?? "somebody"
            let value = wrote.text ?? wrote.value.description
            throw ControlError(
                .refused,
                "the last score of \(wish.author) (\(player?.name ?? "a player"): \(wrote.label) = "
                    + "\(value)) was changed since by \(name); nothing was undone"
            )
        }
        // Somebody else's value beside it must not go with it.
        return live.losers.first?.value ?? line.replaced.first?.value ?? .null
    }
}

/// The commands that an undo considers.
enum UndoScope: Sendable {
    /// That of this device, whoever entered it.
    case ofLaptop
    /// That of a player's phone, with the mark of this undo.
    case ofPhone(PlayerID, mark: Mutation)

    /// The player whose phone it is; nil where it is no phone.
    var player: PlayerID? {
        switch self {
        case .ofLaptop: nil
        case .ofPhone(let player, _): player
        }
    }

    /// Marks that are written in the same commit.
    var marks: [Mutation] {
        switch self {
        case .ofLaptop: []
        case .ofPhone(_, let mark): [mark]
        }
    }

    /// Refuses a phone's undo whose like was written since it was asked for: once more it is known.
    @EventLoop
    func checkIsNew(in session: Session) throws(ControlError) {
        guard marks.allSatisfy({ session.head($0.key) == nil }) else {
            throw ControlError(.failed, "this is being saved: ask again")
        }
    }

    var author: String {
        switch self {
        case .ofLaptop: "this laptop"
        case .ofPhone: "this phone"
        }
    }
}
