import SessionCRDT
import SyncEngine
import SyncProtocol

/// What travels by the connections, in order, until they break.
extension Simulation {
    func send(_ message: PeerMessage, by link: LinkID, from laptop: Laptop, _ run: Laptop.Run) {
        guard let (number, side) = run.links[link], let connection = connections[number] else {
            return
        }
        checker.sent(message, connection.session, by: laptop)
        if case .delta = message {
            connections[number]?.ends[side].unanswered += 1
            if connection.ends[side].unanswered > 0 {
                checker.complain("a second delta went out before the first was answered")
            }
        }
        guard scenario.usesBytes else { return put(.message(message), into: number, from: side) }
        for payload in PeerMessageEncoder(message) {
            put(.payload(payload), into: number, from: side)
        }
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
        connections[number] = connection
        if starts { after(delay()) { $0.move(number, from: side) } }
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
            if sender.state == .open { after(delay()) { $0.breakEnd(number, side) } }
            return sweep(number)
        }
        connections[number]?.streams[side].tries = 0
        guard !connection.streams[side].parcels.isEmpty,
            let parcel = connections[number]?.streams[side].parcels.removeFirst()
        else {
            connections[number]?.streams[side].isMoving = false
            return sweep(number)
        }
        let isLast = connections[number]?.streams[side].parcels.isEmpty ?? true
        connections[number]?.streams[side].isMoving = !isLast
        if !isLast { after(chance.number(0...2)) { $0.move(number, from: side) } }
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
            guard let message = try connections[number]?.ends[side].decoder.receive(payload) else {
                return give(.heard(end.link), to: laptops[end.laptop], run: end.run)
            }
            deliver(message, to: end, of: number, side)
        } catch {
            checker.complain("a message was not understood: \(error)")
        }
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
        case .ack, .need: connections[number]?.ends[side].unanswered -= 1
        case .hello, .delta, .ping, .pong, .addresses, .links, .reached, .bye, .error, .welcome:
            break
        }
        let laptop = laptops[end.laptop]
        if chance.happens(3) { give(.heard(end.link), to: laptop, run: end.run) }
        give(.received(end.link, message), to: laptop, run: end.run)
    }

    /// One side learns that the connection is gone.
    func breakEnd(_ number: Int, _ side: Int) {
        guard let end = connections[number]?.ends[side], end.state != .closed else { return }
        connections[number]?.ends[side].state = .closed
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
        let first = chance.index(below: 2)
        breakEnd(number, first)
        if !halfOpen { after(delay()) { $0.breakEnd(number, 1 - first) } }
    }

    private func sweep(_ number: Int) {
        guard let connection = connections[number], connection.isOver,
            connection.streams.allSatisfy({ $0.parcels.isEmpty })
        else { return }
        connections[number] = nil
    }
}
