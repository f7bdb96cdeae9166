import SessionCRDT

/// The computer players of a session that somebody added on this laptop, and how deep each is to
/// search.
///
/// It is this laptop's own note, in its store and never on the wire: what the session's data say of
/// computers any member can write, in anybody's name.
struct OwnComputers: Hashable, Sendable {
    private var depths: [PlayerID: Int] = [:]

    /// None.
    init() {}

    /// Those of words `player:depth`; what is no such word is left out.
    init(words: String) {
        for word in words.split(separator: " ") {
            let halves = word.split(separator: ":")
            guard halves.count == 2, let player = PlayerID(halves[0]), let depth = Int(halves[1])
            else { continue }
            depths[player] = depth
        }
    }

    /// Those that a session's data name as the device's own, and say to be written by it: all that
    /// there was to go by before computers were noted.
    init(trusting entries: [KeyedEntry], by device: DeviceID) {
        for stored in entries where stored.entry.author == device {
            guard case .player(let player, Field.computer) = stored.key,
                let computer = stored.entry.value.string.flatMap({ Computer($0) }),
                computer.device == device
            else { continue }
            depths[player] = computer.depth
        }
    }

    /// Whether there is none.
    var isEmpty: Bool { depths.isEmpty }

    /// How deep the computer searches that moves for the player; nil where nobody here added it.
    func depth(of player: PlayerID) -> Int? { depths[player] }

    /// Adds those that mutations make computers of the device.
    mutating func add(_ mutations: [Mutation], by device: DeviceID) {
        for mutation in mutations {
            guard case .player(let player, Field.computer) = mutation.key,
                let computer = mutation.value.string.flatMap({ Computer($0) }),
                computer.device == device
            else { continue }
            depths[player] = computer.depth
        }
    }

    /// The words `player:depth`.
    var words: String {
        depths.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
    }
}
