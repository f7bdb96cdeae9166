import SessionCRDT

/// What a game of Ghost is played for and with: its options as they hold.
struct GhostTerms {
    /// The row that holds the letters, turn by turn.
    static let letter = Symbol(known: "letter")
    /// The option that records the name of the list and its fingerprint, `english 9c1f…`.
    ///
    /// They are one value: two devices that enter the first letter while apart record one list or
    /// the other, and never the name of one with the fingerprint of the other.
    static let words = Symbol(known: "words")
    /// The option that records who plays, in their order around the table.
    static let circle = Symbol(known: "circle")

    /// The option that records the terms themselves, `4 simple`.
    ///
    /// Changed later, on a laptop that was away perhaps, they would judge letters anew and take
    /// back who has won.
    static let settled = Symbol(known: "terms")

    /// The options that nobody chooses.
    static let recorded: Set<Symbol> = [words, circle, settled]

    /// Why nothing can count in this cell, whatever row a sheet has it in; nil when it can.
    static func violation(of cell: Cell) -> RuleViolation? {
        cell.row == letter ? nil : .unknownRow(cell.row.description, candidates: [letter])
    }

    static let language = Symbol(known: "language")
    static let list = Symbol(known: "list")
    private static let minimum = Symbol(known: "minimum")
    private static let variant = Symbol(known: "variant")

    /// How many letters a word has at least that counts.
    private(set) var minimum: Int64
    /// Whether it takes five lost rounds until a player is out, and not one.
    private(set) var isTable: Bool
    /// The list that was chosen.
    let chosenList: String
    /// The list that the first letter was judged by, and its fingerprint; nil while there is none.
    let recordedList: (name: String, fingerprint: String)?
    /// The players that the first letter recorded.
    let circle: [PlayerID]

    /// The terms that the first letter recorded; nil while there are none.
    private let settled: (minimum: Int64, isTable: Bool)?

    /// How many rounds a player can lose before being out.
    var lives: Int { isTable ? 5 : 1 }

    /// The terms of a book's options, with the defaults where one is missing or wrong.
    init(_ settings: Settings) {
        func text(_ name: Symbol) -> String? {
            settings.values[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        minimum = settings.values[GhostTerms.minimum]?.integer ?? 4
        isTable = text(GhostTerms.variant) == "table"
        chosenList = text(GhostTerms.list) ?? text(GhostTerms.language) ?? "english"
        recordedList = text(GhostTerms.words).flatMap { list in
            // The name may be a path with spaces.
            list.lastIndex(of: " ").map { space in
                (String(list[..<space]), String(list[list.index(after: space)...]))
            }
        }
        let words = text(GhostTerms.settled)?.split(separator: " ") ?? []
        settled =
            words.count == 2
            ? words.first.flatMap { Int64($0) }.map { ($0, words[1] == "table") } : nil
        circle = (text(GhostTerms.circle) ?? "").split(separator: " ").compactMap { PlayerID($0) }
    }

    /// The terms of a game that has begun: those that its first letter recorded.
    func begun() -> GhostTerms {
        guard let settled else { return self }
        var terms = self
        (terms.minimum, terms.isTable) = settled
        return terms
    }

    /// The options that were changed after the first letter, and change nothing.
    func late(since chosen: GhostTerms) -> [Symbol] {
        (minimum == chosen.minimum ? [] : [GhostTerms.minimum])
            + (isTable == chosen.isTable ? [] : [GhostTerms.variant])
    }

    /// What records the terms.
    var record: Value { .text("\(minimum) \(isTable ? "table" : "simple")") }
}
