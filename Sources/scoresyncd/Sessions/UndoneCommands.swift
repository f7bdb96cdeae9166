import SessionCRDT

/// What undo passes over: the commands of this device that were undone, and those that undid them.
///
/// Commands are known by the dots of their writes, which no clock decides. Undo goes back in the
/// order in which they were written, so that what it has walked over is one range of each run's
/// writes, however long; a command that is entered later begins after it.
struct UndoneCommands: Hashable, Sendable {
    /// Some writes of one actor that follow each other.
    struct Stretch: Hashable, Sendable {
        let actor: ActorID
        /// The first and the last of them.
        var sequences: ClosedRange<UInt64>

        /// The stretch of one write.
        init(_ dot: Dot) {
            self.init(dot.actor, dot.sequence...dot.sequence)
        }

        init(_ actor: ActorID, _ sequences: ClosedRange<UInt64>) {
            self.actor = actor
            self.sequences = sequences
        }

        /// Whether no write lies between it and others of its actor.
        func touches(_ other: ClosedRange<UInt64>) -> Bool {
            let (upper, lower) = (
                min(sequences.upperBound, other.upperBound),
                max(sequences.lowerBound, other.lowerBound)
            )
            return lower <= upper || lower - upper == 1
        }

        /// Makes it as long as both, with what lies between them.
        mutating func join(_ other: ClosedRange<UInt64>) {
            let first = min(sequences.lowerBound, other.lowerBound)
            sequences = first...max(sequences.upperBound, other.upperBound)
        }
    }

    /// The most stretches that are kept: as often may a phone take back what it entered before
    /// others did.
    static let most = 500

    /// The stretches: those of later runs behind those of earlier ones, and those of one run in
    /// their order; no two of them touch.
    private(set) var stretches: [Stretch] = []

    /// Nothing was undone yet.
    init() {}

    /// What words say, each `actor:first-last`; other words are left out.
    init(words: String) {
        for word in words.split(separator: " ") {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let actor = ActorID(String(parts[0])) else { continue }
            let ends = parts[1].split(separator: "-").compactMap { UInt64($0) }
            guard ends.count == 2, ends[0] <= ends[1] else { continue }
            insert(Stretch(actor, ends[0]...ends[1]))
        }
    }

    /// The words.
    var words: String {
        stretches.map { stretch in
            let (first, last) = (stretch.sequences.lowerBound, stretch.sequences.upperBound)
            return "\(stretch.actor):\(first)-\(last)"
        }.joined(separator: " ")
    }

    /// Whether the command with this write is passed over.
    func contains(_ dot: Dot) -> Bool {
        stretches.contains { $0.actor == dot.actor && $0.sequences.contains(dot.sequence) }
    }

    /// Passes over all writes of a stretch from now on.
    ///
    /// Of too many stretches the earliest is forgotten: what lies between two was not undone, and
    /// may be what somebody wants to undo next.
    mutating func insert(_ stretch: Stretch) {
        var joined = stretch
        let place = stretches.firstIndex { $0.actor == stretch.actor } ?? stretches.endIndex
        var others: [Stretch] = []
        for other in stretches where other.actor == stretch.actor {
            if joined.touches(other.sequences) {
                joined.join(other.sequences)
            } else {
                others.append(other)
            }
        }
        others.append(joined)
        others.sort { $0.sequences.lowerBound < $1.sequences.lowerBound }
        stretches.removeAll { $0.actor == stretch.actor }
        stretches.insert(contentsOf: others, at: place)
        if stretches.count > UndoneCommands.most { stretches.removeFirst() }
    }
}
