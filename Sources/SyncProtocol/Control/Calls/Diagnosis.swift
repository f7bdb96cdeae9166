/// What the daemon knows of why laptops may not see each other, or scores may not be kept: facts,
/// of which `scorectl doctor` makes findings.
package struct Diagnosis: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The daemon itself.
    package var daemon: DaemonSummary
    /// The file that the daemon was started from.
    package var program: Program
    /// How it finds others and is found.
    package var announcing: Announcing
    /// Why it does not listen for others; null where it does.
    @ExplicitNull package var listenFailure: String?
    /// The sessions held here, by title.
    package var sessions: [Held]
    /// Who else holds the open ones, session by session.
    package var peers: [Peer]
    /// Why a setting could not be written just now; null where it was.
    @ExplicitNull package var refusedWrite: String?
    /// What `status` says that somebody should look at.
    package var alarms: [Alarm]

    package init(
        daemon: DaemonSummary,
        program: Program,
        announcing: Announcing,
        listenFailure: String? = nil,
        sessions: [Held] = [],
        peers: [Peer] = [],
        refusedWrite: String? = nil,
        alarms: [Alarm] = []
    ) {
        self.daemon = daemon
        self.program = program
        self.announcing = announcing
        self.listenFailure = listenFailure
        self.sessions = sessions
        self.peers = peers
        self.refusedWrite = refusedWrite
        self.alarms = alarms
    }

    /// The file that a daemon was started from.
    package struct Program: Codable, Hashable, Sendable {
        /// Where it was at the start; null where the system does not tell.
        @ExplicitNull package var path: String?
        /// Whether another file, or none, is there by now.
        package var replaced: Bool

        package init(path: String?, replaced: Bool) {
            self.path = path
            self.replaced = replaced
        }
    }

    /// How a daemon finds others by broadcast.
    package struct Announcing: Codable, Hashable, Sendable {
        /// Whether it announces at all: false with `--no-discovery`.
        package var enabled: Bool
        /// The UDP port of announcements.
        package var port: Int
        /// Why it can neither announce nor hear others; null where it can.
        @ExplicitNull package var failure: String?
        /// Whether an announcement was sent to see what comes of it: not while offline.
        package var probed: Bool
        /// The only interfaces that it may use; none where it uses all.
        package var only: [String]
        /// What came of sending on each address of each interface.
        package var interfaces: [Interface]
        /// How long ago an announcement of anybody else came, in milliseconds.
        @ExplicitNull package var othersHeardMs: Int64?

        package init(
            enabled: Bool,
            port: Int,
            failure: String? = nil,
            probed: Bool,
            only: [String] = [],
            interfaces: [Interface] = [],
            othersHeardMs: Int64? = nil
        ) {
            self.enabled = enabled
            self.port = port
            self.failure = failure
            self.probed = probed
            self.only = only
            self.interfaces = interfaces
            self.othersHeardMs = othersHeardMs
        }
    }

    /// What came of announcing on one address of an interface.
    package struct Interface: Codable, Hashable, Sendable {
        /// The system's name, such as `wlan0`.
        package var name: String
        /// The address, `192.168.0.7`.
        package var address: String
        /// Whether it leads to this machine only.
        package var loopback: Bool
        /// Whether it carries broadcasts: a tunnel does not, and nothing is announced there.
        package var broadcasts: Bool
        /// Why nothing could be sent; null where it could.
        @ExplicitNull package var failure: String?
        /// Whether the announcement came back to this daemon.
        package var heardBack: Bool

        package init(
            name: String,
            address: String,
            loopback: Bool = false,
            broadcasts: Bool = true,
            failure: String? = nil,
            heardBack: Bool
        ) {
            self.name = name
            self.address = address
            self.loopback = loopback
            self.broadcasts = broadcasts
            self.failure = failure
            self.heardBack = heardBack
        }
    }

    /// A session that is held here.
    package struct Held: Codable, Hashable, Sendable {
        /// Its id.
        package var id: String
        /// Its title.
        package var title: String
        /// Whether it is finished: then it is linked only where somebody lacks something.
        package var finished: Bool
        /// Whether what is stored of it could be read.
        package var readable: Bool
        /// Whether its key is here, without which nobody can be linked.
        package var hasKey: Bool

        package init(
            id: String,
            title: String,
            finished: Bool = false,
            readable: Bool = true,
            hasKey: Bool = true
        ) {
            self.id = id
            self.title = title
            self.finished = finished
            self.readable = readable
            self.hasKey = hasKey
        }
    }
}

extension Diagnosis {
    /// Another device, in one session, or a typed address from which nobody has answered.
    package struct Peer: Codable, Hashable, Sendable {
        /// The id of the session.
        package var session: String
        /// The device's id; null for an address that nobody has answered from.
        @ExplicitNull package var device: String?
        /// The device's name, or the address.
        package var name: String
        /// Who opened the link; null where it is not linked.
        @ExplicitNull package var caller: Caller?
        /// How long it has been linked, in milliseconds.
        @ExplicitNull package var linkedMs: Int64?
        /// How far its clock is ahead of this one's, in milliseconds.
        @ExplicitNull package var clockSkewMs: Int64?
        /// How long ago an announcement of it came, in milliseconds; null where none has.
        @ExplicitNull package var heardMs: Int64?
        /// When it was last linked, where it is not now.
        @ExplicitNull package var lastSeen: Timestamp?
        /// What came of knocking just now where it listens, for one that called this device: that
        /// does not show that it can be called.
        @ExplicitNull package var knock: Address?
        /// Where it is, was or may be.
        package var addresses: [Address]

        package init(
            session: String,
            device: String?,
            name: String,
            caller: Caller? = nil,
            linkedMs: Int64? = nil,
            clockSkewMs: Int64? = nil,
            heardMs: Int64? = nil,
            lastSeen: Timestamp? = nil,
            knock: Address? = nil,
            addresses: [Address] = []
        ) {
            self.session = session
            self.device = device
            self.name = name
            self.caller = caller
            self.linkedMs = linkedMs
            self.clockSkewMs = clockSkewMs
            self.heardMs = heardMs
            self.lastSeen = lastSeen
            self.knock = knock
            self.addresses = addresses
        }
    }

    /// Who opened a link.
    package enum Caller: String, Codable, Hashable, Sendable {
        /// This device.
        case here
        /// The other one.
        case there
    }

    /// An address that is kept of the device.
    package struct Address: Codable, Hashable, Sendable {
        /// The address, `192.168.0.7:47615`.
        package var address: String
        /// Whether somebody typed it.
        package var typed: Bool
        /// What came of the last dial by this run of the daemon; null where none has ended.
        @ExplicitNull package var outcome: Outcome?
        /// The same for people; null where it became a link.
        @ExplicitNull package var text: String?
        /// How long ago that was, in milliseconds.
        @ExplicitNull package var agoMs: Int64?

        package init(
            address: String,
            typed: Bool = false,
            outcome: Outcome? = nil,
            text: String? = nil,
            agoMs: Int64? = nil
        ) {
            self.address = address
            self.typed = typed
            self.outcome = outcome
            self.text = text
            self.agoMs = agoMs
        }
    }

    /// What came of a dial.
    package enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        /// A link.
        case linked
        /// The machine answers, and nobody listens at that port.
        case refused
        /// Nothing answers.
        case silent
        /// No machine has this address in the network.
        case absent
        /// This machine knows no way to that network.
        case noWay = "no-way"
        /// A daemon answers that does not hold the session.
        case unknownSession = "unknown-session"
        /// A daemon answers that has another key for the session.
        case wrongKey = "wrong-key"
        /// Anything else.
        case failed
    }
}
