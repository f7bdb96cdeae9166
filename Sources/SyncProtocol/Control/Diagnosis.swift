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
