import ScoreSheets
import SessionCRDT
import SyncProtocol
import SyncTestKit

@testable import scoresyncd

/// A session without a daemon, in which anything is written at random.
final class WatchedTable: WatchedSession, @unchecked Sendable {
    let id = SessionID(high: 0, low: 1)
    var localContext = LocalContext()
    private(set) var board: Scoreboard
    private let played: Sheet
    private var live: [Key: LiveSet] = [:]
    private var generator: SeededGenerator
    private var writes: UInt64 = 0

    /// A table of so many players at a sheet.
    init(_ sheet: Sheet, players: Int, seed: UInt64) {
        played = sheet
        generator = SeededGenerator(seed: seed)
        board = Scoreboard([Key: LiveSet]()) { _ throws(SheetError) in sheet }
        var changes = [put(.session(Field.game), .text(sheet.id.description))]
        for number in 0..<players {
            changes.append(put(.membership(player(number)), .boolean(true)))
            changes.append(put(.player(player(number), Field.name), .text("Player \(number)")))
        }
        _ = apply(changes)
    }

    var standings: Standings? { board.standings }
    var deviceNames: DeviceNames { DeviceNames(of: live) }

    func name(of device: DeviceID) -> String { "laptop" }

    func player(_ number: Int) -> PlayerID { PlayerID(high: 0, low: UInt64(number + 1)) }

    /// The sheet from scratch.
    var show: ShowReply {
        get throws { try SheetRendering(self).show(self) }
    }

    // MARK: Writing

    /// Notes what is written under a key, over whatever was or beside it.
    func put(_ key: Key, _ value: Value, beside: Bool = false) -> KeyChange {
        writes += 1
        let entry = Entry(
            dot: Dot(actor: ActorID(high: 0, low: writes), sequence: 1),
            stamp: Stamp(milliseconds: 1_795_201_445_000 + writes),
            author: DeviceID(high: 0, low: writes % 3 + 1),
            value: value
        )
        let before = live[key]
        let kept = beside ? before?.entries ?? [] : []
        let after = LiveSet(kept + [entry]) ?? LiveSet(entry)
        live[key] = after
        return KeyChange(key: key, before: before, after: after)
    }

    /// Takes changes in; says what differs on the scoreboard by its own word.
    func apply(_ changes: [KeyChange]) -> ScoreboardChange {
        board.apply(changes) { [played] _ throws(SheetError) in played }
    }

    /// Anything: mostly a score, now and then something of the session or of this device.
    func write() -> [KeyChange] {
        switch index(below: 40) {
        case 0: return [put(.session(Field.title), .text("Evening \(writes)"))]
        case 1: return [put(.membership(anybody), .boolean(happens(50)))]
        case 2: return [put(.player(anybody, Field.name), .text("Name \(writes)"))]
        case 3: return [put(.device(DeviceID(high: 0, low: 1)), .text("laptop \(writes)"))]
        case 4:
            guard let option = pick(played.options),
                let field = Field.option(option.name)
            else { return [] }
            return [put(.session(field), value)]
        case 5...8:
            localContext.unsynced = index(below: 3)
            localContext.notes = happens(50) ? ["a note"] : []
            localContext.me = happens(50) ? anybody : nil
            localContext.next = happens(50) ? NamedSession(id: "a", title: "Next") : nil
            localContext.inUse = happens(50) ? NamedSession(id: "b", title: "Other") : nil
            return []
        default:
            return (0...index(below: 3)).map { _ in
                put(.cell(cell), value, beside: happens(15))
            }
        }
    }

    private func index(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private func happens(_ percent: Int) -> Bool { index(below: 100) < percent }

    private func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(below: elements.count)]
    }

    private var anybody: PlayerID { player(index(below: 4)) }

    private var cell: Cell {
        let rows = played.rows.map(\.id) + [Symbol(known: "stray"), Symbol(known: "a.b")]
        let row = pick(rows) ?? rows[0]
        let rounds: [UInt32?] = [nil, 0, 14, 40, 52, 1_000_000]
        let near = UInt32(1 + index(below: 8))
        let hasRounds = played.row(row)?.lastRound != nil
        let round = happens(90) ? (hasRounds ? near : nil) : pick(rounds) ?? nil
        return Cell(player: player(index(below: 5)), row: row, round: round)
    }

    private var value: Value {
        let words = ["d3", "e", "12+7", "end", "lowest", "301"]
        switch index(below: 6) {
        case 0: return .null
        case 1: return .text(pick(words) ?? "")
        case 2: return .boolean(happens(50))
        default: return .integer(Int64(index(below: 61)))
        }
    }
}
