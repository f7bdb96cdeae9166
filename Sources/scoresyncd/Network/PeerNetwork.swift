import ControlSocket
import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Listens for peers and discovers them: owns the port, the announcements, and the monitor of
/// network interfaces.
@EventLoop
final class PeerNetwork: DaemonPart {
    private var listener: PeerListener?
    private var beacon: Beacon?
    private var monitor: InterfaceMonitor?
    /// The program that keeps the port in the network's list of services; it may have ended.
    private var publisher: InstalledProgram.Companion?
    private(set) var heard = HeardAnnouncements()
    /// The addresses of peers with which a link stalled, and the uptime at which that happened.
    private var stalls = BoundedTable<IPAddress, UInt64>(maxCount: 64)
    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// The port on which this daemon listens for peers; 0 if it does not.
    var port: UInt16 { listener?.endpoint.port ?? 0 }

    func isOwn(_ endpoint: Endpoint) -> Bool {
        guard endpoint.port == listener?.endpoint.port else { return false }
        // All addresses in 127.0.0.0/8 belong to this machine.
        if endpoint.address.isLoopback { return true }
        let interfaces = (try? InterfaceAddress.all()) ?? []
        return interfaces.contains { $0.address == endpoint.address }
    }

    /// Starts listening and announcing; a failure raises an alarm, and the next check tries again.
    func open() {
        if listener == nil { listen() }
        if daemon.options.isDiscovering, beacon?.receiveFailure != nil || beacon == nil {
            beginAnnouncing()
        }
        publishPort()
        if !stalls.isEmpty, !stalls.values.contains(where: PeerNetwork.isRecent) {
            stalls.removeAll()
            listener?.setShortSegments(false)
        }
    }

    func close() {
        publisher = nil
        listener?.close()
        beacon?.close()
    }

    /// Broadcasts an announcement, in as many datagrams as needed.
    func announce(_ announcement: Announcement) {
        beacon?.send(AnnouncementCoding.encode(announcement))
    }

    /// Notes for the user who starts a session or invites: there is no network, or it carries no
    /// announcements.
    var notes: [String] {
        guard daemon.options.isDiscovering, let all = try? InterfaceAddress.all() else { return [] }
        if driver.engine.isOffline {
            return ["This laptop is offline. To link with others: scorectl daemon online"]
        }
        let outer = all.filter { !$0.isLoopback && !OwnAddress.isOfContainers($0.name) }
        let addresses = outer.map {
            OwnAddress(interface: $0.name, address: $0.address, prefixLength: $0.prefixLength)
        }
        guard let best = OwnAddress.ranked(addresses, peers: []).first else {
            return [
                "Not connected to a network: other laptops can join once this one is on the same"
                    + " Wi-Fi or cable."
            ]
        }
        guard outer.allSatisfy({ $0.announcementTarget == nil }) else { return [] }
        return [
            "\(best.interface) carries no announcements. On the other laptops: scorectl join CODE"
                + " --peer \(best.typed(port: port))"
        ]
    }

    /// Throws an error if this laptop is set offline, so that nothing is asked of others.
    func checkOnline() throws(ControlError) {
        guard driver.engine.isOffline else { return }
        let text = "this laptop is offline: it does not look for others or link with them"
        throw .refused(text, hint: "to go online: scorectl daemon online")
    }

    // MARK: Paths that drop long packets

    /// The time for which new connections with an address are limited, in milliseconds.
    private static let segmentLimitDuration: UInt64 = 600_000

    private static func isRecent(_ uptime: UInt64) -> Bool {
        Clock.now.uptime < uptime + segmentLimitDuration
    }

    /// Limits the segments of new connections, because a link with this address has stalled.
    ///
    /// Some paths drop long packets without reporting it (PPPoE, VPNs): short packets pass, so a
    /// link can open, but no delta arrives. If the link stalled for another reason, the limit does
    /// no harm.
    func limitSegments(with remote: Endpoint) {
        stalls[remote.address] = Clock.now.uptime
        listener?.setShortSegments(true)
    }

    func limitsSegments(with remote: Endpoint) -> Bool {
        stalls[remote.address].map(PeerNetwork.isRecent) ?? false
    }

    // MARK: Incoming connections

    private func listen() {
        let ports = daemon.options.port.map { $0...$0 } ?? Ports.listening
        do throws(SystemError) {
            let opened = try PeerListener(on: queue, ports: ports, delegate: admission)
            listener = opened
            alarms.clear(.network, "listen")
            driver.handle(.listening(port: opened.endpoint.port))
        } catch {
            alarms.raise(.network, "listen", "other laptops cannot connect to this one: \(error)")
        }
    }

    /// The admission of members by the session's key, and of guests by a join code or a knock.
    private var admission: PeerListener.Delegate {
        PeerListener.Delegate(
            key: { [sessions, invites, knocks] in
                switch LinkIdentity($0) {
                case .member(let session): sessions[session]?.facts.key
                case .joiner(let hint): invites.key(for: hint)
                case .knock(let session):
                    invites.isOpen(session) ? Secret(LinkIdentity.knockKey) : nil
                case .admission(let knock, let isKnown): knocks.key(for: knock, ofKnown: isKnown)
                case nil: nil
                }
            },
            isKnown: { [sessions] address in sessions.isOfMember(address) },
            opened: { [weak self] in self?.accept($0, $1) },
            refused: { [log] remote, reason in
                let text = "refused a connection from \(remote): \(reason)"
                log.write(.debug, from: .others, text)
            }
        )
    }

    private func accept(_ transport: TransportLink, _ identity: String) {
        switch LinkIdentity(identity) {
        case .member(let session): links.accept(transport, session)
        case .joiner(let hint): invites.welcome(transport, hint)
        case .knock(let session): knocks.accept(transport, to: session)
        case .admission(let knock, let isKnown): knocks.wait(transport, knock, isKnown: isKnown)
        case nil: transport.abort()
        }
    }

    // MARK: The network's list of services

    /// Lists the port as a service of type `_scoresync._tcp` (DNS-SD, RFC 6763), if that is wanted
    /// and this laptop is not offline.
    ///
    /// ScoreSync does not read the list, and the entry names no game, player or session: it lets
    /// other programs find the laptops that keep scores.
    func publishPort() {
        guard daemon.options.usesAvahi, port != 0, !driver.engine.isOffline else {
            publisher = nil
            return alarms.clear(.network, "publish")
        }
        if let publisher {
            guard publisher.hasEnded else { return alarms.clear(.network, "publish") }
            reportUnpublished("avahi-publish has ended; check that avahi-daemon is running")
        }
        publisher = InstalledProgram("avahi-publish")?
            .startCompanion(["-s", "ScoreSync", "_scoresync._tcp", "\(port)"])
        if publisher == nil {
            reportUnpublished("avahi-publish cannot be started; install avahi-utils")
        }
    }

    private func reportUnpublished(_ reason: String) {
        let text = "this laptop is not in the list of services: \(reason)"
        alarms.raise(.network, "publish", text)
    }

    // MARK: Announcements

    private func beginAnnouncing() {
        do throws(SystemError) {
            let opened = try Beacon(
                on: queue,
                port: daemon.options.discoveryPort,
                filter: Beacon.InterfaceFilter(
                    names: Set(daemon.options.interfaces),
                    includesLoopback: daemon.options.usesLoopback
                ),
                onDatagram: { [weak self] in self?.receive($0, from: $1) },
                onFailure: { [log] interface, error in
                    log.write(.warning, "announcing on \(interface): \(error)")
                }
            )
            // While another program still has the port, the beacon that only sends goes on.
            guard beacon == nil || opened.receiveFailure == nil else { return opened.close() }
            if monitor == nil {
                monitor = try InterfaceMonitor(on: queue) { [weak self, links, driver] in
                    self?.beacon?.joinGroups()
                    links.retryDials()
                    driver.handle(.networkChanged)
                }
            }
            beacon?.close()
            beacon = opened
            if let failure = opened.receiveFailure {
                let text = "other laptops find this one, but it does not find them: \(failure)"
                alarms.raise(.network, "announce", text)
            } else {
                alarms.clear(.network, "announce")
            }
        } catch {
            let text = "other laptops cannot be found automatically: \(error)"
            alarms.raise(.network, "announce", text)
        }
    }

    /// Handles a datagram; ignores it if it is not an announcement.
    private func receive(_ datagram: [UInt8], from source: Endpoint) {
        guard let announcement = try? AnnouncementCoding.decode(datagram) else {
            return log.write(
                .debug,
                from: .others,
                "a datagram from \(source) is not an announcement"
            )
        }
        let now = Clock.now.uptime
        guard announcement.instance != driver.engine.device.instance else {
            return heard.receiveOwn(from: source.address, at: now)
        }
        let isShared = announcement.sessions.contains { sessions[$0.id] != nil }
        heard.receive(announcement.device, sharesSession: isShared, at: now)
        let peer = Endpoint(address: source.address, port: announcement.port)
        if Ports.mayDial(named: peer.port) {
            if announcement.sessions.contains(where: \.isInviting) {
                joining.inviteAnnounced(at: peer)
            }
            nearby.announced(announcement, at: peer)
        }
        links.retryDials(to: peer)
        driver.handle(.announced(announcement, source: peer))
    }
}

/// Probes for `scorectl doctor`: whether broadcasts are sent and received, and whether peers
/// answer.
extension PeerNetwork {
    /// The time to wait until an announcement of this device comes back.
    private static let echoMilliseconds = 400
    private static let checkMilliseconds = 20
    private static let maxAnnouncements = 3
    private static let maxProbes = 16
    private static let probeMilliseconds = 400

    /// The reason why peers cannot connect; nil if they can.
    var listenFailure: String? { alarms.text(of: .network, "listen") }

    /// Broadcasts an announcement without a session; reports on which interfaces it came back.
    ///
    /// It announces up to three times, because the network may lose packets.
    func probeAnnouncing() async -> Diagnosis.Announcing {
        let start = Clock.now.uptime
        guard let beacon, !driver.engine.isOffline else { return announcing(since: start, false) }
        let probe = Announcement(
            versions: Versions.peer,
            device: device.id,
            instance: device.instance,
            port: port,
            sessions: []
        )
        let checks = PeerNetwork.echoMilliseconds / PeerNetwork.checkMilliseconds
        for check in 0..<PeerNetwork.maxAnnouncements * checks {
            if check % checks == 0 { beacon.send(AnnouncementCoding.encode(probe)) }
            let found = announcing(since: start, true)
            let isComplete = found.interfaces.allSatisfy {
                $0.heardBack || $0.failure != nil || !$0.broadcasts
            }
            if isComplete { return found }
            await queue.pause(for: .milliseconds(PeerNetwork.checkMilliseconds))
        }
        return announcing(since: start, true)
    }

    /// Connects to addresses, all at the same time; reports which of them answered.
    func probe(_ endpoints: Set<Endpoint>) async -> [Endpoint: Diagnosis.Address] {
        let chosen = endpoints.sorted().prefix(PeerNetwork.maxProbes)
        guard !chosen.isEmpty else { return [:] }
        return await withCheckedContinuation { continuation in
            var answers: [Endpoint: Diagnosis.Address] = [:]
            let limit = Duration.milliseconds(PeerNetwork.probeMilliseconds)
            for endpoint in chosen {
                Probe.connect(to: endpoint, on: queue, within: limit) { error in
                    answers[endpoint] = Diagnosis.Address(address: "\(endpoint)").with {
                        $0.outcome = error.map { Diagnosis.Outcome(errno: $0.code) } ?? .linked
                        $0.text = error.map { "\($0)" }
                        $0.agoMs = 0
                    }
                    if answers.count == chosen.count { continuation.resume(returning: answers) }
                }
            }
        }
    }

    private func announcing(since start: UInt64, _ isProbed: Bool) -> Diagnosis.Announcing {
        let options = daemon.options
        return Diagnosis.Announcing(
            enabled: options.isDiscovering,
            port: Int(options.discoveryPort)
        ).with {
            $0.failure = alarms.text(of: .network, "announce")
            $0.probed = isProbed
            $0.only = options.interfaces
            $0.interfaces =
                (beacon?.lastResults ?? []).map { result in
                    let target = result.target
                    return Diagnosis.Interface(
                        name: target.name,
                        address: "\(target.address)"
                    ).with {
                        $0.loopback = target.isLoopback
                        $0.failure = result.failure.map { "\($0)" }
                        $0.heardBack = heard.hasEcho(from: target.address, since: start)
                    }
                } + PeerNetwork.tunnels
            $0.othersHeardMs = heard.lastOfOthers.map { Int64(clamping: Clock.now.uptime - $0) }
        }
    }

    /// The interfaces that carry no announcements, each with its first address.
    private static var tunnels: [Diagnosis.Interface] {
        let all = ((try? InterfaceAddress.all()) ?? []).filter { !$0.isLoopback }
        var seen = Set(all.filter { $0.announcementTarget != nil }.map(\.name))
        return all.filter { seen.insert($0.name).inserted }.map { tunnel in
            Diagnosis.Interface(name: tunnel.name, address: "\(tunnel.address)").with {
                $0.broadcasts = false
            }
        }
    }
}
