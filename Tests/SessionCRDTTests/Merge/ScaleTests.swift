import SessionCRDT
import SyncTestKit
import Testing

/// Sizes at which quadratic algorithms would run for minutes.
@Suite("Large maps", .timeLimit(.minutes(10)))
struct ScaleTests {
    @Test("A repair that restores every second write of an actor is not quadratic")
    func repair() throws {
        let entries = try #require(ScaleTests.whole.delta(since: VersionVector())).changes.flatMap {
            change in change.live.map { KeyedEntry(key: change.key, entry: $0) }
        }
        let half = try CausalMap(
            entries: entries.filter { $0.entry.dot.sequence.isMultiple(of: 2) },
            vector: ScaleTests.whole.vector
        )
        let repaired = try States.merged(half, with: ScaleTests.whole.union)
        #expect(repaired.contents == ScaleTests.whole.contents)
        let known = Samples.vector([1: UInt64(ScaleTests.count) - 3])
        #expect(repaired.delta(since: known) == ScaleTests.whole.delta(since: known))
    }

    @Test("Many entries under one key are not merged in quadratic time")
    func crowd() throws {
        let key = Key.cell(Samples.cell(1))
        func crowd(_ actors: ClosedRange<UInt64>) throws -> CausalMap {
            let entries = actors.map { KeyedEntry(key: key, entry: Samples.entry($0, 1)) }
            let vector = Samples.vector(
                Dictionary(uniqueKeysWithValues: actors.map { ($0, UInt64(1)) })
            )
            return try CausalMap(entries: entries, vector: vector)
        }
        let count = UInt64(ScaleTests.count)
        let merged = try States.merged(crowd(1...count / 2), with: crowd(count / 4...count))
        #expect(merged[key]?.count == ScaleTests.count)
    }

    @Test("Deltas stay small while one cell is written repeatedly")
    func rewriting() throws {
        var map = ScaleTests.whole
        let key = Key.cell(Samples.cell(1))
        for sequence in 1...UInt64(300) {
            let known = map.vector
            map = States.written(map, (key, Samples.entry(2, sequence, .integer(1))))
            #expect(map.delta(since: known)?.changes.map(\.key) == [key])
        }
        #expect(map.live.count == ScaleTests.count)
    }

    private static let count = 10_000

    private static let whole: CausalMap = {
        var staged = StagedMap(CausalMap())
        for number in 1...UInt64(count) {
            staged.write(Samples.entry(1, number), under: .cell(Samples.cell(number)))
        }
        _ = staged.seal()
        staged.settle()
        return staged.committed
    }()
}
