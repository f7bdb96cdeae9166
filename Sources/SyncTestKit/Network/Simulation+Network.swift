import SyncEngine
import SyncProtocol

/// The conditions that apply to the whole network, and the blocked paths.
struct NetworkConditions {
    /// The travel time of a packet, in milliseconds.
    var delay: ClosedRange<UInt64> = 0...3
    /// The percentage of announcements that is lost on each path.
    var loss = 0
    /// The percentage of announcements that arrive twice.
    var duplication = 0
    /// The blocked one-way paths, each from a laptop to another.
    private var blocked: Set<[Int]> = []

    func isOpen(from: Int, to: Int) -> Bool { from == to || !blocked.contains([from, to]) }
    mutating func block(from: Int, to: Int) { blocked.insert([from, to]) }
    mutating func unblock(from: Int, to: Int) { blocked.remove([from, to]) }
}

extension Simulation {
    func canPass(from: Int, to: Int) -> Bool {
        let (sender, receiver) = (laptops[from], laptops[to])
        return sender.isOn && receiver.isOn && network.isOpen(from: from, to: to)
            && !isWalled(from, to) && sender.breakage != .isolated
            && receiver.breakage != .isolated && receiver.breakage != .deaf
    }

    private func isWalled(_ one: Int, _ other: Int) -> Bool {
        scenario.partitions.contains([min(one, other), max(one, other)])
    }

    func canDial(from: Laptop, to: Laptop) -> Bool {
        !scenario.firewalled.contains(to.index) && !isWalled(from.index, to.index)
    }

    func broadcast(_ announcement: Announcement, from laptop: Laptop) {
        guard scenario.hasBroadcast else { return }
        let source = Endpoint(address: laptop.address, port: announcement.port)
        guard !scenario.usesBytes || survivesEncoding(announcement) else {
            return checker.fail("an announcement was not understood")
        }
        for other in laptops where canPass(from: laptop.index, to: other.index) {
            let loss = max(network.loss, scenario.announcementLoss)
            var copies = laptop.random.happens(loss) ? 0 : 1
            if copies == 1, laptop.random.happens(network.duplication) { copies = 2 }
            for _ in 0..<copies {
                after(delay(of: laptop)) { $0.hear(announcement, from: source, at: other) }
            }
        }
    }

    private func survivesEncoding(_ announcement: Announcement) -> Bool {
        let datagrams = AnnouncementCoding.encode(announcement)
        return datagrams.compactMap { try? AnnouncementCoding.decode($0) } == [announcement]
    }

    func hear(_ announcement: Announcement, from source: Endpoint, at laptop: Laptop) {
        // The network does not keep datagrams for a sleeping machine.
        guard !laptop.isAsleep else { return }
        deliver(.announced(announcement, source: source), to: laptop)
    }

    func delay(of laptop: Laptop) -> UInt64 { laptop.random.next(in: network.delay) }

    func delay(on number: UInt64) -> UInt64 {
        connections[number]?.random.next(in: network.delay) ?? 0
    }

    /// Starts a dial; the result is a connection, or a failure after a while.
    func dial(_ target: DialTarget, from laptop: Laptop, _ run: Laptop.Run) {
        after(delay(of: laptop)) { $0.arrive(at: target, from: laptop, run) }
    }

    private func arrive(at target: DialTarget, from laptop: Laptop, _ run: Laptop.Run) {
        func fail(after delay: UInt64, _ failure: DialFailure) {
            after(delay) { $0.fail(target, failure, for: laptop, run) }
        }
        let host = laptops.first { $0.endpoint.address == target.endpoint.address && $0.isOn }
        let isFirewalled = host.map { scenario.firewalled.contains($0.index) && $0 !== laptop }
        if isFirewalled == true { checker.record(.firewall) }
        guard let host, canPass(from: laptop.index, to: host.index),
            canPass(from: host.index, to: laptop.index), !host.isAsleep,
            isFirewalled == false
        else { return fail(after: 3_000, .unreachable) }
        guard host.endpoint == target.endpoint, let answering = host.run else {
            return fail(after: delay(of: laptop), .unreachable)
        }
        guard host.disk.sessions[target.session] != nil else {
            return fail(after: delay(of: laptop), .unknownSession)
        }
        connect(target, laptop, run, host, answering)
    }

    private func fail(
        _ target: DialTarget,
        _ failure: DialFailure,
        for laptop: Laptop,
        _ run: Laptop.Run
    ) {
        let (session, endpoint) = (target.session, target.endpoint)
        deliver(.dialFailed(session, endpoint, failure), to: laptop, run: run.number)
    }

    private func connect(
        _ target: DialTarget,
        _ laptop: Laptop,
        _ run: Laptop.Run,
        _ host: Laptop,
        _ answering: Laptop.Run
    ) {
        guard laptop.run === run else { return }
        let number = next(\.connection)
        let ends = [(laptop, run), (host, answering)].map { laptop, run in
            Connection.End(
                laptop: laptop.index,
                run: run.number,
                address: laptop.address,
                link: LinkID(next(\.link))
            )
        }
        connections[number] = Connection(
            number: number,
            session: target.session,
            target: target.endpoint,
            random: laptop.random.branch(),
            ends: ends
        )
        run.links[ends[0].link] = (number, 0)
        answering.links[ends[1].link] = (number, 1)
        let ephemeral = Endpoint(address: laptop.address, port: UInt16(50_000 + number % 10_000))
        after(delay(on: number)) { $0.reportLink(number, 1, remote: ephemeral, .accepted) }
        // A handshake may fail at its last step: then only the accepting side has a link.
        if areFaultsOn, connections[number]?.random.happens(2) == true {
            return after(delay(on: number)) { simulation in
                simulation.connections[number]?.ends[0].state = .closed
                run.links[ends[0].link] = nil
                simulation.put(.end, into: number, from: 0)
                simulation.fail(target, .unreachable, for: laptop, run)
            }
        }
        after(delay(on: number)) { $0.reportLink(number, 0, remote: target.endpoint, .dialled) }
    }

    private func reportLink(_ number: UInt64, _ side: Int, remote: Endpoint, _ linkSide: LinkSide) {
        guard let connection = connections[number], connection.ends[side].state == .pending
        else { return }
        let end = connection.ends[side]
        let laptop = laptops[end.laptop]
        guard laptop.run?.number == end.run else { return }
        guard !laptop.isAsleep else {
            return after(100) { $0.reportLink(number, side, remote: remote, linkSide) }
        }
        connections[number]?.ends[side].state = .open
        deliver(.linked(end.link, connection.session, remote, linkSide), to: laptop)
    }
}
