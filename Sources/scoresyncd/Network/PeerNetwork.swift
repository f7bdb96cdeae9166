import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Accepts and finds peers: owns the listening port, the announcements and the
/// watch on the interfaces.
@EventLoop
final class PeerNetwork: DaemonPart {
    private var listener: PeerListener?
    private var beacon: Beacon?
    private var monitor: InterfaceMonitor?
    private(set) var heard = HeardAnnouncements()

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// The port on which peers are listened to; 0 for none.
    var port: UInt16 { listener?.endpoint.port ?? 0 }

    /// Whether this daemon listens at an endpoint.
    func isOwn(_ endpoint: Endpoint) -> Bool {
        guard endpoint.port == listener?.endpoint.port else { return false }
        // All of 127/8 is this machine.
        if endpoint.address >> 24 == 127 { return true }
        let interfaces = (try? NetworkInterface.all()) ?? []
        return interfaces.contains { $0.address == endpoint.address }
    }

    /// Listens and announces; what fails is told, and tried again at each glance.
    func open() {
        if listener == nil { listen() }
        if daemon.options.isDiscovering, beacon == nil { beginAnnouncing() }
    }

    /// Lets nobody in any more, and announces nothing.
    func close() {
        listener?.close()
        beacon?.close()
    }

    /// Broadcasts an announcement, in as many datagrams as it needs.
    func announce(_ announcement: Announcement) {
        beacon?.send(AnnouncementCoding.encode(announcement))
    }

    // MARK: For who asks

    /// The reason why peers cannot connect; nil if they can.
    var listenFailure: String? { alarms.text(of: .network, "listen") }

    /// The reason why announcements do not work; nil if they do.
    var announceFailure: String? { alarms.text(of: .network, "announce") }

    /// Whether and where it announces.
    var reach: (isEnabled: Bool, port: UInt16, names: [String]) {
        (daemon.options.isDiscovering, daemon.options.discoveryPort, daemon.options.interfaces)
    }

    /// The results of the last announcement, by address.
    var sendings: [Beacon.SendResult] { beacon?.lastResults ?? [] }

    /// Announces without a session, which concerns nobody; false where nothing may be announced.
    func sendProbe() -> Bool {
        guard let beacon, !driver.engine.isOffline else { return false }
        let device = driver.engine.device
        let probe = Announcement(
            versions: Versions.peer,
            device: device.id,
            instance: device.instance,
            port: port,
            sessions: []
        )
        beacon.send(AnnouncementCoding.encode(probe))
        return true
    }

    // MARK: Who comes in

    private func listen() {
        let ports = daemon.options.port.map { $0...$0 } ?? Ports.listening
        do throws(SystemError) {
            let opened = try PeerListener(on: queue, ports: ports, delegate: admission)
            listener = opened
            alarms.clear(.network, "listen")
            driver.handle(.listening(port: opened.endpoint.port))
        } catch {
            alarms.raise(.network, "listen", "peers cannot reach this device: \(error)")
        }
    }

    /// Admits members by the session's key and guests by a join code.
    private var admission: PeerListener.Delegate {
        PeerListener.Delegate(
            key: { [links, invites] in
                switch LinkIdentity($0) {
                case .member(let session): links.key(of: session)
                case .joiner(let hint): invites.key(for: hint)
                case nil: nil
                }
            },
            isKnown: { [links] address in links.isOfMember(address) },
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
        case .joiner(let hint): invites.welcome(transport, hint, port: port)
        case nil: transport.abort()
        }
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
                onDatagram: { [weak self] in self?.hear($0, from: $1) },
                onFailure: { [log] interface, error in
                    log.write(.warning, "announcing on \(interface): \(error)")
                }
            )
            monitor = try InterfaceMonitor(on: queue) { [links, driver] in
                links.hurry()
                driver.handle(.networkChanged)
            }
            beacon = opened
            alarms.clear(.network, "announce")
        } catch {
            let text = "other devices cannot be found by themselves: \(error)"
            alarms.raise(.network, "announce", text)
        }
    }

    /// Takes in a datagram; what is not an announcement is no business of ours.
    private func hear(_ datagram: [UInt8], from source: Endpoint) {
        guard let announcement = try? AnnouncementCoding.decode(datagram) else {
            return log.write(
                .debug,
                from: .others,
                "a datagram from \(source) is not an announcement"
            )
        }
        let now = Clock.now.uptime
        guard announcement.instance != driver.engine.device.instance else {
            return heard.hearOwn(from: source.address, at: now)
        }
        let isShared = announcement.sessions.contains { links.key(of: $0.id) != nil }
        heard.hear(announcement.device, sharesSession: isShared, at: now)
        let peer = Endpoint(address: source.address, port: announcement.port)
        if announcement.sessions.contains(where: \.isInviting), Ports.mayDial(named: peer.port) {
            joining.hear(ofInviteAt: peer)
        }
        links.hurry(to: peer)
        driver.handle(.announced(announcement, source: peer))
    }
}

/// Whether broadcasts go out and come in, for who asks.
extension PeerNetwork {
    /// The timeout for an own announcement to come back.
    private static let echoMilliseconds = 400
    private static let lookMilliseconds = 20

    /// Announces once without a session, and reports where the announcement came back.
    func probe() async -> Diagnosis.Announcing {
        let start = Clock.now.uptime
        guard sendProbe() else { return announcing(since: start, isProbed: false) }
        var checks = PeerNetwork.echoMilliseconds / PeerNetwork.lookMilliseconds
        while true {
            let found = announcing(since: start, isProbed: true)
            let isComplete = found.interfaces.allSatisfy {
                $0.heardBack || $0.failure != nil || !$0.broadcasts
            }
            guard !isComplete, checks > 0 else { return found }
            checks -= 1
            await queue.pause(for: .milliseconds(PeerNetwork.lookMilliseconds))
        }
    }

    /// Limits of probing.
    private static let mostKnocks = 16
    private static let knockMilliseconds = 400

    /// Probes addresses, all at the same time, and reports which of them answered.
    func knock(at endpoints: Set<Endpoint>) async -> [Endpoint: Diagnosis.Address] {
        let chosen = endpoints.sorted().prefix(PeerNetwork.mostKnocks)
        guard !chosen.isEmpty else { return [:] }
        return await withCheckedContinuation { continuation in
            var answers: [Endpoint: Diagnosis.Address] = [:]
            let limit = Duration.milliseconds(PeerNetwork.knockMilliseconds)
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

    private func announcing(since start: UInt64, isProbed: Bool) -> Diagnosis.Announcing {
        let heard = heard
        return Diagnosis.Announcing(enabled: reach.isEnabled, port: Int(reach.port)).with {
            $0.failure = announceFailure
            $0.probed = isProbed
            $0.only = reach.names
            $0.interfaces =
                sendings.map { sending in
                    let target = sending.target
                    return Diagnosis.Interface(
                        name: target.name,
                        address: Endpoint(address: target.address, port: 0).host
                    ).with {
                        $0.loopback = target.isLoopback
                        $0.failure = sending.failure.map { "\($0)" }
                        $0.heardBack = heard.hasEcho(from: target.address, since: start)
                    }
                } + PeerNetwork.tunnels
            $0.othersHeardMs = heard.lastOfOthers.map { Int64(clamping: Clock.now.uptime - $0) }
        }
    }

    /// The addresses of interfaces that carry no broadcasts.
    private static var tunnels: [Diagnosis.Interface] {
        let all = (try? NetworkInterface.all()) ?? []
        return all.filter { !$0.isLoopback && $0.announcementTarget == nil }.map { tunnel in
            Diagnosis.Interface(
                name: tunnel.name,
                address: Endpoint(address: tunnel.address, port: 0).host
            ).with { $0.broadcasts = false }
        }
    }
}

/// The times of announcements, from which `doctor` concludes whether broadcasts work.
///
/// Anybody can announce anything, so only a few are kept; whoever floods the network can make this
/// device forget that it has heard others, and nothing else.
struct HeardAnnouncements {
    /// The limit of devices, and of addresses of this one.
    static let most = 64

    /// The uptimes of own announcements that came back, by source address.
    private var echoes: [UInt32: UInt64] = [:]
    /// The uptimes of announcements of devices that share a session.
    private var devices: [DeviceID: UInt64] = [:]
    /// The uptime of the last announcement of any other device.
    private(set) var lastOfOthers: UInt64?

    /// Notes that an own announcement came back.
    mutating func hearOwn(from address: UInt32, at uptime: UInt64) {
        HeardAnnouncements.note(&echoes, address, uptime)
    }

    /// Notes that somebody else's came.
    mutating func hear(_ device: DeviceID, sharesSession: Bool, at uptime: UInt64) {
        lastOfOthers = uptime
        if sharesSession { HeardAnnouncements.note(&devices, device, uptime) }
    }

    /// Whether an own one came back from an address since then.
    func hasEcho(from address: UInt32, since uptime: UInt64) -> Bool {
        echoes[address].map { $0 >= uptime } ?? false
    }

    subscript(device: DeviceID) -> UInt64? { devices[device] }

    private static func note<Key: Hashable & Comparable>(
        _ times: inout [Key: UInt64],
        _ key: Key,
        _ uptime: UInt64
    ) {
        times[key] = uptime
        guard times.count > most else { return }
        let oldest = times.min { ($0.value, $0.key) < ($1.value, $1.key) }
        if let oldest { times[oldest.key] = nil }
    }
}
