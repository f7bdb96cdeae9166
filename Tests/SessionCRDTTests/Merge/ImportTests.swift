import SessionCRDT
import Testing

struct ImportTests {
    private let key = Key.cell(Samples.cell(1))

    private func line(_ entry: Entry, _ replaced: Entry...) -> JournalLine {
        JournalLine(key: key, entry: entry, replaced: replaced)
    }

    @Test("An imported journal replaces lines of new writes, and precedes the lines of others")
    func lines() throws {
        let first = Samples.entry(1, 1, .integer(1))
        let second = Samples.entry(1, 2, .integer(2))
        let third = Samples.entry(1, 3, .integer(3))
        var map = StagedMap(States.written((key, first), (key, second)))
        let delta = try Delta(
            base: VersionVector(),
            upto: Samples.vector([1: 3]),
            changes: [KeyedLiveSet(key: key, live: LiveSet(third))]
        )
        let fits = map.merge(delta, journal: [line(first), line(third, second, first)])
        let sealed = map.seal()
        let batch = try #require(sealed)
        #expect(fits)
        #expect(batch.earlier == [line(first)])
        #expect(batch.journal == [line(third, second, first)])
        #expect(batch.removed == [second.dot])
    }

    @Test("An older import changes nothing but the journal")
    func older() throws {
        let first = Samples.entry(1, 1, .integer(1))
        let newer = Samples.entry(2, 1, .integer(9))
        var map = StagedMap(States.written((key, first), (key, newer)))
        let delta = try Delta(
            base: VersionVector(),
            upto: Samples.vector([1: 1]),
            changes: [KeyedLiveSet(key: key, live: LiveSet(first))]
        )
        var fits = map.merge(delta, journal: [])
        #expect(fits && !map.hasOpenChanges)
        fits = map.merge(delta, journal: [line(first)])
        let batch = map.seal()
        let expected = Batch(
            removed: [],
            inserted: [],
            advanced: [],
            journal: [],
            earlier: [line(first)]
        )
        #expect(fits && batch == expected)
        let changes = map.settle()
        #expect(changes.isEmpty)
        #expect(map.head(key) == LiveSet(newer))
    }
}
