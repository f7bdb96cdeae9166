import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept rubber, on hostile books")
struct BridgeKeptTests {
    private static let seeds = Seeds.below(20)
    private static let options = [Symbol(known: "order")]

    /// Somebody who plays, corrects and spoils a rubber at random.
    private struct Random: RandomPlayer {
        var garbage: Garbage
        var generator: SeededGenerator
        let rules: any GameRules

        init(seed: UInt64) throws {
            garbage = Garbage(seed: seed)
            generator = SeededGenerator(seed: seed)
            rules = try builtIn("rubber-bridge").rules
        }

        mutating func table() -> Table {
            var table = Table()
            table.players = players()
            let orders = [
                "1 \(player(1)) \(player(2));5 \(player(2)) \(player(3))", "1 \(player(2))",
                "no order", "1 \(player(2)) \(player(1))",
            ]
            if below(2) == 0 {
                table.options[Symbol(known: "order")] = .text(orders[below(orders.count)])
            }
            return table
        }

        mutating func value() -> Value {
            let deals = [
                "4S=", "1C+1", "2HX-3", "3NTXX=", "6D-1 D100", "7NT= H150", "1S= H100", "4S 10",
                "4s=", "3NT= H100", "8S=", "4S+4", "",
            ]
            return .text(deals[below(deals.count)])
        }

        mutating func cell() -> Cell {
            cell(in: "deal", or: "points", upTo: 12, strange: [nil, 0, 999, 1_000_001])
        }

        mutating func words() -> [String] {
            [["P1", "4S", "="], ["P2", "3NT-1"], ["2C", "+1"], ["P3", "1H="], ["x"], []][below(6)]
        }
    }

    @Test("hostile books, changed in batches", arguments: seeds)
    func hostile(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var law = KeptGameLaw(random.table(), random.rules)
        for step in 0..<60 {
            random.spoil(&law, Self.options, "seed \(seed), step \(step)")
        }
    }

    @Test("the order in which a book was filled does not matter", arguments: Seeds.below(10))
    func order(seed: UInt64) throws {
        var random = try Random(seed: seed)
        random.expectAnyOrder()
    }
}
