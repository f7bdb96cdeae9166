import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The computer players for which this device moves.
///
/// A session has at most one search in progress, and each state of the book is searched once: the
/// move found is played, or the book has changed by then and is searched again.
@EventLoop
final class ComputerPlayers: DaemonPart {
    let daemon: Daemon
    /// The queue for searches, one at a time, so that they never use more than one core.
    private let searchThread = WorkerThread()
    private var searched: [SessionID: Book] = [:]
    private var searching: Set<SessionID> = []
    private var isStopped = false

    init(_ daemon: Daemon) { self.daemon = daemon }

    func stop() { isStopped = true }

    /// Returns the computer that this device plays for a player; nil if there is none.
    ///
    /// Any member can write that this device moves for a player, and with any search depth. So only
    /// computers count that a user added on this device, to this session or the previous one.
    func own(_ player: PlayerID, in session: Session) -> Computer? {
        guard let depth = session.facts.computers.depth(of: player),
            let named = session.head(.player(player, Field.computer))?.winner.value.string,
            Computer(named)?.device == device.id
        else { return nil }
        return Computer(device: device.id, depth: depth)
    }

    /// Throws if a user enters a move for a player that a computer moves for, on any laptop.
    ///
    /// If other devices claim that this device moves for a player, but the computer was not added
    /// here, users may move for the player, so that the claim cannot block a game.
    func checkMovesByHand(
        for player: Player,
        in session: Session,
        of sheet: Sheet
    ) throws(ControlError) {
        guard let computer = player.computer, sheet.rules.hasComputer else { return }
        guard computer.device != device.id else {
            guard own(player.id, in: session) != nil else { return }
            throw .refused("\(player.name) is a computer; this laptop moves for it automatically")
        }
        let name = sessions.name(of: computer.device, in: session)
        throw .refused("\(player.name) is a computer; only \(name) moves for it")
    }

    /// Returns the computer that a call adds; nil if the call adds people.
    func computer(
        of request: AddPlayersParameters,
        on board: Scoreboard
    ) throws(ControlError) -> Computer? {
        guard request.computer == true else {
            guard request.depth == nil else {
                throw .usage("only computer players have a depth", hint: "add --computer")
            }
            return nil
        }
        _ = try board.playedSheet()
        try byRules(board.game?.checkComputer(in: board.book))
        let (depth, depths) = (request.depth ?? 5, Computer.depths)
        guard depths.contains(depth) else {
            throw .usage(
                "--depth is from \(depths.lowerBound) to \(depths.upperBound), not \(depth)"
            )
        }
        return Computer(device: device.id, depth: depth)
    }

    /// Makes a move if it is the turn of a computer of this device; in a later turn of the queue,
    /// so that watchers get the previous change first.
    func moveIfDue(in session: SessionID) {
        guard let session = sessions[session], !session.facts.computers.isEmpty else { return }
        queue.async { [self] in move(in: session) }
    }

    private func move(in session: Session) {
        guard isActive(in: session) else { return }
        let board = session.nextBoard
        guard !board.header.isFinished else { return }
        let own = board.players.compactMap { player in
            self.own(player.id, in: session).map { (player: player, computer: $0) }
        }
        guard !own.isEmpty, let game = board.game,
            (try? board.sheet.get())?.rules.hasComputer == true,
            let turn = board.standings?.turn,
            let (player, computer) = own.first(where: { $0.player.id == turn }),
            !searching.contains(session.id), searched[session.id] != board.book
        else { return }
        searched[session.id] = board.book
        searching.insert(session.id)
        EventLoop.start { [self, book = board.book] in
            let move = await queue.run(on: searchThread) {
                game.suggestion(in: book, depth: computer.depth)
            }
            await play(move, for: player, in: session, found: book)
        }
    }

    /// Whether computers may move in a session; false for one that was left, even if it was joined
    /// again.
    private func isActive(in session: Session) -> Bool {
        sessions[session.id] === session && !isStopped
    }

    /// Plays a move if the book is still the one for which it was found.
    private func play(
        _ move: Move?,
        for player: Player,
        in session: Session,
        found book: Book
    ) async {
        searching.remove(session.id)
        guard isActive(in: session) else {
            searched[session.id] = nil
            return
        }
        do throws(ControlError) {
            let input = try ScoreInput(session)
            guard input.book == book else { return moveIfDue(in: session.id) }
            guard let move else { return }
            let named = Move(move.words, by: player.id, details: move.details)
            let played = try byRules(input.play(named, with: gameOptions.moveContext))
            let mutations = Mutation.scores(played.writes, recording: played.options)
            try await writer.write(mutations, to: session)
        } catch {
            // Allows another search, after the sheet was restored or the disk has space again.
            searched[session.id] = nil
            log.write(.warning, from: .others, "\(player.name) could not move: \(error.message)")
        }
    }
}

/// The computer players of a session that users added on this laptop, with their search depths.
///
/// They are stored on this laptop and never sent, because the session's data cannot be trusted: any
/// member can write anything about computers into it, in the name of any device.
struct LocalComputers: Hashable, Sendable {
    private var depths: [PlayerID: Int] = [:]

    init() {}

    /// Parses words `player:depth`; other words are ignored.
    init(words: String) { depths = WordPairs.read(words) { PlayerID($0) } }

    /// Collects the computers that the session's data say this device added: the best guess for
    /// sessions from versions that did not store local computers.
    init(trusting entries: [KeyedEntry], by device: DeviceID) {
        for stored in entries where stored.entry.author == device {
            add(stored.key, stored.entry.value, by: device)
        }
    }

    var isEmpty: Bool { depths.isEmpty }

    /// Returns the search depth of a player's computer; nil if no computer was added here for the
    /// player.
    func depth(of player: PlayerID) -> Int? { depths[player] }

    mutating func add(_ mutations: [Mutation], by device: DeviceID) {
        for mutation in mutations { add(mutation.key, mutation.value, by: device) }
    }

    private mutating func add(_ key: Key, _ value: Value, by device: DeviceID) {
        guard case .player(let player, Field.computer) = key,
            let computer = value.string.flatMap({ Computer($0) }), computer.device == device
        else { return }
        depths[player] = computer.depth
    }

    var words: String { WordPairs.text(depths) }
}
