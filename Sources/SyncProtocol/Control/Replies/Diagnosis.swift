/// Facts about why laptops may not find each other, or scores may not be saved; `scorectl doctor`
/// evaluates them.
package struct Diagnosis: Document {
    package var schema = 1
    package var daemon: DaemonSummary
    package var program: Program
    package var announcing: Announcing
    /// The reason why the daemon does not listen for peers; null if it does.
    @ExplicitNull package var listenFailure: String?
    /// The sessions held here, by title.
    package var sessions: [Held] = []
    /// The peers of open sessions, grouped by session.
    package var peers: [Peer] = []
    /// The reason why the test write of a setting failed; null if it succeeded.
    @ExplicitNull package var refusedWrite: String?
    /// The alarms that `status` reports.
    package var alarms: [Alarm] = []

    package init(daemon: DaemonSummary, program: Program, announcing: Announcing) {
        (self.daemon, self.program, self.announcing) = (daemon, program, announcing)
    }

    /// The program file from which the daemon was started.
    package struct Program: Document {
        /// The path of the program; null if the system does not report it.
        @ExplicitNull package var path: String?
        /// Whether there is now another file at that path, or none.
        package var replaced: Bool

        package init(path: String?, replaced: Bool) {
            (self.path, self.replaced) = (path, replaced)
        }
    }

    /// Discovery by announcements.
    package struct Announcing: Document {
        /// Whether discovery is enabled; false with `--no-discovery`.
        package var enabled: Bool
        package var port: Int
        /// The reason why the daemon can neither send nor receive announcements; null if it can.
        @ExplicitNull package var failure: String?
        /// Whether a test announcement was sent, which is not done while offline.
        package var probed = false
        /// The names of the interfaces that the daemon is limited to; empty for all.
        package var only: [String] = []
        /// The results of the test announcement for each address of each interface.
        package var interfaces: [Interface] = []
        /// The time since the last announcement from another device, in milliseconds.
        @ExplicitNull package var othersHeardMs: Int64?

        package init(enabled: Bool, port: Int) { (self.enabled, self.port) = (enabled, port) }
    }

    /// The result of the test announcement on one address of an interface.
    package struct Interface: Document {
        /// The system's name, such as `wlan0`.
        package var name: String
        /// The IP address, `192.168.0.7`.
        package var address: String
        package var loopback = false
        /// Whether the interface carries announcements; a tunnel, for example, does not.
        package var broadcasts = true
        /// The reason why sending failed; null if it succeeded.
        @ExplicitNull package var failure: String?
        package var heardBack = false

        package init(name: String, address: String) { (self.name, self.address) = (name, address) }
    }

    package struct Held: Document {
        package var id: String
        package var title: String
        /// Whether the session is finished; such a session is linked only while a peer lacks some
        /// of it.
        package var finished = false
        package var readable = true
        /// Whether this device has the session's key, without which no peer can be linked.
        package var hasKey = true

        package init(id: String, title: String) { (self.id, self.title) = (id, title) }
    }

    /// Another device in one session, or a typed address from which no device has answered.
    package struct Peer: Document {
        package var session: String
        /// The device's id; null for an address from which no device has answered.
        @ExplicitNull package var device: String?
        /// The device's name, or the address.
        package var name: String
        /// The side that opened the link; null if the peer is not linked.
        @ExplicitNull package var caller: Caller?
        /// The age of the link, in milliseconds.
        @ExplicitNull package var linkedMs: Int64?
        /// The milliseconds by which the peer's clock is ahead of this device's.
        @ExplicitNull package var clockSkewMs: Int64?
        /// The time since the peer's last announcement, in milliseconds; null if there was none.
        @ExplicitNull package var heardMs: Int64?
        /// The time at which the peer was last linked; null while it is linked.
        @ExplicitNull package var lastSeen: Timestamp?
        /// The result of a test dial to the address at which the peer listens, if the peer opened
        /// the link: such a link does not show that this device can dial the peer.
        @ExplicitNull package var probe: Address?
        /// The peer's current, former and possible addresses.
        package var addresses: [Address] = []

        package init(session: String, device: String?, name: String) {
            (self.session, self.device, self.name) = (session, device, name)
        }

        private enum CodingKeys: String, CodingKey {
            case session, device, name, caller, linkedMs, clockSkewMs, heardMs, lastSeen
            case probe = "knock"
            case addresses
        }
    }

    /// The device that opened a link.
    package enum Caller: String, Document {
        case here
        case there
    }

    package struct Address: Document {
        package var address: String
        package var typed = false
        /// The result of the last dial during this run of the daemon; null if no dial has ended.
        @ExplicitNull package var outcome: Outcome?
        /// The outcome as a text for people; null if the dial led to a link.
        @ExplicitNull package var text: String?
        /// The time since the last dial, in milliseconds.
        @ExplicitNull package var agoMs: Int64?

        package init(address: String) { self.address = address }
    }

    package enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        case linked
        /// The machine answers, but no program listens at that port.
        case refused
        case silent
        /// No machine on the network has this address.
        case absent
        /// This machine has no route to that network.
        case noWay = "no-way"
        /// The daemon that answers does not hold the session.
        case unknownSession = "unknown-session"
        /// The daemon that answers has another key for the session.
        case wrongKey = "wrong-key"
        case failed
    }
}
