import Dispatch
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The computer players for which this device moves.
extension Daemon {
    /// How deep a computer searches when nobody says.
    static let usualDepth = 5

    /// The computer that this device plays for a player; nil where it moves for none.
    ///
    /// Any member can write that this device moves, and how deep it searches, so the words alone
    /// count for nothing: this device wrote them, here or of the same player in the session before,
    /// out of which another one copied them.
    func ownComputer(_ player: PlayerID, in session: SessionID) -> Computer? {
        var looked: Set<SessionID> = []
        var open = [session]
        while let next = open.popLast() {
            guard looked.insert(next).inserted,
                let entry = computerEntry(of: player, in: next),
                let computer = entry.value.string.flatMap({ Computer($0) }),
                computer.device == device.id
            else { continue }
            if entry.author == device.id { return computer }
            open += held.filter { $0.value.successors.contains(next) }.keys.sorted()
        }
        return nil
    }

    private func computerEntry(of player: PlayerID, in session: SessionID) -> Entry? {
        engine.replicas[session]?.map.head(.player(player, Field.computer))?.winner
    }

    /// The computer that a call adds; nil where it adds people.
    func computer(
        of request: PlayerAddRequest,
        in document: SessionDocument
    ) throws(ControlError) -> Computer? {
        guard request.computer == true else {
            guard request.depth == nil else {
                throw ControlError(.usage, "only computer players have a depth: add --computer")
            }
            return nil
        }
        let sheet = try sheet(of: document)
        guard sheet.rules.hasComputer else {
            throw ControlError(.refused, "\(sheet.name) has no computer players")
        }
        let depth = request.depth ?? Daemon.usualDepth
        guard Computer.depths.contains(depth) else {
            let (least, most) = (Computer.depths.lowerBound, Computer.depths.upperBound)
            throw ControlError(.usage, "--depth is from \(least) to \(most), not \(depth)")
        }
        return Computer(device: device.id, depth: depth)
    }

    /// The session may be waiting for a computer of this device: looks in another turn of the
    /// queue, so that what has changed is told first.
    func callComputers(of session: SessionID) {
        guard mayHaveComputers(session) else { return }
        queue.async { @Sendable [weak self] in self?.moveComputer(in: session) }
    }

    /// Whether the game has computers and a field names this device, looked up each time, because
    /// the data of a session that was taken up comes later than the session.
    ///
    /// It is asked at every change: the game is told by two fields, and only boards, which are
    /// small, are looked through.
    private func mayHaveComputers(_ session: SessionID) -> Bool {
        guard let live = engine.replicas[session]?.committed.live else { return false }
        let fields = [Key.session(Field.game), .session(Field.sheet)]
        let known = fields.compactMap { key in live[key].map { (key, $0) } }
        let game = SessionDocument(Dictionary(uniqueKeysWithValues: known))
        guard (try? sheet(of: game))?.rules.hasComputer == true else { return false }
        return live.contains { key, set in
            guard case .player(_, Field.computer) = key, let text = set.winner.value.string else {
                return false
            }
            return Computer(text)?.device == device.id
        }
    }

    /// Begins to search a move if a computer of this device is to move.
    private func moveComputer(in session: SessionID) {
        guard held[session] != nil, !isStopping else { return }
        let (document, book) = draft(session)
        let own = document.players.compactMap { player in
            ownComputer(player.id, in: session).map { (player: player, computer: $0) }
        }
        guard !document.isFinished else {
            // In the next game, computers of this device may be known by this one.
            return (held[session]?.successors ?? []).filter { held[$0] != nil }.forEach(
                callComputers
            )
        }
        confirm(own, in: session)
        guard !own.isEmpty,
            let rules = (try? sheet(of: document))?.rules, rules.hasComputer,
            let turn = rules.standings(of: book).turn,
            let (player, computer) = own.first(where: { $0.player.id == turn }),
            computers.begin(book, of: session)
        else { return }
        computers.queue.async { @Sendable [weak self] in
            let move = rules.suggestion(in: book, depth: computer.depth)
            self?.queue.async { @Sendable [weak self] in
                self?.play(move, for: player, in: session, found: book)
            }
        }
    }

    /// Writes what another device copied out of the session before as this device's own words, so
    /// that it still moves when that session is left; once, since who wants to can copy over it.
    private func confirm(
        _ own: [(player: Player, computer: Computer)],
        in session: SessionID
    ) {
        let copied = own.filter { player, _ in
            computerEntry(of: player.id, in: session)?.author != device.id
        }
        guard !copied.isEmpty, computers.confirm(session) else { return }
        write(copied.map { .computer($0.player.id, $0.computer) }, to: session) { [self] result in
            guard case .failure(let error) = result else { return }
            log.write(.warning, "a computer could not be taken over: \(error.message)")
        }
    }

    /// Plays what was found, if the book is still the one that it was found in.
    private func play(_ move: Move?, for player: Player, in session: SessionID, found book: Book) {
        computers.end(session)
        guard held[session] != nil, !isStopping else { return computers.forget(session) }
        do throws(ControlError) {
            let desk = try WritingDesk(self, session: session)
            guard desk.book == book else { return callComputers(of: session) }
            guard let move else { return }
            let named = Move(move.words, by: player.id, details: move.details)
            try play(named, at: desk) { @Sendable [weak self] result in
                guard let self, case .failure(let error) = result else { return }
                computers.forget(session)
                log.write(.warning, "\(player.name) could not move: \(error.message)")
            }
        } catch {
            // The sheet was replaced meanwhile; once it is the game again, it is searched anew.
            computers.forget(session)
            log.write(.warning, "\(player.name) cannot move: \(error.message)")
        }
    }
}
