import Descriptors
import Dispatch
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The computer players for which this device moves: owns what they are thinking about.
@EventLoop
final class ComputerPlayers: DaemonPart {
    static let usualDepth = 5

    private var searches = ComputerSearches()
    private var isStopped = false

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// Begins no move any more.
    func stop() { isStopped = true }

    // MARK: Which are ours

    /// The computer that this device plays for a player; nil where it moves for none.
    ///
    /// Any member can write that this device moves, in its name too, and how deep it searches: what
    /// counts is that somebody added it here, or to the session before this one.
    func own(_ player: PlayerID, in session: Session) -> Computer? {
        guard let depth = session.facts.computers.depth(of: player),
            let named = session.head(.player(player, Field.computer))?.winner.value.string,
            Computer(named)?.device == device.id
        else { return nil }
        return Computer(device: device.id, depth: depth)
    }

    /// Refuses to let somebody move for a computer, whichever laptop it is on.
    ///
    /// One that is said to be of this device, which knows nothing of it, is moved by hand, so that
    /// what others write cannot stop a game.
    func refuseHand(
        for player: Player,
        in session: Session,
        of sheet: Sheet
    ) throws(ControlError) {
        guard let computer = player.computer, sheet.rules.hasComputer else { return }
        guard computer.device != device.id else {
            guard own(player.id, in: session) != nil else { return }
            throw ControlError(
                .refused,
                "\(player.name) is a computer; this laptop moves for it by itself"
            )
        }
        let name = sessions.name(of: computer.device, in: session)
        throw ControlError(.refused, "\(player.name) is a computer; only \(name) moves for it")
    }

    /// The computer that a call adds; nil where it adds people.
    func computer(
        of request: AddPlayersParameters,
        on board: Scoreboard
    ) throws(ControlError) -> Computer? {
        guard request.computer == true else {
            guard request.depth == nil else {
                throw ControlError(.usage, "only computer players have a depth: add --computer")
            }
            return nil
        }
        _ = try board.playedSheet()
        do throws(RuleViolation) { try board.game?.checkComputer(in: board.book) } catch {
            throw ControlError(error)
        }
        let depth = request.depth ?? ComputerPlayers.usualDepth
        guard Computer.depths.contains(depth) else {
            let (least, most) = (Computer.depths.lowerBound, Computer.depths.upperBound)
            throw ControlError(.usage, "--depth is from \(least) to \(most), not \(depth)")
        }
        return Computer(device: device.id, depth: depth)
    }

    // MARK: Moving

    /// The session may be waiting for a computer of this device: looks in another turn of the
    /// queue, so that what has changed is told first.
    func call(in session: SessionID) {
        guard let session = sessions[session], !session.facts.computers.isEmpty else { return }
        queue.async { [self] in move(in: session) }
    }

    /// Begins to search a move if a computer of this device is to move.
    private func move(in session: Session) {
        // A session that was left and joined again is another one.
        guard sessions[session.id] === session, !isStopped else { return }
        let board = session.nextBoard
        guard !board.header.isFinished else { return }
        let own = board.players.compactMap { player in
            self.own(player.id, in: session).map { (player: player, computer: $0) }
        }
        guard !own.isEmpty, let game = board.game,
            (try? board.sheet.get())?.rules.hasComputer == true,
            let turn = board.standings?.turn,
            let (player, computer) = own.first(where: { $0.player.id == turn }),
            searches.begin(board.book, of: session.id)
        else { return }
        EventLoop.start { [self, book = board.book] in
            let move = await queue.run(on: searches.queue) {
                game.suggestion(in: book, depth: computer.depth)
            }
            await play(move, for: player, in: session, found: book)
        }
    }

    /// Plays the move that was found, if the book is still the one that it was found in.
    private func play(
        _ move: Move?,
        for player: Player,
        in session: Session,
        found book: Book
    ) async {
        searches.end(session.id)
        guard sessions[session.id] === session, !isStopped else {
            return searches.forget(session.id)
        }
        do throws(ControlError) {
            let input = try ScoreInput(session)
            guard input.book == book else { return call(in: session.id) }
            guard let move else { return }
            let named = Move(move.words, by: player.id, details: move.details)
            try await moves.write(try moves.played(named, at: input), in: session)
        } catch {
            // Once the sheet is the game again, or the disk has room, it is searched again.
            searches.forget(session.id)
            log.write(.warning, from: .others, "\(player.name) could not move: \(error.message)")
        }
    }
}

/// The searches of this device's computer players.
///
/// A session has at most one search under way, and each book is searched once: what came of it is
/// played or does not count any more, and the book changes before there is anything new to find.
struct ComputerSearches {
    /// Runs the searches one after the other, so that they never take more than one core.
    let queue = DispatchQueue(label: "computer players", qos: .utility)

    private var searched: [SessionID: Book] = [:]
    private var searching: Set<SessionID> = []

    /// Whether to search this book now; then it counts as searched.
    mutating func begin(_ book: Book, of session: SessionID) -> Bool {
        guard !searching.contains(session), searched[session] != book else { return false }
        searched[session] = book
        searching.insert(session)
        return true
    }

    /// The search of a session has ended.
    mutating func end(_ session: SessionID) { searching.remove(session) }

    /// Lets the book of a session be searched again, because what was found could not be written.
    mutating func forget(_ session: SessionID) { searched[session] = nil }
}

/// The computer players of a session that somebody added on this laptop, and how deep each is to
/// search.
///
/// It is this laptop's own note, in its store and never on the wire: what the session's data say of
/// computers any member can write, in anybody's name.
struct LocalComputers: Hashable, Sendable {
    private var depths: [PlayerID: Int] = [:]

    /// None.
    init() {}

    /// Those of words `player:depth`; what is no such word is left out.
    init(words: String) {
        for word in words.split(separator: " ") {
            let halves = word.split(separator: ":")
            guard halves.count == 2, let player = PlayerID(halves[0]), let depth = Int(halves[1])
            else { continue }
            depths[player] = depth
        }
    }

    /// Those that a session's data name as the device's own, and say to be written by it: all that
    /// there was to go by before computers were noted.
    init(trusting entries: [KeyedEntry], by device: DeviceID) {
        for stored in entries where stored.entry.author == device {
            guard case .player(let player, Field.computer) = stored.key,
                let computer = stored.entry.value.string.flatMap({ Computer($0) }),
                computer.device == device
            else { continue }
            depths[player] = computer.depth
        }
    }

    /// Whether there is none.
    var isEmpty: Bool { depths.isEmpty }

    /// The search depth of a player's computer; nil if it was not added here.
    func depth(of player: PlayerID) -> Int? { depths[player] }

    /// Adds those that mutations make computers of the device.
    mutating func add(_ mutations: [Mutation], by device: DeviceID) {
        for mutation in mutations {
            guard case .player(let player, Field.computer) = mutation.key,
                let computer = mutation.value.string.flatMap({ Computer($0) }),
                computer.device == device
            else { continue }
            depths[player] = computer.depth
        }
    }

    /// The words `player:depth`.
    var words: String {
        depths.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
    }
}
