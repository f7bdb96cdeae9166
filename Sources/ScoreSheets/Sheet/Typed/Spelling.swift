import SessionCRDT

/// What a word is likely to mean that is no known name.
package enum Spelling {
    /// The names that begin with a word, else the nearest that are a typing error or two away.
    package static func near(_ word: String, among names: [String]) -> [String] {
        let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
        if !begun.isEmpty { return begun }
        let measured = names.map { ($0, distance(word, $0)) }
        let limit = max(1, min(2, word.count / 2))
        let best = measured.map(\.1).min() ?? 0
        return best <= limit ? measured.filter { $0.1 == best }.map(\.0) : []
    }

    /// How many letters must be changed, added, left out or swapped with their neighbour (optimal
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

/// What somebody means by a name that may be shortened.
///
/// Case does not count. The whole id goes before the whole label, that before the beginning of
/// either; where several remain, nobody guesses. An accent counts only where it is typed: `jose` is
/// José where nobody is Jose, and `zo` could be either of Zoé and Zora.
package enum Match<Item> {
    /// Exactly this one.
    case one(Item)
    /// Nothing.
    case none
    /// Any of these, in their order.
    case many([Item])

    /// What `text` means among the items with these names; an empty text means nothing.
    package init(_ text: String, among items: [Item], _ names: ((Item) -> String)...) {
        self.init(text, among: items, aliases: { _ in [] }, names)
    }

    /// What `text` means among the items with these names; an alias counts only as a whole, and
    /// goes before all names but the first.
    package init(
        _ text: String,
        among items: [Item],
        aliases: @escaping (Item) -> [String],
        _ names: [(Item) -> String]
    ) {
        let wanted = text.lowercased()
        let folded = Alphabet.folded(wanted)
        // Each is asked only when all before it have found nothing, which is seldom.
        var ways: [(Item) -> Bool] = names.map { name in { name($0).lowercased() == wanted } }
        ways.insert({ aliases($0).contains(wanted) }, at: min(1, ways.count))
        ways += names.map { name in { Alphabet.folded(name($0)) == folded } }
        if wanted != folded {
            ways.append { item in names.contains { $0(item).lowercased().hasPrefix(wanted) } }
        }
        ways.append { item in names.contains { Alphabet.folded($0(item)).hasPrefix(folded) } }
        self = .none
        guard !wanted.isEmpty else { return }
        for isMeant in ways {
            let found = items.filter(isMeant)
            guard let first = found.first else { continue }
            self = found.count == 1 ? .one(first) : .many(found)
            return
        }
    }
}

extension String {
    /// The text in quotation marks as a message shows it: at most 40 characters, nothing that a
    /// terminal would obey.
    package var quoted: String {
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
