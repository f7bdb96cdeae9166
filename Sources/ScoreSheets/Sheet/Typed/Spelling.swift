import SessionCRDT

package enum Spelling {
    /// Returns the names that begin with a word, else the nearest ones within one or two typing
    /// errors.
    package static func near(_ word: String, among names: [String]) -> [String] {
        let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
        if !begun.isEmpty { return begun }
        let measured = names.map { ($0, distance(word, $0)) }
        let limit = max(1, min(2, word.count / 2))
        let best = measured.map(\.1).min() ?? 0
        return best <= limit ? measured.filter { $0.1 == best }.map(\.0) : []
    }

    /// Returns the number of letters to change, add, remove or swap with their neighbour (optimal
    /// string alignment).
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var before: [Int] = []
        var row = Array(0...right.count)
        for i in left.indices {
            var next = [i + 1]
            for j in right.indices {
                let change = row[j] + (left[i] == right[j] ? 0 : 1)
                var best = min(change, row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, before[j - 1] + 1)
                }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}

/// The items that a name means, which may be shortened.
///
/// Case is ignored. A whole id has priority over a whole label, and a whole label over the
/// beginning of either; if several items remain, the name is ambiguous. Accents are significant
/// only if they are typed: `jose` is José if there is no Jose, and `zo` could be either of Zoé and
/// Zora.
package enum Match<Item> {
    case one(Item)
    case none
    case many([Item])

    /// Matches a text; an empty text matches nothing.
    package init(_ text: String, among items: [Item], _ names: ((Item) -> String)...) {
        self.init(text, among: items, aliases: { _ in [] }, names)
    }

    /// Matches a text also against aliases, which match only as a whole and have priority over all
    /// names but the first.
    package init(
        _ text: String,
        among items: [Item],
        aliases: @escaping (Item) -> [String],
        _ names: [(Item) -> String]
    ) {
        let wanted = text.lowercased()
        self = .none
        guard !wanted.isEmpty else { return }
        func match(_ isMeant: (Item) -> Bool) -> Match? {
            let found = items.filter(isMeant)
            return found.count > 1 ? .many(found) : found.first.map(Match.one)
        }
        // Each way is tried only if all before it have found nothing.
        func whole(_ name: (Item) -> String) -> Match? {
            match { name($0).lowercased() == wanted }
        }
        let exact =
            names.first.flatMap { whole($0) } ?? match { aliases($0).contains(wanted) }
            ?? names.dropFirst().lazy.compactMap { whole($0) }.first
        if let exact {
            self = exact
            return
        }
        let folded = Alphabet.folded(wanted)
        let similar =
            names.lazy.compactMap { name in match { Alphabet.folded(name($0)) == folded } }.first
            ?? match { item in
                wanted != folded && names.contains { $0(item).lowercased().hasPrefix(wanted) }
            } ?? match { item in names.contains { Alphabet.folded($0(item)).hasPrefix(folded) } }
        if let similar { self = similar }
    }
}

extension String {
    /// The text in quotation marks for a message: at most 40 characters, without control
    /// characters.
    package var quoted: String {
        let head = prefix(40)
        let shown = head.map { character in
            character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                ? "\u{FFFD}" : character
        }
        // Compares indices, because counting the characters of a long text is slow.
        return "“\(String(shown))\(head.endIndex < endIndex ? "…" : "")”"
    }

    /// The Boolean value of yes or no; nil for any other word.
    var asBoolean: Bool? {
        switch lowercased() {
        case "yes", "y", "on", "true": true
        case "no", "n", "off", "false": false
        default: nil
        }
    }
}

extension Value {
    /// The value in a message.
    var words: String {
        switch self {
        case .null: "nothing"
        case .boolean(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .text(let text): text.string.quoted
        case .foreign: "a value of a later version"
        }
    }

    /// The value in a message that does not refuse it: a number with a half without quotation marks.
    var wordsByItself: String { Points(self).map { "\($0)" } ?? words }
}

extension [Symbol] {
    /// The symbols for a message: the first forty, because an untrusted sheet may have hundreds,
    /// and a flag for each of its cells.
    var list: String {
        let shown = prefix(40).map(\.description).joined(separator: ", ")
        return count > 40 ? shown + "…" : shown
    }
}

extension [String] {
    /// A list in a sentence: `Ann, Bob and Cid`.
    var together: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// The text with the digits of all scripts, and full-width signs, as ASCII.
    var withASCIIDigits: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.numericType {
            case .decimal:
                let digit = UInt8(scalar.properties.numericValue ?? 0)
                return Unicode.Scalar(UInt8(ascii: "0") + digit)
            default:
                // The decimal separator of Arabic.
                if scalar.value == 0x066B { return "." }
                // The full-width forms of ASCII are in its order.
                guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
                return Unicode.Scalar(UInt8(scalar.value - 0xFEE0))
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
