internal import SessionCRDT

/// Decodes the bytes of a terminal into keys.
///
/// It knows the sequences of VT100 to xterm in both cursor modes, Alt as a leading escape and
/// bracketed paste (xterm, "Control Sequences"), and ignores others. Invalid UTF-8 becomes U+FFFD,
/// and no input makes it trap or buffer without limit.
struct KeyDecoder {
    static let maxPastedBytes = 4_096
    static let maxSequenceBytes = 32

    private var bytes: [UInt8] = []
    /// The beginning of a paste, until its end arrives.
    private var pasted: [UInt8]?

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Whether an escape was received that may be the Escape key or begin a sequence.
    var isPending: Bool { bytes.first == Self.escape && pasted == nil }

    mutating func keys(from new: some Sequence<UInt8>) -> [Key] {
        bytes += new
        var keys: [Key] = []
        while !bytes.isEmpty {
            if pasted != nil {
                guard let text = paste() else { break }
                keys.append(.paste(text))
                continue
            }
            guard let (key, length) = next() else { break }
            bytes.removeFirst(length)
            if let key { keys.append(key) }
        }
        return Self.joined(keys)
    }

    /// Returns the keys after a timeout, when a pending escape must be the Escape key.
    mutating func keysAfterTimeout() -> [Key] {
        guard isPending else { return [] }
        bytes.removeFirst()
        return [.escape] + keys(from: [])
    }

    /// Decodes the first key, nil for an unknown sequence, and its length; nil if it is incomplete.
    private mutating func next() -> (Key?, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case Self.escape: return sequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case ..<0x20: return (nil, 1)
        default: return character()
        }
    }

    private func character() -> (Key?, Int)? {
        let length = Self.length(ofCharacterFrom: bytes[0])
        let part = bytes.prefix(length)
        let isBroken = part.dropFirst().contains { $0 & 0xC0 != 0x80 }
        guard part.count == length || isBroken else { return nil }
        let whole = part.prefix(1) + part.dropFirst().prefix { $0 & 0xC0 == 0x80 }
        let text = String(decoding: isBroken ? whole : part, as: UTF8.self)
        return (text.first.map(Key.character), isBroken ? whole.count : length)
    }

    private static func length(ofCharacterFrom byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Combines accents and joiners with the character before them.
    private static func joined(_ keys: [Key]) -> [Key] {
        var result: [Key] = []
        for key in keys {
            if case .character(let next) = key, case .character(let last)? = result.last {
                let both = String(last) + String(next)
                if both.count == 1, let character = both.first {
                    result[result.count - 1] = .character(character)
                    continue
                }
            }
            result.append(key)
        }
        return result
    }

    private mutating func sequence() -> (Key?, Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "["), UInt8(ascii: "O"): return controlSequence()
        case UInt8(ascii: "b"): return (.wordLeft, 2)
        case UInt8(ascii: "f"): return (.wordRight, 2)
        case 0x7F, 0x08: return (.control("w"), 2)
        // The first of two escapes was the Escape key.
        case Self.escape: return (.escape, 1)
        default: return (nil, 2)
        }
    }

    private mutating func controlSequence() -> (Key?, Int)? {
        let body = bytes.dropFirst(2)
        let numbers = body.prefix { (0x20...0x3F).contains($0) }
        guard numbers.count <= Self.maxSequenceBytes else { return (nil, 2 + numbers.count) }
        guard let end = body.dropFirst(numbers.count).first else { return nil }
        let length = 3 + numbers.count
        guard (0x40...0x7E).contains(end) else { return (nil, length - 1) }
        let words = String(decoding: numbers, as: UTF8.self).split(
            separator: ";",
            omittingEmptySubsequences: false
        )
        if end == UInt8(ascii: "~"), words.first == "200" { pasted = [] }
        // The second number is one more than the bits of Ctrl and Alt.
        let isModified = words.count > 1 && (UInt8(words[1]).map { ($0 &- 1) & 6 != 0 } ?? false)
        let key =
            end == UInt8(ascii: "~")
            ? words.first.flatMap { Self.numbered[String($0)] }
            : Self.lettered[Character(Unicode.Scalar(end))]
        switch key {
        case .left where isModified: return (.wordLeft, length)
        case .right where isModified: return (.wordRight, length)
        default: return (key, length)
        }
    }

    private static let lettered: [Character: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
        "M": .enter,
    ]
    private static let numbered: [String: Key] = [
        "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]

    /// Returns the pasted text, once its end has arrived.
    private mutating func paste() -> String? {
        guard var text = pasted else { return nil }
        let end = bytes.firstRange(of: Self.pasteEnd)
        // The buffer may end with a part of the end sequence.
        let kept = end?.lowerBound ?? max(0, bytes.count - Self.pasteEnd.count + 1)
        text += bytes.prefix(min(kept, Self.maxPastedBytes - text.count))
        bytes.removeFirst(end?.upperBound ?? kept)
        pasted = end == nil ? text : nil
        return end == nil ? nil : String(decoding: text, as: UTF8.self)
    }
}

enum Key: Hashable, Sendable {
    case character(Character)
    case paste(String)
    /// A letter with Ctrl, in lower case.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, wordLeft, wordRight, home, end, pageUp, pageDown
}
