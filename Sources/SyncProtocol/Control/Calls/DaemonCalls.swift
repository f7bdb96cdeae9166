/// What daemon and caller both speak.
package struct NegotiateReply: Codable, Hashable, Sendable {
    /// The version to use on this connection.
    package var api: Int
    /// The daemon's own version.
    package var version: String
    /// What tells builds of one version apart, for whoever starts daemons; nil where that is not
    /// known.
    package var build: String?
    /// The words with which the daemon was started, for whoever starts it anew: without its home,
    /// which the caller knows, and its name, which the home remembers; nil where there are none.
    package var options: [String]?

    package init(api: Int, version: String, build: String? = nil, options: [String]? = nil) {
        self.api = api
        self.version = version
        self.build = build
        self.options = options
    }
}

/// The daemon, its sessions and what is wrong.
package struct StatusReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The daemon itself.
    package var daemon: DaemonSummary
    /// The sessions held here, by title.
    package var sessions: [SessionSummary]
    /// What somebody should look at, the latest last.
    package var alarms: [Alarm]

    package init(daemon: DaemonSummary, sessions: [SessionSummary], alarms: [Alarm]) {
        self.daemon = daemon
        self.sessions = sessions
        self.alarms = alarms
    }
}

/// A daemon, as `status` shows it.
package struct DaemonSummary: Codable, Hashable, Sendable {
    /// Its version.
    package var version: String
    /// The device's id.
    package var device: String
    /// The device's name.
    package var name: String
    /// The id of this run.
    package var instance: String
    /// The directory of its state.
    package var home: String
    /// The TCP port on which it listens; 0 when it does not.
    package var port: Int
    /// Its process id.
    package var pid: Int
    /// Whether the user took it offline.
    package var offline: Bool

    package init(
        version: String,
        device: String,
        name: String,
        instance: String,
        home: String,
        port: Int,
        pid: Int,
        offline: Bool
    ) {
        self.version = version
        self.device = device
        self.name = name
        self.instance = instance
        self.home = home
        self.port = port
        self.pid = pid
        self.offline = offline
    }
}

/// Something that somebody should look at.
package struct Alarm: Codable, Hashable, Sendable {
    /// A word for programs: `clock-skew`, `cloned-home`, `digest-mismatch`, `storage`, `network`.
    package var kind: String
    /// The same for people.
    package var text: String

    package init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }
}

/// What this device is called now, and was called before.
package struct DaemonRenameReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1
    /// The name that it has now.
    package var name: String
    /// The name that it had.
    package var before: String

    package init(name: String, before: String) {
        self.name = name
        self.before = before
    }
}

/// What `wait` waits for.
///
/// In JSON an object whose `kind` is `ready`, `synced`, `peers` or `turn`, with `count` beside
/// `peers` and, where it is not the player of this device, `player` beside `turn`.
package enum WaitCondition: Codable, Hashable, Sendable {
    /// The daemon answers.
    case ready
    /// At least one peer is linked, and all linked peers have seen the same as this device.
    case synced
    /// At least so many peers are linked.
    case peers(Int)
    /// The player is to move; nil is the player of this device.
    case turn(player: String?)

    private enum CodingKeys: String, CodingKey {
        case kind
        case count
        case player
    }

    private enum Kind: String, Codable {
        case ready
        case synced
        case peers
        case turn
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .kind) {
        case .ready: self = .ready
        case .synced: self = .synced
        case .peers: self = .peers(try container.decode(Int.self, forKey: .count))
        case .turn:
            self = .turn(player: try container.decodeIfPresent(String.self, forKey: .player))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ready: try container.encode(Kind.ready, forKey: .kind)
        case .synced: try container.encode(Kind.synced, forKey: .kind)
        case .peers(let count):
            try container.encode(Kind.peers, forKey: .kind)
            try container.encode(count, forKey: .count)
        case .turn(let player):
            try container.encode(Kind.turn, forKey: .kind)
            try container.encodeIfPresent(player, forKey: .player)
        }
    }
}
