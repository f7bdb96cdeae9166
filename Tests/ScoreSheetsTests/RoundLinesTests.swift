import ScoreSheets
import SyncTestKit
import Testing

@Suite("The lines of rounds in a table")
struct RoundLinesTests {
    @Test("are the same round by round as from scratch", arguments: Seeds.below(100))
    func law(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var used: Set<UInt32> = []
        var kept = RoundLines()
        var shown: Set<UInt32> = []
        for _ in 0..<200 {
            let isFar = Int.random(in: 0..<4, using: &generator) == 0
            let round = UInt32.random(in: 1...(isFar ? 200 : 30), using: &generator)
            let isUsed = Bool.random(using: &generator)
            if isUsed { used.insert(round) } else { used.remove(round) }
            let change = kept.mark(round, isUsed: isUsed)
            #expect(shown.isSuperset(of: change.gone) && shown.isDisjoint(with: change.new))
            shown = shown.subtracting(change.gone).union(change.new)
            #expect(kept == RoundLines(used))
            #expect(kept.rounds == shown.sorted())
        }
    }

    @Test("gaps are not filled beyond a limit")
    func limit() {
        let used = (1...UInt32(RoundLines.maxFilledRounds)).map { $0 * 2 }
        var lines = RoundLines(Set(used))
        #expect(lines.rounds.count == 2 * RoundLines.maxFilledRounds)
        let more = lines.mark(5000, isUsed: true)
        #expect(more.new == [5000] && more.gone == used.map { $0 - 1 })
        #expect(lines.rounds == used + [5000])
        let fewer = lines.mark(5000, isUsed: false)
        #expect(fewer.new == more.gone && fewer.gone == [5000])
        #expect(lines.rounds.count == 2 * RoundLines.maxFilledRounds)
    }
}
