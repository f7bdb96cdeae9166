import ScoreSheets

/// A game that the user added to this device.
struct OwnGame: Sendable {
    /// Its sheet.
    let sheet: Sheet
    /// The JSON of the sheet as the user wrote it.
    let source: String
}
