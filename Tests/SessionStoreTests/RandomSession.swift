import SessionCRDT
import SessionStore

/// Random batches of a session, and the state that a store must have after them.
///
/// Numbers come from the whole range of their types, even where the protocol has limits.
struct RandomSession {
    let record: SessionRecord
    private(set) var live: [Dot: KeyedEntry] = [:]
    private(set) var sequences: [ActorID: UInt64] = [:]
    private(set) var journal: [JournalRecord] = []

    private let actors: [ActorID]
    private let authors: [DeviceID]
    private let keys: [Key]

    static let texts = [
        "", "Ann", "a\0b", "\0", "👨‍👩‍👧‍👦🇳🇴", "e\u{301}", "\u{e9}", "\u{212b}", "'; DROP TABLE entry; --",
        "\u{feff}x\u{10ffff}", String(repeating: "long ", count: 3_000),
    ]

    init(using generator: inout some RandomNumberGenerator) {
        let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        record = SessionRecord(
            id: SessionID.random(using: &generator),
            key: key,
            joinedAt: generator.next()
        )
        actors = (0..<4).map { _ in ActorID.random(using: &generator) }
        authors = (0..<3).map { _ in DeviceID.random(using: &generator) }
        keys = (0..<20).map { _ in RandomSession.key(using: &generator) }
    }

    /// The expected result of loading it.
    var replica: (entries: Set<KeyedEntry>, vector: VersionVector) {
        (Set(live.values), VersionVector(sequences))
    }

    /// Creates the next batch, to be committed at a time.
    mutating func batch(
        at milliseconds: UInt64,
        using generator: inout some RandomNumberGenerator
    ) -> Batch {
        let dots = live.keys.sorted()
        let removed = dots.filter { _ in generator.next() % 3 == 0 }
        let overwritten = dots.filter { !removed.contains($0) && generator.next() % 5 == 0 }
        let fresh = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            Dot(actor: pick(actors, &generator), sequence: RandomSession.number(&generator))
        }
        var inserted: [Dot: KeyedEntry] = [:]
        for dot in overwritten + fresh {
            let entry = entry(dot, using: &generator)
            inserted[dot] = KeyedEntry(key: pick(keys, &generator), entry: entry)
        }
        let advanced = Dictionary(grouping: fresh, by: \.actor).compactMap { $1.max() }.sorted()
        let lines = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            let replaced = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                anyEntry(using: &generator)
            }
            let entry = anyEntry(using: &generator)
            return JournalLine(key: pick(keys, &generator), entry: entry, replaced: replaced)
        }
        for dot in removed { live[dot] = nil }
        live.merge(inserted) { $1 }
        for dot in advanced { sequences[dot.actor] = dot.sequence }
        for line in lines {
            let number = Int64(journal.count + 1)
            journal.append(JournalRecord(number: number, recordedAt: milliseconds, line: line))
        }
        return Batch(
            removed: removed,
            inserted: inserted.sorted { $0.key < $1.key }.map(\.value),
            advanced: advanced,
            journal: lines
        )
    }

    private func anyEntry(using generator: inout some RandomNumberGenerator) -> Entry {
        let dot = Dot(actor: pick(actors, &generator), sequence: RandomSession.number(&generator))
        return entry(dot, using: &generator)
    }

    private func entry(_ dot: Dot, using generator: inout some RandomNumberGenerator) -> Entry {
        Entry(
            dot: dot,
            stamp: Stamp(bits: RandomSession.number(&generator)),
            author: pick(authors, &generator),
            value: RandomSession.value(using: &generator)
        )
    }

    private static func value(using generator: inout some RandomNumberGenerator) -> Value {
        switch generator.next() % 6 {
        case 0: .null
        case 1: .boolean(generator.next() % 2 == 0)
        case 2: .integer(Int64(bitPattern: number(&generator)))
        case 3: .integer(Int64.random(in: -50...50, using: &generator))
        case 4: .text(pick(texts, &generator))
        default:
            .foreign(
                kind: ExactText(pick(texts, &generator)),
                text: ExactText(pick(texts, &generator))
            )
        }
    }

    private static func key(using generator: inout some RandomNumberGenerator) -> Key {
        let player = PlayerID.random(using: &generator)
        switch generator.next() % 7 {
        case 0: return .session(Field.title)
        case 1: return .player(player, Field.name)
        case 2: return .membership(player)
        case 3: return .device(DeviceID.random(using: &generator))
        case 4: return .cell(Cell(player: player, row: Symbol(known: "birds")))
        case 5: return .cell(Cell(player: player, row: Symbol(known: "round"), round: 1_000_000))
        default: return .foreign(ExactText("later/" + pick(texts, &generator)))
        }
    }

    /// A number, often an extreme one; never zero, which is not a sequence.
    private static func number(_ generator: inout some RandomNumberGenerator) -> UInt64 {
        let extremes: [UInt64] = [1, .max, 1 << 63, (1 << 63) - 1, (1 << 53) - 1]
        return generator.next() % 4 == 0 ? pick(extremes, &generator) : max(generator.next(), 1)
    }
}

func pick<Element>(
    _ elements: [Element],
    _ generator: inout some RandomNumberGenerator
) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
}
