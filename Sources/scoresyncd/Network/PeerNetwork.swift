import Descriptors
import PeerTransport
import SyncEngine
import SyncProtocol

/// How peers reach this device and find it: owns the listening port, the announcements and the
/// watch on the interfaces.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class PeerNetwork: @unchecked Sendable {
    private var listener: PeerListener?
    private var beacon: Beacon?
    private var monitor: InterfaceMonitor?
    /// When announcements were heard.
    private(set) var heard = HeardAnnouncements()
    private let options: DaemonOptions
    private let links: Links
    private let invites: Invites
    private let joining: Joining
    private let loop: EngineLoop
    private let alarms: Alarms
    private let log: Log
    private let queue: EventQueue

    init(
        _ options: DaemonOptions,
        _ links: Links,
        _ invites: Invites,
        _ joining: Joining,
        _ loop: EngineLoop,
        _ alarms: Alarms,
        _ log: Log,
        on queue: EventQueue
    ) {
        self.options = options
        self.links = links
        self.invites = invites
        self.joining = joining
        self.loop = loop
        self.alarms = alarms
        self.log = log
        self.queue = queue
    }

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
        if options.isDiscovering, beacon == nil { beginAnnouncing() }
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

    /// Why others cannot be listened to; nil where they are.
    var listenFailure: String? { alarms.text(of: .network, "listen") }

    /// Why nothing can be announced or heard; nil where it can.
    var announceFailure: String? { alarms.text(of: .network, "announce") }

    /// Whether and where it announces.
    var reach: (isEnabled: Bool, port: UInt16, names: [String]) {
        (options.isDiscovering, options.discoveryPort, options.interfaces)
    }

    /// What came of the last announcement, address by address.
    var sendings: [Beacon.Sending] { beacon?.sendings ?? [] }

    /// Announces without a session, which concerns nobody; false where nothing may be announced.
    func sendProbe() -> Bool {
        guard let beacon, !loop.engine.isOffline else { return false }
        let device = loop.engine.device
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

    /// Sees whether somebody listens at an address; no error where that is so.
    func knock(
        at endpoint: Endpoint,
        within limit: Duration,
        then tell: @escaping (SystemError?) -> Void
    ) {
        Knock.at(endpoint, on: queue, within: limit, then: tell)
    }

    /// Does something on the daemon's queue after a pause.
    func later(_ pause: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.async(after: pause, work)
    }

    // MARK: Who comes in

    private func listen() {
        let ports = options.port.map { $0...$0 } ?? Ports.listening
        do throws(SystemError) {
            let opened = try PeerListener(on: queue, ports: ports, delegate: admission)
            listener = opened
            alarms.clear(.network, "listen")
            loop.handle(.listening(port: opened.endpoint.port))
        } catch {
            alarms.raise(.network, "listen", "peers cannot reach this device: \(error)")
        }
    }

    /// Who may come in: members by the session's key, guests by a join code.
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
                port: options.discoveryPort,
                reach: Beacon.Reach(
                    names: Set(options.interfaces),
                    includesLoopback: options.usesLoopback
                ),
                onDatagram: { [weak self] in self?.hear($0, from: $1) },
                onFailure: { [log] interface, error in
                    log.write(.warning, "announcing on \(interface): \(error)")
                }
            )
            monitor = try InterfaceMonitor(on: queue) { [links, loop] in
                links.hurry()
                loop.handle(.networkChanged)
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
        guard announcement.instance != loop.engine.device.instance else {
            return heard.hearOwn(from: source.address, at: now)
        }
        let isShared = announcement.sessions.contains { links.key(of: $0.id) != nil }
        heard.hear(announcement.device, sharesSession: isShared, at: now)
        let peer = Endpoint(address: source.address, port: announcement.port)
        if announcement.sessions.contains(where: \.isInviting), Ports.mayDial(named: peer.port) {
            joining.hear(ofInviteAt: peer)
        }
        links.hurry(to: peer)
        loop.handle(.announced(announcement, source: peer))
    }
}
