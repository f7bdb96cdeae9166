/// A word list for searching: its words in alphabetical order, in contiguous memory.
///
/// A line of the file is a word if it consists of the letters a–z after accents are folded. Lines
/// with capitals are names; lines with apostrophes, hyphens, digits or spaces are not words of the
/// game. The list needs one byte for each letter and line break, and a search of half a million
/// words about twenty comparisons.
package struct WordList: Sendable {
    private static let lineBreak = UInt8(ascii: "\n")

    package let name: String
    package let fingerprint: String
    package let count: Int

    /// The words in order, each followed by a line break, which sorts before every letter.
    private let bytes: [UInt8]

    /// Creates the list of a file of fewer than 2³² bytes.
    package init(name: String, fingerprint: String, file: [UInt8]) {
        self.name = name
        self.fingerprint = fingerprint
        let (lines, starts) = WordList.words(of: file)
        (bytes, count) = WordList.ordered(lines, starts)
    }

    package func contains(_ word: String) -> Bool {
        index(beginning: word.utf8).map { bytes[$0 + word.utf8.count] } == WordList.lineBreak
    }

    package func hasWord(beginning: String, ofAtLeast length: Int64) -> Bool {
        guard var start = index(beginning: beginning.utf8) else { return false }
        // Words with the same beginning are adjacent.
        while start < bytes.count, bytes[start...].starts(with: beginning.utf8) {
            guard let end = bytes[start...].firstIndex(of: WordList.lineBreak) else { return false }
            if end - start >= length { return true }
            start = end + 1
        }
        return false
    }

    /// Returns the index of the first word that begins with these letters; nil if there is none or
    /// they are not letters.
    private func index(beginning letters: String.UTF8View) -> Int? {
        guard letters.allSatisfy(Alphabet.contains) else { return nil }
        let start = index(of: letters)
        return start < bytes.count && bytes[start...].starts(with: letters) ? start : nil
    }

    /// Returns the index of the first word that does not come before these letters, or the end.
    private func index(of letters: String.UTF8View) -> Int {
        var low = 0
        var high = bytes.count
        while low < high {
            var middle = (low + high) / 2
            while middle > low, bytes[middle - 1] != WordList.lineBreak { middle -= 1 }
            if let next = lineEnd(at: middle, ifBefore: letters) {
                low = next
            } else {
                high = middle
            }
        }
        return low
    }

    /// Returns the index of the word after the one at `start`, if that one comes before these
    /// letters.
    private func lineEnd(at start: Int, ifBefore letters: String.UTF8View) -> Int? {
        var index = start
        for letter in letters {
            if bytes[index] > letter { return nil }
            if bytes[index] < letter {
                while bytes[index] != WordList.lineBreak { index += 1 }
                return index + 1
            }
            index += 1
        }
        return nil
    }

    /// Returns the folded words of a file in its order, each with a line break, and the index of
    /// each.
    private static func words(of file: [UInt8]) -> (lines: [UInt8], starts: [UInt32]) {
        var lines: [UInt8] = []
        lines.reserveCapacity(file.count + 1)
        var starts: [UInt32] = []
        starts.reserveCapacity(file.count / 8)
        var start = 0
        while start < file.count {
            let end = file[start...].firstIndex(of: lineBreak) ?? file.count
            let first = lines.count
            if fold(file[start..<end], into: &lines) {
                lines.append(lineBreak)
                starts.append(UInt32(truncatingIfNeeded: first))
            } else {
                lines.removeLast(lines.count - first)
            }
            start = end + 1
        }
        return (lines, starts)
    }

    /// Appends the folded letters of a line; returns false if it is not a word, possibly after
    /// appending some of its letters.
    private static func fold(_ line: ArraySlice<UInt8>, into letters: inout [UInt8]) -> Bool {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let first = letters.count
        for byte in line {
            if Alphabet.contains(byte) {
                letters.append(byte)
            } else if byte < 0x80 {
                return false
            } else {
                letters.removeLast(letters.count - first)
                guard foldAccents(line, into: &letters) else { return false }
                break
            }
        }
        return (1...GhostLetter.maxLetters).contains(letters.count - first)
    }

    /// Folds a line that is not all ASCII.
    private static func foldAccents(_ line: ArraySlice<UInt8>, into bytes: inout [UInt8]) -> Bool {
        guard let text = String(validating: line, as: UTF8.self) else { return false }
        for character in text {
            guard let letter = Alphabet.letter(character) else { return false }
            bytes.append(letter)
        }
        return true
    }

    private static func ordered(_ lines: [UInt8], _ starts: [UInt32]) -> ([UInt8], Int) {
        // Most lists are nearly in this order, which the standard library's sort exploits.
        let sorted = starts.sorted { precedes(lines, Int($0), Int($1)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.count)
        var count = 0
        var last: Int?
        // Adjacent words are copied together.
        var run = 0..<0
        for start in sorted {
            let first = Int(start)
            if let last, !precedes(lines, last, first) { continue }
            var end = first
            while lines[end] != lineBreak { end += 1 }
            if first != run.upperBound {
                bytes.append(contentsOf: lines[run])
                run = first..<first
            }
            run = run.lowerBound..<end + 1
            count += 1
            last = first
        }
        bytes.append(contentsOf: lines[run])
        return (bytes, count)
    }

    private static func precedes(_ lines: [UInt8], _ left: Int, _ right: Int) -> Bool {
        var (left, right) = (left, right)
        while lines[left] == lines[right] {
            if lines[left] == lineBreak { return false }
            left += 1
            right += 1
        }
        return lines[left] < lines[right]
    }
}

/// The letters a–z, and the accented letters that are folded into them.
enum Alphabet {
    private static let accented: [(letter: Character, forms: String)] = [
        ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
        ("h", "ĥħ"), ("i", "ìíîïĩīĭį"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľł"), ("n", "ñńņň"),
        ("o", "òóôõöøōŏő"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűų"),
        ("w", "ŵẁẃẅ"), ("y", "ýÿŷỳ"), ("z", "źżž"),
    ]

    /// The base letter of each accented one; characters compare as Unicode does, with composed and
    /// decomposed accents alike.
    private static let letters: [Character: UInt8] = {
        var letters: [Character: UInt8] = [:]
        for (letter, forms) in accented {
            for form in forms { letters[form] = letter.asciiValue }
        }
        return letters
    }()

    static func contains(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// Returns the letter of a lower-case character without its accent; nil for other characters.
    static func letter(_ character: Character) -> UInt8? {
        if let byte = character.asciiValue { return contains(byte) ? byte : nil }
        return letters[character]
    }

    /// Returns a text in lower case without accents; characters other than letters stay.
    static func folded(_ text: String) -> String {
        let lower = text.lowercased()
        if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
        return String(
            lower.map { character in
                letters[character].map { Character(UnicodeScalar($0)) } ?? character
            }
        )
    }
}
