import SessionCRDT
import SyncTestKit
import Testing

struct DeltaTests {
    private let key = Key.cell(Samples.cell(1))
    private let title = Key.session(Field.title)

    @Test("A delta whose base is not covered is rejected and changes nothing")
    func gap() throws {
        let one = States.written((key, Samples.entry(1, 1)))
        let two = States.written(one, (title, Samples.entry(1, 2)))
        let late = try #require(two.delta(since: one.vector))
        var receiver = StagedMap(CausalMap())
        let isTaken = receiver.merge(late)
        #expect(!isTaken)
        #expect(receiver.headVector.isEmpty)
        #expect(receiver.headLive.isEmpty)
        #expect(!receiver.hasOpenChanges)
        let batch = receiver.seal()
        #expect(batch == nil)
    }

    @Test("Without the check of its base, a delta after a gap would lose a write forever")
    func gapLetThrough() throws {
        let one = States.written((key, Samples.entry(1, 1)))
        let two = States.written(one, (title, Samples.entry(1, 2)))
        let late = try #require(two.delta(since: one.vector))
        let unchecked = try Delta(base: VersionVector(), upto: late.upto, changes: late.changes)
        let receiver = try States.merged(CausalMap(), with: unchecked)
        // It counts the score as seen, so no peer ever sends it again.
        #expect(receiver.vector == two.vector)
        #expect(two.delta(since: receiver.vector) == nil)
        #expect(receiver[key] == nil)
        #expect(receiver.tally.digest != two.tally.digest)
    }

    @Test("The writes that the sender has seen, not the base, determine what was replaced")
    func uptoNotBase() throws {
        let old = States.written((key, Samples.entry(1, 1, .integer(1))))
        let new = States.written(old, (key, Samples.entry(2, 1, .integer(2))))
        // The base does not cover the old write, and still it is removed.
        let delta = try #require(new.delta(since: VersionVector()))
        #expect(try States.merged(old, with: delta)[key] == new[key])
        // The receiver's own write stays, because the sender has not seen it.
        let own = States.written(old, (key, Samples.entry(3, 1, .integer(3))))
        #expect(try States.merged(own, with: delta)[key]?.count == 2)
    }

    @Test("An old delta restores nothing")
    func stale() throws {
        let first = States.written((key, Samples.entry(1, 1, .integer(1))))
        let old = try #require(first.delta(since: VersionVector()))
        let new = States.written(first, (key, Samples.entry(2, 1, .integer(2))))
        #expect(try States.merged(new, with: old).contents == new.contents)
    }

    @Test("Only the new part of a partly old delta is merged")
    func partlyStale() throws {
        let first = States.written((key, Samples.entry(1, 1, .integer(1))))
        let sender = States.written(first, (title, Samples.entry(2, 1, .text("Friday"))))
        let delta = try #require(sender.delta(since: VersionVector()))
        let corrected = Samples.entry(3, 1, .integer(2))
        let merged = try States.merged(States.written(first, (key, corrected)), with: delta)
        #expect(merged[key] == LiveSet(corrected))
        #expect(merged[title] == sender[title])
    }

    @Test("A delta contains only the changed keys, in the order of their writes")
    func changes() throws {
        let first = States.written(
            (key, Samples.entry(1, 1)),
            (title, Samples.entry(1, 2)),
            (.cell(Samples.cell(2)), Samples.entry(1, 3))
        )
        let second = States.written(
            first,
            (title, Samples.entry(1, 4)),
            (.cell(Samples.cell(3)), Samples.entry(1, 5)),
            (title, Samples.entry(1, 6))
        )
        let delta = try #require(second.delta(since: first.vector))
        #expect(delta.changes.map(\.key) == [.cell(Samples.cell(3)), title])
        #expect(delta.base == first.vector && delta.upto == second.vector && !delta.isUnion)
    }

    @Test("Vectors with the greatest sequences do not trap")
    func hostileNumbers() throws {
        let last = Dot(actor: Samples.actor(1), sequence: .max)
        let entry = Entry(
            dot: last,
            stamp: Stamp(bits: .max),
            author: Samples.device(1),
            value: .integer(.min)
        )
        let delta = try Delta(
            base: VersionVector(),
            upto: VersionVector([last.actor: .max, Samples.actor(2): Dot.lastSequence]),
            changes: [KeyedLiveSet(key: key, live: LiveSet(entry))]
        )
        let map = try States.merged(CausalMap(), with: delta)
        #expect(map.delta(since: Samples.vector([1: .max])) != nil)
        #expect(map.delta(since: map.vector) == nil)
        #expect(map.delta(since: Samples.vector([2: .max]))?.changes == delta.changes)
        // A vector that covers unknown writes leaves nothing to send.
        #expect(map.delta(since: Samples.vector([1: .max, 2: .max, 3: .max])) == nil)
    }

    @Test("A delta with a repeated key or dot, or an uncovered dot, is unsound")
    func soundness() throws {
        let entry = Samples.entry(1, 1)
        let other = Samples.entry(1, 2)
        let upto = Samples.vector([1: 2])
        func isSound(_ changes: [(Key, LiveSet)], _ upto: VersionVector) -> Bool {
            let delta = try? Delta(
                base: VersionVector(),
                upto: upto,
                changes: changes.map { KeyedLiveSet(key: $0, live: $1) }
            )
            return delta != nil
        }
        #expect(isSound([], upto))
        #expect(isSound([(key, LiveSet(entry)), (title, LiveSet(other))], upto))
        #expect(!isSound([(key, LiveSet(entry)), (key, LiveSet(other))], upto))
        #expect(!isSound([(key, LiveSet(entry)), (title, LiveSet(entry))], upto))
        #expect(!isSound([(key, LiveSet(Samples.entry(1, 3)))], upto))
        #expect(!isSound([(key, LiveSet(Samples.entry(2, 1)))], upto))
        #expect(!isSound([(key, LiveSet(Samples.entry(1, 0)))], upto))
        let twice = try #require(LiveSet([entry, Samples.entry(1, 1, .boolean(true))]))
        #expect(!isSound([(key, twice)], upto))
    }
}
