import ScoreSheets

extension Standings {
    /// The notes as people read them.
    var told: [String] { notes.map(\.description) }
}

extension Played {
    /// The notes as people read them.
    var told: [String] { notes.map(\.description) }
}
