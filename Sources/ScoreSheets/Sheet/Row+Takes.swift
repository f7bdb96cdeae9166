extension Row {
    /// What can be entered, in words.
    package var takes: String {
        switch kind {
        case .number, .rounds: range.wholeNumber
        case .text, .moves: "a text"
        }
    }
}
