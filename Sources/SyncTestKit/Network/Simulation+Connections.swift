import SessionCRDT
import SyncEngine
import SyncProtocol

/// A TCP connection: two ends, whose views may differ, and a stream in each direction.
struct Connection {
    enum State {
        /// The daemon does not know of the connection yet.
        case pending
        /// The daemon's engine has a link for the connection.
        case open
        case closed
    }

    struct End {
        let laptop: Int
        let run: UInt64
        let address: UInt32
        let link: LinkID
        var state = State.pending
        /// The number of deltas sent from this end without an answer.
        var unanswered = 0
        var decoder = PeerMessageDecoder()
        /// Whether the next delta sent from this end loses its beginning.
        var losesBeginning = false
        var hasPart = false
    }

    enum Parcel {
        case message(PeerMessage)
        /// An encoded message, or a part of one.
        case payload([UInt8])
        case end
    }

    struct Stream {
        var parcels: [Parcel] = []
        var isMoving = false
        var tries = 0
    }

    let number: UInt64
    let session: SessionID
    let target: Endpoint
    /// The connection's own generator, so that events elsewhere do not affect its delays.
    var random: SeededGenerator
    /// The dialling side, then the accepting side.
    var ends: [End]
    var streams = [Stream(), Stream()]

    var isOver: Bool { ends.allSatisfy { $0.state == .closed } }
}

/// Delivery of messages in the order of sending, until a connection breaks.
extension Simulation {
    func send(_ message: PeerMessage, by link: LinkID, from laptop: Laptop, _ run: Laptop.Run) {
        guard let (number, side) = run.links[link], let connection = connections[number]
        else { return }
        checker.sent(message, connection.session, by: laptop, isInner: isInner(connection))
        if case .admit(let knock, _) = message, door(of: knock) != connection.ends[1 - side].laptop
        {
            checker.fail("the answer to a knock went to a laptop at which nobody knocked")
        }
        if case .delta = message {
            connections[number]?.ends[side].unanswered += 1
            if connection.ends[side].unanswered > 0 {
                checker.fail("a second delta went out before the first was answered")
            }
        }
        guard connection.ends[side].losesBeginning, case .delta(let delta) = message,
            let end = end(of: delta, connection.session, run)
        else { return carry(message, into: number, from: side) }
        connections[number]?.ends[side].losesBeginning = false
        carry(.delta(end), into: number, from: side)
    }

    /// Has the next delta from one laptop to another lose its beginning.
    func overtake(from laptop: Laptop, to other: Laptop, _ session: SessionID) {
        for (number, connection) in connections
        where connection.session == session
            && Set(connection.ends.map(\.laptop)) == [laptop.index, other.index]
        {
            let side = connection.ends[0].laptop == laptop.index ? 0 : 1
            connections[number]?.ends[side].losesBeginning = true
        }
    }

    /// Returns a delta with only the last new write of one actor, as if a message with the earlier
    /// ones had been lost; nil if no actor has two new writes.
    private func end(of delta: Delta, _ session: SessionID, _ run: Laptop.Run) -> Delta? {
        let longest = delta.upto.sorted.first { $0.sequence > delta.base[$0.actor] + 1 }
        guard let longest, !delta.isUnion else { return nil }
        let sequences = delta.upto.sorted.map { dot in
            (dot.actor, dot == longest ? dot.sequence - 1 : dot.sequence)
        }
        let known = VersionVector(Dictionary(uniqueKeysWithValues: sequences))
        return run.engine.replicas[session]?.committed.delta(since: known)
    }

    private func carry(_ message: PeerMessage, into number: UInt64, from side: Int) {
        guard scenario.usesBytes else { return put(.message(message), into: number, from: side) }
        let payloads = Array(PeerMessageEncoder(message))
        if payloads.count > 1 { checker.record(.deltaOfParts) }
        for payload in payloads { put(.payload(payload), into: number, from: side) }
    }

    func close(_ link: LinkID, of run: Laptop.Run) {
        guard let (number, side) = run.links.removeValue(forKey: link) else { return }
        guard connections[number]?.ends[side].state == .open else { return }
        connections[number]?.ends[side].state = .closed
        put(.end, into: number, from: side)
    }

    func put(_ parcel: Connection.Parcel, into number: UInt64, from side: Int) {
        guard let connection = connections[number] else { return }
        connections[number]?.streams[side].parcels.append(parcel)
        let starts = !connection.streams[side].isMoving
        connections[number]?.streams[side].isMoving = true
        let transit = transit(of: parcel) + delay(on: number)
        if starts { after(transit) { $0.move(number, from: side) } }
    }

    /// Delivers the first parcel of a stream, or tries again later.
    private func move(_ number: UInt64, from side: Int) {
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
            // The daemon at the other end no longer knows the connection, so its machine resets it.
            connections[number]?.streams[side] = Connection.Stream()
            if sender.state == .open {
                after(delay(on: number)) { $0.breakEnd(number, side) }
            }
            return removeIfOver(number)
        }
        connections[number]?.streams[side].tries = 0
        guard !connection.streams[side].parcels.isEmpty,
            let parcel = connections[number]?.streams[side].parcels.removeFirst()
        else {
            connections[number]?.streams[side].isMoving = false
            return removeIfOver(number)
        }
        let next = connections[number]?.streams[side].parcels.first
        connections[number]?.streams[side].isMoving = next != nil
        if let next {
            let pause = connections[number]?.random.next(in: 0...2) ?? 0
            after(pause + transit(of: next)) { $0.move(number, from: side) }
        }
        switch parcel {
        case .message(let message): deliver(message, to: receiver, of: number, 1 - side)
        case .payload(let payload): deliver(payload, to: receiver, of: number, 1 - side)
        case .end: breakEnd(number, 1 - side)
        }
    }

    private func deliver(_ payload: [UInt8], to end: Connection.End, of number: UInt64, _ side: Int)
    {
        do throws(PeerMessageError) {
            let hadPart = connections[number]?.ends[side].hasPart == true
            let message = try connections[number]?.ends[side].decoder.receive(payload)
            connections[number]?.ends[side].hasPart = message == nil
            if hadPart, message != nil, let session = connections[number]?.session {
                checker.didReceiveFullDelta(session, on: end.laptop)
            }
            guard let message else {
                return deliver(.partReceived(end.link), to: laptops[end.laptop], run: end.run)
            }
            deliver(message, to: end, of: number, side)
        } catch { checker.fail("a message was not understood: \(error)") }
    }

    private func transit(of parcel: Connection.Parcel) -> UInt64 {
        guard case .payload(let payload) = parcel else { return 0 }
        return UInt64(payload.count / scenario.bytesPerMillisecond)
    }

    private func isInner(_ connection: Connection) -> Bool {
        connection.ends.allSatisfy { laptops[$0.laptop].breakage == nil }
    }

    /// Whether packets pass at this moment: a machine that got another address receives none.
    private func isPassable(_ connection: Connection, from side: Int) -> Bool {
        let (sender, receiver) = (connection.ends[side], connection.ends[1 - side])
        return laptops[sender.laptop].isOn && canPass(from: sender.laptop, to: receiver.laptop)
            && laptops[sender.laptop].address == sender.address
            && laptops[receiver.laptop].address == receiver.address
    }

    private func deliver(
        _ message: PeerMessage,
        to end: Connection.End,
        of number: UInt64,
        _ side: Int
    ) {
        switch message {
        case .ack, .need:
            let unanswered = connections[number]?.ends[side].unanswered ?? 0
            connections[number]?.ends[side].unanswered = max(0, unanswered - 1)
        case .hello, .delta, .ping, .pong, .clock, .addresses, .links, .reached, .storage, .knocks,
            .admit, .bye, .error, .welcome, .guest:
            break
        }
        let laptop = laptops[end.laptop]
        if connections[number]?.random.happens(3) == true {
            deliver(.bytesReceived(end.link), to: laptop, run: end.run)
        }
        deliver(.received(end.link, message), to: laptop, run: end.run)
    }

    func breakEnd(_ number: UInt64, _ side: Int) {
        guard let end = connections[number]?.ends[side], end.state != .closed else { return }
        connections[number]?.ends[side].state = .closed
        if end.hasPart, let session = connections[number]?.session {
            checker.deltaWasCut(session, to: end.laptop)
        }
        let laptop = laptops[end.laptop]
        if laptop.run?.number == end.run { laptop.run?.links[end.link] = nil }
        if end.state == .open {
            deliver(.unlinked(end.link), to: laptop, run: end.run)
        } else if side == 0, let connection = connections[number] {
            let failed = Input.dialFailed(connection.session, connection.target, .unreachable)
            deliver(failed, to: laptop, run: end.run)
        }
        removeIfOver(number)
    }

    /// Breaks a connection; if half-open, only one side learns of it.
    func cut(_ number: UInt64, halfOpen: Bool) {
        guard let connection = connections[number], !connection.isOver else { return }
        trace.log(now, "connection \(number) is cut\(halfOpen ? " on one side" : "")")
        for side in [0, 1] { connections[number]?.streams[side].parcels = [] }
        let first = Int(connection.number % 2)
        breakEnd(number, first)
        if !halfOpen { after(delay(on: number)) { $0.breakEnd(number, 1 - first) } }
    }

    private func removeIfOver(_ number: UInt64) {
        guard let connection = connections[number], connection.isOver,
            connection.streams.allSatisfy({ $0.parcels.isEmpty })
        else { return }
        connections[number] = nil
    }
}
