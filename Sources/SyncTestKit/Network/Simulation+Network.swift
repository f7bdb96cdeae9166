import SessionCRDT
import SyncEngine
import SyncProtocol

/// How well the network works at the moment.
struct Weather {
    /// How long a packet takes, in milliseconds.
    var delay: ClosedRange<UInt64> = 0...3
    /// How many of a hundred announcements are lost on one way.
    var loss = 0
    /// How many of a hundred announcements arrive twice.
    var duplication = 0
    /// The one-way paths that nothing passes, from one laptop to another.
    private(set) var blocked: Set<Path> = []

    /// A way from one laptop to another.
    struct Path: Hashable {
        let from: Int
        let to: Int
    }

    func isOpen(from: Int, to: Int) -> Bool {
        from == to || !blocked.contains(Path(from: from, to: to))
    }

    mutating func block(from: Int, to: Int) { blocked.insert(Path(from: from, to: to)) }

    mutating func unblock(from: Int, to: Int) { blocked.remove(Path(from: from, to: to)) }

    mutating func clear() { blocked = [] }
}

/// Datagrams and dials.
extension Simulation {
    /// Whether packets pass from one machine to another, given the addresses they are sent to.
    func canPass(from: Int, to: Int) -> Bool {
        let (sender, receiver) = (laptops[from], laptops[to])
        return sender.isOn && receiver.isOn && weather.isOpen(from: from, to: to)
            && !isWalled(from, to) && sender.breakage != .isolated
            && receiver.breakage != .isolated && receiver.breakage != .deaf
    }

    /// Whether nothing ever passes between two.
    private func isWalled(_ one: Int, _ other: Int) -> Bool {
        scenario.walls.contains([min(one, other), max(one, other)])
    }

    /// Whether one can connect to the other when all is well.
    func canDial(from: Laptop, to: Laptop) -> Bool {
        !scenario.firewalled.contains(to.index) && !isWalled(from.index, to.index)
    }

    func broadcast(_ announcement: Announcement, from laptop: Laptop) {
        guard scenario.hasBroadcast else { return }
        let source = Endpoint(address: laptop.address, port: announcement.port)
        guard !scenario.usesBytes || survivesTheWire(announcement) else {
            return checker.complain("an announcement was not understood")
        }
        for other in laptops where canPass(from: laptop.index, to: other.index) {
            let loss = max(weather.loss, scenario.lasting)
            var copies = laptop.chance.happens(loss) ? 0 : 1
            if copies == 1, laptop.chance.happens(weather.duplication) { copies = 2 }
            for _ in 0..<copies {
                after(delay(of: laptop)) { $0.hear(announcement, from: source, at: other) }
            }
        }
    }

    private func survivesTheWire(_ announcement: Announcement) -> Bool {
        let datagrams = AnnouncementCoding.encode(announcement)
        return datagrams.compactMap { try? AnnouncementCoding.decode($0) } == [announcement]
    }

    func hear(_ announcement: Announcement, from source: Endpoint, at laptop: Laptop) {
        // Datagrams are not kept for sleepers.
        guard let run = laptop.run, !laptop.isAsleep else { return }
        give(.announced(announcement, source: source), to: laptop, run: run.number)
    }

    /// How long something takes that a laptop sends beside its connections.
    func delay(of laptop: Laptop) -> UInt64 { laptop.chance.number(weather.delay) }

    /// How long something takes on a connection.
    func delay(on connection: inout Connection) -> UInt64 {
        connection.chance.number(weather.delay)
    }

    /// The same by the connection's number.
    func delay(on number: Int) -> UInt64 {
        connections[number]?.chance.number(weather.delay) ?? 0
    }

    // MARK: Dialling

    /// Connects, or says after a while that it cannot.
    func dial(_ target: Laptop.DialTarget, from laptop: Laptop, _ run: Laptop.Run) {
        after(delay(of: laptop)) { $0.knock(target, from: laptop, run) }
    }

    private func knock(_ target: Laptop.DialTarget, from laptop: Laptop, _ run: Laptop.Run) {
        let host = laptops.first { $0.endpoint.address == target.endpoint.address && $0.isOn }
        let isFirewalled = host.map { scenario.firewalled.contains($0.index) && $0 !== laptop }
        if isFirewalled == true { checker.note(.firewall) }
        guard let host, canPass(from: laptop.index, to: host.index),
            canPass(from: host.index, to: laptop.index), !host.isAsleep,
            isFirewalled == false
        else {
            return after(3_000) { $0.fail(target, .unreachable, for: laptop, run) }
        }
        guard host.endpoint == target.endpoint, let answering = host.run else {
            return after(delay(of: laptop)) { $0.fail(target, .unreachable, for: laptop, run) }
        }
        guard host.disk.sessions[target.session] != nil else {
            return after(delay(of: laptop)) {
                $0.fail(target, .unknownSession, for: laptop, run)
            }
        }
        connect(target, laptop, run, host, answering)
    }

    private func fail(
        _ target: Laptop.DialTarget,
        _ failure: DialFailure,
        for laptop: Laptop,
        _ run: Laptop.Run
    ) {
        give(
            .dialFailed(target.session, target.endpoint, failure),
            to: laptop,
            run: run.number
        )
    }

    private func connect(
        _ target: Laptop.DialTarget,
        _ laptop: Laptop,
        _ run: Laptop.Run,
        _ host: Laptop,
        _ answering: Laptop.Run
    ) {
        guard laptop.run === run else { return }
        let number = nextConnection()
        let ends = [(laptop, run), (host, answering)].map { laptop, run in
            Connection.End(
                laptop: laptop.index,
                run: run.number,
                address: laptop.address,
                link: nextLink()
            )
        }
        connections[number] = Connection(
            number: number,
            session: target.session,
            target: target.endpoint,
            chance: laptop.chance.branch(),
            ends: ends
        )
        run.links[ends[0].link] = (number, 0)
        answering.links[ends[1].link] = (number, 1)
        let ephemeral = Endpoint(
            address: laptop.address,
            port: UInt16(50_000 + number % 10_000)
        )
        after(delay(on: number)) { $0.tell(number, 1, remote: ephemeral, .accepted) }
        // A handshake may fail on its last step: then only the other side has a link.
        if areFaultsOn, connections[number]?.chance.happens(2) == true {
            return after(delay(on: number)) { simulation in
                simulation.connections[number]?.ends[0].state = .closed
                run.links[ends[0].link] = nil
                simulation.put(.end, into: number, from: 0)
                simulation.fail(target, .unreachable, for: laptop, run)
            }
        }
        after(delay(on: number)) { $0.tell(number, 0, remote: target.endpoint, .dialled) }
    }

    /// Tells one side that it has a link.
    private func tell(_ number: Int, _ side: Int, remote: Endpoint, _ linkSide: LinkSide) {
        guard let connection = connections[number], connection.ends[side].state == .pending else {
            return
        }
        let end = connection.ends[side]
        let laptop = laptops[end.laptop]
        guard laptop.run?.number == end.run else { return }
        guard !laptop.isAsleep else {
            return after(100) { $0.tell(number, side, remote: remote, linkSide) }
        }
        connections[number]?.ends[side].state = .open
        give(
            .linked(end.link, connection.session, remote, linkSide),
            to: laptop,
            run: end.run
        )
    }
}
