import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

/// Exports that no version writes, although their checks are right: somebody computed them.
struct DamagedExportTests {
    private static let numbers: [UInt64] = [
        0, 1, 2, 7, 1 << 48, UInt64(Value.largestInteger), UInt64(Value.largestInteger) + 1,
        1 << 63, .max,
    ]

    private static let texts = ["", "x", "\u{0}", String(repeating: "é", count: 40_000)]
        .map { ExactText($0) }

    private func entry(_ random: inout SeededGenerator) -> Entry {
        let number = Int64(truncatingIfNeeded: random.pick(Self.numbers) ?? 0)
        let text = random.pick(Self.texts) ?? ExactText("")
        let values: [Value] = [
            .null, .boolean(true), .integer(number), .integer(-(number == .min ? 0 : number)),
            .text(text), .foreign(kind: ExactText("r"), text: text), .integer(5), .integer(5),
        ]
        return Entry(
            dot: Dot(
                actor: ActorID(high: 0, low: UInt64(random.index(below: 3))),
                sequence: random.happens(80)
                    ? UInt64(random.index(below: 9)) : random.pick(Self.numbers) ?? 0
            ),
            stamp: Stamp(bits: random.pick(Self.numbers) ?? 0),
            author: DeviceID(high: random.pick(Self.numbers) ?? 0, low: 1),
            value: random.pick(values) ?? .null
        )
    }

    private func key(_ random: inout SeededGenerator) -> Key {
        let player = PlayerID(high: 0, low: UInt64(random.index(below: 3)))
        let round = UInt32(truncatingIfNeeded: random.pick(Self.numbers) ?? 0)
        let keys: [Key] = [
            .session(Field.title), .membership(player), .player(player, Field.name),
            .cell(Cell(player: player, row: Symbol(known: "round"), round: round)),
            .cell(Cell(player: player, row: Symbol(known: "round"))), Key(""), Key("later/x"),
            Key("player//cell/"), Key("session/\u{0}"), Key(String(repeating: "k", count: 2_000)),
        ]
        return random.pick(keys) ?? Key("")
    }

    /// The lines of a file with one session, whose checks are right.
    private func file(_ random: inout SeededGenerator) -> [[UInt8]] {
        var (rows, journal, tally, count) = (ExportRows(.entries), ExportRows(.journal), Tally(), 0)
        for _ in 0..<random.index(below: 4) {
            let key = key(&random)
            let entries = (0...random.index(below: 2)).map { _ in entry(&random) }
            for entry in entries { rows.add(entry, under: key) }
            count += entries.count
            if let live = LiveSet(entries) { tally.change(key, from: nil, to: live) }
        }
        let lines = random.index(below: 3)
        for _ in 0..<lines {
            let time = random.pick(Self.numbers) ?? 0
            journal.add(entry(&random), under: key(&random), recordedAt: time)
            if random.happens(50) { journal.add(replaced: entry(&random)) }
        }
        let seen: [UInt64] = [8, 8, 8, 0, .max]
        let actors = (0..<3 as Range<UInt64>).map { number in
            (ActorID(high: 0, low: number), random.pick(seen) ?? 8)
        }
        let facts = ExportedSession(
            id: SessionID(high: random.pick(Self.numbers) ?? 0, low: 1),
            title: "Friday",
            joinedAt: random.pick(Self.numbers) ?? 0,
            isCurrent: true,
            key: nil,
            vector: VersionVector(Dictionary(uniqueKeysWithValues: actors)),
            count: count
        )
        var hash = SipHash()
        let content = [facts.line, rows.line, journal.line]
        for line in content { hash.add(line + [0x0A]) }
        let end = ExportEnd(
            id: facts.id,
            entries: count,
            journal: lines,
            digest: tally.digest,
            check: hash
        )
        return content + [end.line, ExportEnd.line(ofFileWith: 1)]
    }

    @Test("are refused, or are sessions within all limits", arguments: [1, 2] as [UInt64])
    func rightChecks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var counts = (refused: 0, imported: 0)
        for number in 0..<1_500 {
            var reader = ExportReader()
            _ = try reader.read(Array(ExportSample.file(sessions: 0)[0].utf8))
            for line in file(&random) {
                do throws(ExportError) {
                    guard case .session(let session) = try reader.read(line) else { continue }
                    counts.imported += 1
                    check(session, "seed \(seed), file \(number)")
                } catch {
                    counts.refused += 1
                    break
                }
            }
        }
        #expect(counts.refused > 200 && counts.imported > 50, "seed \(seed): \(counts)")
    }

    private func check(_ session: ImportedSession, _ place: Comment) {
        #expect(session.entries.count == session.facts.count, place)
        let dots = session.entries.map(\.entry.dot)
        #expect(Set(dots).count == dots.count, place)
        for stored in session.entries {
            #expect(session.facts.vector.covers(stored.entry.dot), place)
            #expect(EntryLimits.violation(stored.key, stored.entry.value) == nil, place)
        }
        var map = StagedMap(CausalMap())
        let isMerged = map.merge(session.delta, journal: session.journal.map(\.line))
        #expect(isMerged, place)
        _ = map.seal()
        map.settle()
        #expect(map.committed.vector == session.facts.vector, place)
    }
}
