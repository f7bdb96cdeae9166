import SessionCRDT
import SyncTestKit
import Testing

struct StagedMapTests {
    private let key = Key.cell(Samples.cell(1))
    private let title = Key.session(Field.title)

    @Test("Changes that are not on disk are only in the head")
    func committedView() {
        var map = StagedMap(CausalMap())
        let first = Samples.entry(1, 1, .integer(1))
        map.write(first, under: key)
        #expect(map.hasOpenChanges && map.head(key) == LiveSet(first))
        #expect(map.committed.contents == CausalMap().contents)
        _ = map.seal()
        #expect(map.isSealed && !map.hasOpenChanges && map.head(key) == LiveSet(first))
        #expect(map.committed.contents == CausalMap().contents)
        #expect(map.committed.delta(since: VersionVector()) == nil)

        let second = Samples.entry(1, 2, .integer(2))
        map.write(second, under: key)
        #expect(map.head(key) == LiveSet(second))
        #expect(map.headLive.dictionary == [key: LiveSet(second)])
        map.settle()
        #expect(map.committed.contents == States.written((key, first)).contents)
        #expect(map.head(key) == LiveSet(second))
        #expect(map.headVector == Samples.vector([1: 2]))
    }

    @Test("A batch has the changes on disk and the journal")
    func batch() {
        let old = Samples.entry(1, 1, .integer(1))
        var map = StagedMap(States.written((key, old)))
        let between = Samples.entry(2, 1, .integer(2))
        let last = Samples.entry(2, 2, .integer(3))
        let name = Samples.entry(2, 3, .text("Friday"))
        map.write(between, under: key)
        map.write(last, under: key)
        map.write(name, under: title)
        let batch = map.seal()
        #expect(
            batch
                == Batch(
                    removed: [old.dot],
                    inserted: [
                        KeyedEntry(key: key, entry: last), KeyedEntry(key: title, entry: name),
                    ],
                    advanced: [name.dot],
                    journal: [
                        JournalLine(key: key, entry: between, replaced: [old]),
                        JournalLine(key: key, entry: last, replaced: [between]),
                        JournalLine(key: title, entry: name, replaced: []),
                    ]
                )
        )
    }

    @Test("The journal of a merged delta has the latest write last, with what was replaced")
    func mergedBatch() throws {
        let old = Samples.entry(1, 1, .integer(1), at: 1)
        let base = States.written((key, old))
        let left = Samples.entry(2, 1, .integer(2), at: 3)
        let right = Samples.entry(3, 1, .integer(3), at: 2)
        let sender = try States.merged(
            States.written(base, (key, left)),
            with: States.written(base, (key, right))
        )
        var map = StagedMap(base)
        let isTaken = map.merge(try #require(sender.delta(since: base.vector)))
        #expect(isTaken)
        let batch = map.seal()
        #expect(
            batch
                == Batch(
                    removed: [old.dot],
                    inserted: [left, right].map { KeyedEntry(key: key, entry: $0) },
                    advanced: [left.dot, right.dot],
                    journal: [
                        JournalLine(key: key, entry: right, replaced: []),
                        JournalLine(key: key, entry: left, replaced: [old]),
                    ]
                )
        )
    }

    @Test("There is no empty batch")
    func nothing() throws {
        let state = States.written((key, Samples.entry(1, 1)))
        var map = StagedMap(state)
        let none = map.seal()
        let isTaken = map.merge(try #require(state.delta(since: VersionVector())))
        let isUnionTaken = map.merge(state.union)
        #expect(isTaken && isUnionTaken && !map.hasOpenChanges)
        let noneAgain = map.seal()
        #expect(none == nil && noneAgain == nil)
        map.settle()
        #expect(map.committed.contents == state.contents)
    }

    @Test("A delta that only advances the vector reaches the disk")
    func vectorOnly() throws {
        var map = StagedMap(CausalMap())
        let delta = try Delta(base: VersionVector(), upto: Samples.vector([1: 3]), changes: [])
        let isTaken = map.merge(delta)
        let last = Dot(actor: Samples.actor(1), sequence: 3)
        let batch = map.seal()
        #expect(isTaken)
        #expect(batch == Batch(removed: [], inserted: [], advanced: [last], journal: []))
        map.settle()
        #expect(map.committed.vector == Samples.vector([1: 3]))
    }

    @Test("A failed batch is dropped with everything built on it")
    func discard() {
        let old = States.written((key, Samples.entry(1, 1, .integer(1))))
        var map = StagedMap(old)
        map.write(Samples.entry(1, 2, .integer(2)), under: key)
        _ = map.seal()
        map.write(Samples.entry(1, 3, .integer(3)), under: key)
        map.discard()
        #expect(!map.isSealed && !map.hasOpenChanges)
        #expect(map.headVector == old.vector)
        #expect(map.headLive == old.live)
        #expect(map.committed.contents == old.contents)
        // Written again by a new actor.
        map.write(Samples.entry(2, 1, .integer(4)), under: key)
        let batch = map.seal()
        #expect(batch?.removed == [Dot(actor: Samples.actor(1), sequence: 1)])
    }

    @Test("A delta can depend on a batch that is being written")
    func mergeOverSealed() throws {
        let other = States.written((key, Samples.entry(2, 1, .integer(2))))
        let delta = try #require(other.delta(since: VersionVector()))
        var map = StagedMap(CausalMap())
        map.write(Samples.entry(1, 1, .integer(1)), under: key)
        _ = map.seal()
        let isTaken = map.merge(delta)
        #expect(isTaken)
        #expect(map.head(key)?.count == 2)
        #expect(map.committed[key] == nil)
        map.settle()
        #expect(map.committed[key]?.count == 1)
        _ = map.seal()
        map.settle()
        #expect(map.committed[key]?.count == 2)
    }

    @Test("A stored entry that the vector does not cover is found when loading")
    func unseen() {
        let entry = Samples.entry(1, 2)
        let stored = [KeyedEntry(key: key, entry: entry)]
        #expect(throws: CausalMapError.unseen(entry.dot)) {
            try CausalMap(entries: stored, vector: Samples.vector([1: 1]))
        }
    }
}
