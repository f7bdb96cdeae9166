import SessionCRDT

/// What a part of a match is called.
package enum SportPartWord: String, Hashable, Sendable, CaseIterable {
    /// As in table tennis.
    case game
    /// As in volleyball.
    case set

    /// The word of these settings; a sheet of somebody's own may lack it.
    init(_ settings: Settings) {
        let word = settings.values[Symbol(known: "unit")]?.string
        self = word.flatMap(SportPartWord.init) ?? .game
    }

    /// What a table shows above their number: `Games`.
    var title: String { self == .game ? "Games" : "Sets" }
}
