/// Where an entry stands in the table of live entries: by its actor's number and its sequence, the
/// way the table is ordered.
struct EntryPlace: Hashable, Comparable {
    let actor: Int64
    /// The bits of the sequence, as they are stored.
    let sequence: Int64

    static func < (left: EntryPlace, right: EntryPlace) -> Bool {
        (left.actor, left.sequence) < (right.actor, right.sequence)
    }
}

/// The parts of the table of live entries that could not be read, each between two trusted rows.
///
/// Which entries stood there nobody knows; so nothing in a gap may count as seen.
struct EntryGaps {
    private var gaps: [(low: EntryPlace?, high: EntryPlace?)] = []
    private var last: EntryPlace?
    private var isOpen = false

    /// Whether everything could be read.
    var isEmpty: Bool { gaps.isEmpty && !isOpen }

    /// Notes the next trusted row.
    mutating func pass(_ place: EntryPlace) {
        if isOpen { gaps.append((low: last, high: place)) }
        isOpen = false
        last = place
    }

    /// Notes that something after the last trusted row cannot be read.
    mutating func open() { isOpen = true }

    /// Notes that no row follows.
    mutating func finish() {
        if isOpen { gaps.append((low: last, high: nil)) }
        isOpen = false
    }

    /// Whether something that stood there may be lost.
    func contains(_ place: EntryPlace) -> Bool {
        gaps.contains { gap in
            gap.low.map { $0 < place } ?? true && gap.high.map { place < $0 } ?? true
        }
    }

    /// Up to which sequence no entry of an actor can be lost.
    func soundSequence(of actor: Int64) -> UInt64 {
        var sound = UInt64.max
        for gap in gaps
        where gap.low.map({ $0.actor <= actor }) ?? true
            && gap.high.map({ actor <= $0.actor }) ?? true
        {
            guard let low = gap.low, low.actor == actor else { return 0 }
            sound = min(sound, UInt64(bitPattern: low.sequence))
        }
        // Past 2⁶³ the order of the bits is not that of the numbers.
        return sound > UInt64(Int64.max) && sound != .max ? 0 : sound
    }
}
