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
