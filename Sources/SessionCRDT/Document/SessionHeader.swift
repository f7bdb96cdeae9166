/// What a session says about itself: what it is called, which game it is, and how that is set.
package struct SessionHeader: Hashable, Sendable {
    /// The title; empty until it has arrived.
    package var title = ""
    /// The id of the game's sheet; nil until it has arrived.
    package var game: Symbol?
    /// Whether somebody called the session finished.
    package var isFinished = false
    /// The sheet as JSON; nil until it has arrived, and in sessions of the first versions.
    package var sheet: String?
    /// The options of the game that somebody set.
    package var options: [Symbol: Value] = [:]

    /// The header of a session of which nothing has arrived.
    package init() {}

    /// Takes in what a field of the session says now.
    ///
    /// - Returns: whether it is a field of the header; the seats, say, are not.
    @discardableResult
    package mutating func read(_ field: Symbol, _ value: Value) -> Bool {
        switch field {
        case Field.title: title = value.string ?? ""
        case Field.game: game = value.string.flatMap { Symbol($0) }
        case Field.status: isFinished = value.string == "finished"
        case Field.sheet: sheet = value.string
        default:
            guard let option = Field.optionName(of: field) else { return false }
            options[option] = value == .null ? nil : value
        }
        return true
    }
}
