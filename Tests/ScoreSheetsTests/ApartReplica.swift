import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A laptop's replica of one session, which may be apart from another one: what it has seen, what
/// of that was replaced, and the scoreboard that it keeps.
struct ApartReplica {
    private(set) var board: Scoreboard
    private(set) var live: [Key: LiveSet] = [:]
    private var seen: [Key: Set<Entry>] = [:]
    private var replaced: Set<Dot> = []
    private var clock: UInt64 = 0
    private let device: UInt64
    private let finder: Scoreboard.SheetFinder

    /// A replica of nothing, on a device of this number.
    init(_ device: UInt64, of sheet: Sheet) {
        self.device = device
        finder = { (_: SessionHeader) throws(SheetError) in sheet }
        board = Scoreboard([:], findingSheet: finder)
    }

    /// The scoreboard of what is live, from scratch.
    var fromScratch: Scoreboard { Scoreboard(live, findingSheet: finder) }

    /// Writes over what is here, all in one change.
    mutating func write(_ writes: [(Key, Value)]) {
        clock += 1
        for (key, value) in writes {
            replaced.formUnion(live[key]?.entries.map(\.dot) ?? [])
            let dots = UInt64(seen.values.reduce(0) { $0 + $1.count } + 1)
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: device), sequence: dots),
                stamp: Stamp(bits: clock),
                author: DeviceID(high: 0, low: device),
                value: value
            )
            seen[key, default: []].insert(entry)
            settle([key])
        }
    }

    /// Takes in all that another replica has seen, key by key in a random order and in batches.
    mutating func merge(_ other: ApartReplica, using generator: inout SeededGenerator) {
        replaced.formUnion(other.replaced)
        clock = max(clock, other.clock)
        seen.merge(other.seen) { $0.union($1) }
        var keys = seen.keys.sorted().shuffled(using: &generator)[...]
        while !keys.isEmpty {
            let count = Int.random(in: 1...6, using: &generator)
            settle(Array(keys.prefix(count)))
            keys = keys.dropFirst(count)
        }
    }

    private mutating func settle(_ keys: [Key]) {
        let changes = keys.compactMap { key -> KeyChange? in
            let entries = (seen[key] ?? []).filter { !replaced.contains($0.dot) }
            guard let after = LiveSet(Array(entries)), after != live[key] else { return nil }
            defer { live[key] = after }
            return KeyChange(key: key, before: live[key], after: after)
        }
        _ = board.apply(changes, findingSheet: finder)
    }
}
