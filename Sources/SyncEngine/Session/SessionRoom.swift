import SessionCRDT
import SyncProtocol

/// How much a session takes of its members: what it holds is bounded, so that no member fills the
/// disks of the others or ends the session for them.
///
/// Whether a delta is taken depends on what both sides hold *together* and on nothing else, so that
/// all devices draw the line at the same place. What honest devices write stays clear of it: they
/// stop writing at half of it (`Limits.sessionBytes`), but for a reserve that each has for itself.
///
/// Whatever may be stored may be sent: what is held never passes `Limits.heldBytes`, whether it was
/// written here or came, and who has nothing yet takes just as much.
enum SessionRoom {
    /// What there would be too much of.
    enum Excess: Hashable, Sendable {
        case bytes
        case bytesOfOneAuthor
        case actors

        /// In words, for people on both sides.
        var text: String {
            switch self {
            case .bytes: "more than \(Limits.mergedBytes >> 20) MiB in one session"
            case .bytesOfOneAuthor:
                "more than \(Limits.authorBytes >> 20) MiB of one laptop in one session"
            case .actors: "more runs of daemons than one session has seen"
            }
        }
    }

    /// What there would be too much of if `news` came on top of all that is held, beside what may
    /// be spared; nil where they fit.
    static func excess(of news: Weight, on held: [Weight], sparing spare: Int = 0) -> Excess? {
        let bytes = held.reduce(news.bytes) { $0 + $1.bytes }
        let ofOneAuthor = Limits.authorBytes + spare
        guard news.bytes > 0, bytes > ofOneAuthor else { return nil }
        let isTooMuch = news.authors.contains { author in
            held.reduce(news[author]) { $0 + $1[author] } > ofOneAuthor
        }
        if isTooMuch { return .bytesOfOneAuthor }
        return bytes > Limits.mergedBytes + spare ? .bytes : nil
    }

    /// Whether too many actors would be there after a delta.
    ///
    /// The last places are for those who come one by one: whoever brings thousands at once leaves
    /// room for the next runs of all others.
    static func excess(of upto: VersionVector, on seen: VersionVector) -> Excess? {
        let count = seen.joined(with: upto).count
        let isCrowd = !seen.isEmpty && count - seen.count > Limits.actorsAtOnce
        return count > (isCrowd ? Limits.crowdedActors : Limits.actors) ? .actors : nil
    }

    /// Whether mutations only say that the game is over, and where it goes on: that is always
    /// taken.
    static func isEnding(_ mutations: [Mutation]) -> Bool {
        mutations.allSatisfy {
            $0.key == .session(Field.status) || $0.key == .session(Field.next)
        }
    }
}
