import SessionCRDT

extension String {
    /// The text in quotation marks as a message shows it: at most 40 characters, nothing that a
    /// terminal would obey.
    var quoted: String {
        let head = prefix(40)
        let shown = head.map { character in
            character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                ? "\u{FFFD}" : character
        }
        // Nothing is counted to the end: there may be thousands of long texts.
        return "“\(String(shown))\(head.endIndex < endIndex ? "…" : "")”"
    }
}

extension String {
    /// Whether it says yes or no; nil where it says neither.
    var saysYes: Bool? {
        switch lowercased() {
        case "yes", "y", "on", "true": true
        case "no", "n", "off", "false": false
        default: nil
        }
    }
}

extension Value {
    /// The value as a message shows it.
    var words: String {
        switch self {
        case .null: "nothing"
        case .boolean(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .text(let text): text.string.quoted
        case .foreign: "a value of a later version"
        }
    }
}

extension [Symbol] {
    /// The symbols as a message lists them: the first forty, because a stranger's sheet may have
    /// hundreds, and a flag with all of them for each of its cells.
    var list: String {
        let shown = prefix(40).map(\.description).joined(separator: ", ")
        return count > 40 ? shown + "…" : shown
    }
}

extension [String] {
    /// Names as a sentence has them: `Ann, Bob and Cid`.
    var together: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
