import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@testable import scoresyncd

@Suite("The scoreboards of a session, on disk and as the next write finds it")
struct CachedScoreboardTests {
    private let players = (1...3).map { PlayerID(high: 0, low: UInt64($0)) }

    private func expectEqual(_ board: Scoreboard, _ other: Scoreboard, _ step: String) {
        #expect(board.standings == other.standings, "\(step)")
        #expect(board.conflicts == other.conflicts, "\(step)")
        #expect(board.header == other.header, "\(step)")
    }

    @Test(
        "equal those built from the entries, after any writes and commits",
        arguments: Seeds.below(8)
    )
    func law(seed: UInt64) throws {
        for name in ["rounds", "darts", "hearts"] {
            let sheet = try SheetLibrary.builtIn.sheet(named: name)
            let find: Scoreboard.SheetFinder = { _ in sheet }
            var random = SeededGenerator(seed: seed)
            var map = StagedMap(CausalMap())
            var sequence: UInt64 = 0
            func write(_ key: Key, _ value: Value) {
                sequence += 1
                let entry = Entry(
                    dot: Dot(actor: ActorID(high: 0, low: 1), sequence: sequence),
                    stamp: Stamp(milliseconds: 1_795_201_445_000 + sequence),
                    author: DeviceID(high: 0, low: 1),
                    value: value
                )
                let kept = random.happens(20) ? map.head(key)?.entries ?? [] : []
                map.write(entry, under: key, keeping: kept)
            }
            for player in players { write(.membership(player), .boolean(true)) }
            _ = map.seal()
            map.settle()
            let boards = CachedScoreboard(map.committed, findingSheet: find)
            let row = try #require(sheet.rows.first)
            for number in 0..<200 {
                let step = "\(name), seed \(seed), step \(number)"
                switch random.index(below: 6) {
                case 0:
                    guard !map.isSealed else { break }
                    _ = map.seal()
                case 1:
                    let before = boards.onDisk.standings
                    let changes = map.settle()
                    guard !changes.isEmpty else { break }
                    let told = boards.apply(changes, settledOn: map, findingSheet: find)
                    let isOther =
                        boards.onDisk.standings?.players.map(\.total)
                        != before?.players.map(\.total)
                    #expect(!isOther || told.isWhole || !told.lines.isEmpty, "\(step)")
                    for case .cell(let cell) in changes.map(\.key) where !told.isWhole {
                        #expect(told.cells.contains(cell), "\(step)")
                    }
                case 2 where random.happens(10):
                    write(.session(Field.title), .text("Evening \(number)"))
                default:
                    let cell = Cell(
                        player: random.pick(players) ?? players[0],
                        row: row.id,
                        round: UInt32(1 + random.index(below: 9))
                    )
                    write(.cell(cell), .integer(Int64(random.index(below: 61))))
                }
                let built = Scoreboard(map.committed.live, findingSheet: find)
                expectEqual(boards.onDisk, built, step)
                #expect(boards.standings() == built.standings, "\(step)")
                guard random.happens(70) else { continue }
                let next = boards.next(on: map, findingSheet: find)
                expectEqual(next, Scoreboard(map.headLive, findingSheet: find), step)
            }
        }
    }
}
