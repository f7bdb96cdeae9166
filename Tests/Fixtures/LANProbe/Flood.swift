import CPlatform
import SessionCRDT
import SyncProtocol

/// A stranger who sends all that the ports take: noise, forged announcements, connections that say
/// nothing or nonsense.
struct Flood {
    private let broadcast: platform_endpoint
    private let session: SessionID
    private let targets: [platform_endpoint]
    private var generator = SystemRandomNumberGenerator()
    private var connections: [Int32] = []
    private var counts = (datagrams: 0, connections: 0)

    init(broadcast: String, session: String, targets: [String]) {
        guard let session = SessionID(session) else { Probe.end(2, "\(session) is no session") }
        self.session = session
        self.broadcast = Flood.address(broadcast)
        self.targets = targets.map(Flood.address)
    }

    private static func address(_ text: String) -> platform_endpoint {
        var address = platform_endpoint()
        guard platform_lookup(text, &address, 1) == 1 else { Probe.end(2, "\(text) is no address") }
        return address
    }

    /// Goes on until standard input ends, then says how much it was.
    mutating func run() {
        let datagrams = platform_udp_socket(!platform_is_ipv4(broadcast))
        guard datagrams >= 0 else { Probe.end(1, "errno \(-datagrams)") }
        Probe.report("ready")
        while platform_wait(0, false, -1, 1) == 0 {
            for _ in 0..<5 { send(noise(upTo: 1_400), by: datagrams) }
            for datagram in AnnouncementCoding.encode(forgery()) { send(datagram, by: datagrams) }
            knock()
        }
        Probe.report(
            "sent \(counts.datagrams) datagrams and made \(counts.connections) connections"
        )
    }

    private mutating func send(_ bytes: [UInt8], by socket: Int32) {
        for var target in targets + [broadcast] {
            target.port = Ports.discovery
            if platform_send_to(socket, bytes, bytes.count, target, platform_ipv4(0, 0), 0) > 0 {
                counts.datagrams += 1
            }
        }
    }

    /// Somebody who is nobody, holds the session and invites.
    private mutating func forgery() -> Announcement {
        Announcement(
            versions: 1...Int.random(in: 1...9, using: &generator),
            device: DeviceID.random(using: &generator),
            instance: InstanceID.random(using: &generator),
            port: UInt16.random(in: Ports.listening, using: &generator),
            sessions: [AnnouncedSession(id: session, isInviting: Bool.random(using: &generator))]
        )
    }

    private mutating func noise(upTo count: Int) -> [UInt8] {
        (0..<Int.random(in: 1...count, using: &generator)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
    }

    /// Opens connections, says nonsense on those that are open, and keeps some of them.
    private mutating func knock() {
        for var target in targets {
            target.port = Ports.standard
            let socket = platform_tcp_socket(target)
            guard socket >= 0 else { continue }
            _ = platform_connect(socket, target)
            connections.append(socket)
            counts.connections += 1
        }
        if let open = connections.randomElement(using: &generator) {
            let words =
                Bool.random(using: &generator) ? [0x16, 3, 1] + noise(upTo: 600) : [0, 0, 0, 9]
            _ = platform_send(open, words, words.count)
        }
        while connections.count > 200 {
            platform_close(connections.remove(at: Int.random(in: 0..<200, using: &generator)))
        }
    }
}
