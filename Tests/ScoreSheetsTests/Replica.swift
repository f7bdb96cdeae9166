import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A session as one laptop has it, and the scoreboard that it keeps.
///
/// Entries merge as those of a session do: what somebody has seen and replaced does not come back.
struct Replica {
    private(set) var board: Scoreboard
    private var live: [Key: LiveSet] = [:]
    private var seen: Set<Dot> = []
    private var clock: UInt64 = 0
    private let actor: UInt64
    private let finder: Scoreboard.SheetFinder

    /// A laptop by its number, with a session of this game of which nothing has arrived.
    init(_ actor: UInt64, _ sheet: Sheet) {
        self.actor = actor
        finder = { (_: SessionHeader) throws(SheetError) in sheet }
        board = Scoreboard([:], findingSheet: finder)
    }

    /// The scoreboard of what is live, from scratch.
    var fromScratch: Scoreboard { Scoreboard(live, findingSheet: finder) }

    /// Writes over what is live here.
    mutating func write(_ mutations: [Mutation]) {
        var changes: [KeyChange] = []
        for mutation in mutations {
            clock += 1
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: actor), sequence: clock),
                stamp: Stamp(bits: clock * 4 + actor),
                author: DeviceID(high: 0, low: actor),
                value: mutation.value
            )
            seen.insert(entry.dot)
            let after = LiveSet(entry)
            changes.append(
                KeyChange(key: mutation.key, before: live[mutation.key], after: after)
            )
            live[mutation.key] = after
        }
        _ = board.apply(changes, findingSheet: finder)
    }

    /// Writes what a move writes; false where it is refused.
    @discardableResult
    mutating func play(_ words: String, using aids: inout MoveContext) -> Bool {
        let move = Move(words.split(separator: " ").map(String.init))
        guard let played = try? board.game?.play(move, in: board.book, with: &aids) else {
            return false
        }
        let options = played.options.sorted { $0.key < $1.key }.compactMap { name, value in
            Field.option(name).map { Mutation(.session($0), value) }
        }
        write(options + played.writes.flatMap { Mutation.score($0.cell, $0.value) })
        return true
    }

    /// Chooses an option, whether or not the game would let somebody here.
    mutating func choose(_ name: Symbol, _ value: Value) {
        guard let field = Field.option(name) else { return }
        write([Mutation(.session(field), value)])
    }

    /// Takes in all that another laptop has, in any order and in any batches.
    mutating func merge(_ other: Replica, using generator: inout SeededGenerator) {
        var changes: [KeyChange] = []
        for key in Set(live.keys).union(other.live.keys).sorted() {
            let (mine, theirs) = (live[key]?.entries ?? [], other.live[key]?.entries ?? [])
            let kept = mine.filter { theirs.contains($0) || !other.seen.contains($0.dot) }
            let new = theirs.filter { !seen.contains($0.dot) }
            guard let after = LiveSet(kept + new), after != live[key] else { continue }
            changes.append(KeyChange(key: key, before: live[key], after: after))
        }
        seen.formUnion(other.seen)
        clock = max(clock, other.clock)
        var rest = changes.shuffled(using: &generator)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...4, using: &generator))
            rest = rest.dropFirst(batch.count)
            for change in batch { live[change.key] = change.after }
            _ = board.apply(Array(batch), findingSheet: finder)
        }
    }
}
