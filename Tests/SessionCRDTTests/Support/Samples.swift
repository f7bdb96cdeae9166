import SessionCRDT
import SyncTestKit

/// Random words, keys and entries, including those that are hard to distinguish.
enum Samples {
    static func actor(_ number: UInt64) -> ActorID { ActorID(high: 0xAC, low: number) }
    static func device(_ number: UInt64) -> DeviceID { DeviceID(high: 0xDE, low: number) }
    static func player(_ number: UInt64) -> PlayerID { PlayerID(high: 0xFA, low: number) }
    static let birds = Symbol(known: "birds")
    static func cell(_ player: UInt64) -> Cell { Cell(player: self.player(player), row: birds) }

    /// An entry whose stamp is by default its sequence number.
    static func entry(
        _ actor: UInt64,
        _ sequence: UInt64,
        _ value: Value = .null,
        at stamp: UInt64? = nil
    ) -> Entry {
        Entry(
            dot: Dot(actor: self.actor(actor), sequence: sequence),
            stamp: Stamp(bits: stamp ?? sequence),
            author: device(actor),
            value: value
        )
    }

    static func vector(_ sequences: [UInt64: UInt64]) -> VersionVector {
        VersionVector(Dictionary(uniqueKeysWithValues: sequences.map { (actor($0.key), $0.value) }))
    }

    static func live(_ first: Entry, _ others: Entry...) -> LiveSet {
        LiveSet([first] + others) ?? LiveSet(first)
    }

    static func symbol(using random: inout SeededGenerator) -> Symbol {
        let words: [Symbol] = [
            Field.title, Field.name, birds, Symbol(known: "0"), Symbol(known: "03"),
            Symbol(known: "-"), Symbol(known: "."), Symbol(known: "option.a"),
        ]
        return words[Int.random(in: 0..<words.count, using: &random)]
    }

    static func id<Tag>(using random: inout SeededGenerator) -> ID<Tag> {
        Bool.random(using: &random)
            ? ID(high: 0, low: UInt64.random(in: 0...3, using: &random))
            : ID.random(using: &random)
    }

    static func value(using random: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .null
        case 1: .boolean(Bool.random(using: &random))
        case 2: .integer(Int64.random(in: -2...2, using: &random))
        case 3: .integer(Bool.random(using: &random) ? Int64.max : Int64.min)
        case 4: .text(text(using: &random))
        default:
            .foreign(kind: ExactText(text(using: &random)), text: ExactText(text(using: &random)))
        }
    }

    static func key(using random: inout SeededGenerator) -> Key {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .session(symbol(using: &random))
        case 1: .player(id(using: &random), symbol(using: &random))
        case 2: .membership(id(using: &random))
        case 3: .device(id(using: &random))
        case 4:
            .cell(
                Cell(
                    player: id(using: &random),
                    row: symbol(using: &random),
                    round: Bool.random(using: &random)
                        ? nil : [1, 3, 10, Cell.lastRound].randomElement(using: &random)
                )
            )
        default: Key(text(using: &random))
        }
    }

    /// A text of parts of keys, so that it often resembles a key.
    static func text(using random: inout SeededGenerator) -> String {
        let pieces = [
            "session", "player", "member", "device", "cell", "/", "/", "/", "birds", "title", "03",
            "0", "1000001", "1000000", "Ü", "U\u{308}", "\u{301}", "\u{212A}", "\r\n", "\u{0}",
            "\u{1F469}\u{200D}\u{1F680}", " ", "A", player(1).description,
        ]
        let count = Int.random(in: 0...7, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
}
