import SessionCRDT
import SyncEngine
import SyncProtocol

/// A TCP connection: two ends that may each believe something else, and a stream in each direction.
struct Connection {
    /// What one side believes.
    enum State {
        /// The daemon has not been told of it.
        case pending
        /// The daemon has a link.
        case open
        /// It is over for this side.
        case closed
    }

    /// One side.
    struct End {
        let laptop: Int
        /// The run of the daemon that holds this end.
        let run: Int
        /// The address that this side had when the connection began.
        let address: UInt32
        let link: LinkID
        var state = State.pending
        /// The deltas that went out and have no answer.
        var unanswered = 0
        /// Reads what comes in as bytes.
        var decoder = PeerMessageDecoder()
        /// Whether the next delta from here loses its beginning.
        var losesBeginning = false
        /// Whether a part of a message has come, and not the rest.
        var hasPart = false
    }

    /// What travels in a stream.
    enum Parcel {
        case message(PeerMessage)
        /// A message or a part of one as it is on the wire.
        case payload([UInt8])
        case end
    }

    /// What is under way in one direction.
    struct Stream {
        var parcels: [Parcel] = []
        var isMoving = false
        var tries = 0
    }

    let number: Int
    let session: SessionID
    /// Where the first side dialled.
    let target: Endpoint
    /// Chance of its own, so that what happens elsewhere changes nothing here.
    var chance: SeededGenerator
    /// The side that dialled, then the side that accepted.
    var ends: [End]
    /// The stream from each side to the other.
    var streams = [Stream(), Stream()]

    var isOver: Bool { ends.allSatisfy { $0.state == .closed } }
}

/// What travels by the connections, in order, until they break.
extension Simulation {
    func send(_ message: PeerMessage, by link: LinkID, from laptop: Laptop, _ run: Laptop.Run) {
        guard let (number, side) = run.links[link], let connection = connections[number] else {
            return
        }
        checker.sent(message, connection.session, by: laptop, isInner: isInner(connection))
        if case .delta = message {
            connections[number]?.ends[side].unanswered += 1
            if connection.ends[side].unanswered > 0 {
                checker.complain("a second delta went out before the first was answered")
            }
        }
        guard connection.ends[side].losesBeginning, case .delta(let delta) = message,
            let end = end(of: delta, connection.session, run)
        else { return carry(message, into: number, from: side) }
        connections[number]?.ends[side].losesBeginning = false
        carry(.delta(end), into: number, from: side)
    }

    /// Lets the next delta from one to the other come without its beginning.
    func overtake(from laptop: Laptop, to other: Laptop, _ session: SessionID) {
        for (number, connection) in connections
        where connection.session == session
            && Set(connection.ends.map(\.laptop)) == [laptop.index, other.index]
        {
            let side = connection.ends[0].laptop == laptop.index ? 0 : 1
            connections[number]?.ends[side].losesBeginning = true
        }
    }

    /// What follows of a delta when the first part of it was lost, as from a member that sends its
    /// writes one after the other and does not wait for answers.
    private func end(of delta: Delta, _ session: SessionID, _ run: Laptop.Run) -> Delta? {
        let longest = delta.upto.sorted.first { $0.sequence > delta.base[$0.actor] + 1 }
        guard let longest, !delta.isUnion else { return nil }
        let sequences = delta.upto.sorted.map { dot in
            (dot.actor, dot == longest ? dot.sequence - 1 : dot.sequence)
        }
        let known = VersionVector(Dictionary(uniqueKeysWithValues: sequences))
        return run.engine.replicas[session]?.committed.delta(since: known)
    }

    private func carry(_ message: PeerMessage, into number: Int, from side: Int) {
        guard scenario.usesBytes else { return put(.message(message), into: number, from: side) }
        let payloads = Array(PeerMessageEncoder(message))
        if payloads.count > 1 { checker.note(.deltaOfParts) }
        for payload in payloads { put(.payload(payload), into: number, from: side) }
    }

    func close(_ link: LinkID, of run: Laptop.Run) {
        guard let (number, side) = run.links.removeValue(forKey: link) else { return }
        guard connections[number]?.ends[side].state == .open else { return }
        connections[number]?.ends[side].state = .closed
        put(.end, into: number, from: side)
    }

    func put(_ parcel: Connection.Parcel, into number: Int, from side: Int) {
        guard var connection = connections.removeValue(forKey: number) else { return }
        connection.streams[side].parcels.append(parcel)
        let starts = !connection.streams[side].isMoving
        connection.streams[side].isMoving = true
        let transit = transit(of: parcel) + delay(on: &connection)
        connections[number] = connection
        if starts { after(transit) { $0.move(number, from: side) } }
    }

    /// Brings the first parcel of a stream to the other side, or tries again later.
    private func move(_ number: Int, from side: Int) {
        guard let connection = connections[number] else { return }
        let (sender, receiver) = (connection.ends[side], connection.ends[1 - side])
        let laptop = laptops[receiver.laptop]
        guard isPassable(connection, from: side), !laptop.isAsleep else {
            let tries = min(connection.streams[side].tries, 3)
            connections[number]?.streams[side].tries += 1
            return after(200 << UInt64(tries)) { $0.move(number, from: side) }
        }
        guard receiver.state != .pending || laptop.run?.number != receiver.run else {
            return after(5) { $0.move(number, from: side) }
        }
        guard receiver.state == .open, laptop.run?.number == receiver.run else {
            // Nobody there knows of the connection: the machine resets it.
            connections[number]?.streams[side] = Connection.Stream()
            if sender.state == .open {
                after(delay(on: number)) { $0.breakEnd(number, side) }
            }
            return sweep(number)
        }
        connections[number]?.streams[side].tries = 0
        guard !connection.streams[side].parcels.isEmpty,
            let parcel = connections[number]?.streams[side].parcels.removeFirst()
        else {
            connections[number]?.streams[side].isMoving = false
            return sweep(number)
        }
        let next = connections[number]?.streams[side].parcels.first
        connections[number]?.streams[side].isMoving = next != nil
        if let next {
            let pause = connections[number]?.chance.number(0...2) ?? 0
            after(pause + transit(of: next)) { $0.move(number, from: side) }
        }
        switch parcel {
        case .message(let message): deliver(message, to: receiver, of: number, 1 - side)
        case .payload(let payload): deliver(payload, to: receiver, of: number, 1 - side)
        case .end: breakEnd(number, 1 - side)
        }
    }

    private func deliver(
        _ payload: [UInt8],
        to end: Connection.End,
        of number: Int,
        _ side: Int
    ) {
        do throws(PeerMessageError) {
            let hadPart = connections[number]?.ends[side].hasPart == true
            let message = try connections[number]?.ends[side].decoder.receive(payload)
            connections[number]?.ends[side].hasPart = message == nil
            if hadPart, message != nil, let session = connections[number]?.session {
                checker.cameWhole(session, to: end.laptop)
            }
            guard let message else {
                return give(.partReceived(end.link), to: laptops[end.laptop], run: end.run)
            }
            deliver(message, to: end, of: number, side)
        } catch {
            checker.complain("a message was not understood: \(error)")
        }
    }

    /// How long a parcel takes because of its length.
    private func transit(of parcel: Connection.Parcel) -> UInt64 {
        guard case .payload(let payload) = parcel else { return 0 }
        return UInt64(payload.count / scenario.bytesPerMillisecond)
    }

    /// Whether the connection is between two that are to agree.
    private func isInner(_ connection: Connection) -> Bool {
        connection.ends.allSatisfy { laptops[$0.laptop].breakage == nil }
    }

    /// Whether packets of the connection pass: machines that moved do not get them.
    private func isPassable(_ connection: Connection, from side: Int) -> Bool {
        let (sender, receiver) = (connection.ends[side], connection.ends[1 - side])
        return laptops[sender.laptop].isOn && canPass(from: sender.laptop, to: receiver.laptop)
            && laptops[sender.laptop].address == sender.address
            && laptops[receiver.laptop].address == receiver.address
    }

    private func deliver(
        _ message: PeerMessage,
        to end: Connection.End,
        of number: Int,
        _ side: Int
    ) {
        switch message {
        case .ack, .need:
            let unanswered = connections[number]?.ends[side].unanswered ?? 0
            connections[number]?.ends[side].unanswered = max(0, unanswered - 1)
        case .hello, .delta, .ping, .pong, .clock, .addresses, .links, .reached, .bye, .error,
            .welcome:
            break
        }
        let laptop = laptops[end.laptop]
        if connections[number]?.chance.happens(3) == true {
            give(.bytesReceived(end.link), to: laptop, run: end.run)
        }
        give(.received(end.link, message), to: laptop, run: end.run)
    }

    /// One side learns that the connection is gone.
    func breakEnd(_ number: Int, _ side: Int) {
        guard let end = connections[number]?.ends[side], end.state != .closed else { return }
        connections[number]?.ends[side].state = .closed
        if end.hasPart, let session = connections[number]?.session {
            checker.brokeOff(session, to: end.laptop)
        }
        let laptop = laptops[end.laptop]
        if laptop.run?.number == end.run { laptop.run?.links[end.link] = nil }
        if end.state == .open {
            give(.unlinked(end.link), to: laptop, run: end.run)
        } else if side == 0, let connection = connections[number] {
            let failed = Input.dialFailed(connection.session, connection.target, .unreachable)
            give(failed, to: laptop, run: end.run)
        }
        sweep(number)
    }

    /// Breaks a connection; of a half-open one only one side learns.
    func cut(_ number: Int, halfOpen: Bool) {
        guard let connection = connections[number], !connection.isOver else { return }
        trace.note(now, "connection \(number) is cut\(halfOpen ? " on one side" : "")")
        for side in [0, 1] { connections[number]?.streams[side].parcels = [] }
        let first = connection.number % 2
        breakEnd(number, first)
        if !halfOpen { after(delay(on: number)) { $0.breakEnd(number, 1 - first) } }
    }

    private func sweep(_ number: Int) {
        guard let connection = connections[number], connection.isOver,
            connection.streams.allSatisfy({ $0.parcels.isEmpty })
        else { return }
        connections[number] = nil
    }
}
