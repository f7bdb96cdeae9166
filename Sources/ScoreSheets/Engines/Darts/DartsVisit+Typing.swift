extension DartsVisit {
    /// The visit that somebody types after `play`, and the darts that they say beside it.
    ///
    /// One number is a total, which may be a sum and may end in `/2`; anything else is darts, of
    /// which a bare number is a single. Case does not count, a comma separates like a space.
    package init(typed words: [String], darts said: String? = nil) throws(DartsRule) {
        let words = DartsVisit.words(in: words)
        guard !words.isEmpty else { throw .nothingTyped }
        let count: Int? = if let said { try DartsVisit.dartCount(said) } else { nil }
        if words.count == 1, let total = try DartsVisit.total(words[0], count) {
            self = total
        } else {
            self = .darts(try DartsVisit.darts(typed: words, said: said))
        }
    }

    /// The words for themselves, of which several may come as one text.
    static func words(in texts: [String]) -> [String] {
        // By bytes, since a stranger may have written a long text where a visit belongs.
        texts.flatMap { text in
            text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
                .map { String(Substring($0)) }
        }
    }

    /// The darts of these words, and of as many as somebody says.
    static func darts(typed words: [String], said: String?) throws(DartsRule) -> [Dart] {
        guard !words.isEmpty else { throw .nothingTyped }
        let count: Int? = if let said { try dartCount(said) } else { nil }
        var darts: [Dart] = []
        for word in words.prefix(most) {
            guard let dart = Dart(typed: word) else { throw .notADart(word) }
            darts.append(dart)
        }
        guard words.count <= most else { throw .tooManyDarts(words.count) }
        if let count, count != darts.count { throw .otherCount(said: count, typed: darts.count) }
        return darts
    }

    /// The total or the bust that a word says; nil where it can only be a dart.
    private static func total(_ word: String, _ said: Int?) throws(DartsRule) -> DartsVisit? {
        let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let head = parts.first, parts.count <= 2 else { throw .notADart(word) }
        var count = said
        if parts.count == 2 {
            let typed = try dartCount(String(parts[1]))
            if let said, said != typed { throw .otherCount(said: said, typed: typed) }
            count = typed
        }
        if head.uppercased() == "BUST" { return .bust(darts: count ?? most) }
        guard let sum = Sum(String(head)) else {
            guard parts.count == 1 else { throw .notADart(word) }
            return nil
        }
        guard let points = sum.number, (0...999).contains(points) else {
            let shown = sum.number.map { "\($0)" } ?? String(head).quoted
            throw .impossible(shown, darts: count ?? most, isOpening: false)
        }
        return .total(Int(points), darts: count ?? most)
    }

    private static func dartCount(_ text: String) throws(DartsRule) -> Int {
        guard let count = Int(text), (1...most).contains(count) else { throw .dartCount(text) }
        return count
    }
}
