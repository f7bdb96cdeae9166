/// Something that happens to the world from outside: what people do, and what goes wrong.
///
/// A value with everything in it, so that a history of them can be printed, played again and
/// shrunk: what an event does must not depend on chance, and one that finds nothing to do, because
/// what it was about was left out, does nothing. Times are milliseconds, laptops and sessions are
/// counted from 0.
package enum Event: Hashable, Codable, Sendable {
    /// Somebody writes.
    case write(laptop: Int, session: Int, what: Writing)
    /// Somebody begins the next game after a session: everybody there takes it up.
    case playOn(laptop: Int, session: Int, next: Int)
    /// A laptop comes into a session with nothing but the address of a member.
    case join(laptop: Int, session: Int, through: Int)
    /// A laptop leaves; unless forced only where the engine says that others have what it wrote.
    case leave(laptop: Int, session: Int, isForced: Bool)
    /// The door for who has a code is opened or closed.
    case invite(laptop: Int, session: Int, isOpen: Bool)
    /// Somebody types the address of another.
    case type(laptop: Int, session: Int, addressOf: Int)
    /// The user takes the device offline for a while.
    case offline(laptop: Int, lasting: UInt64)

    /// Nothing passes from one to another.
    case block(from: Int, to: Int, lasting: UInt64)
    /// Nothing passes to or from one.
    case isolate(laptop: Int, lasting: UInt64)
    /// Everything is slow, announcements get lost and come twice.
    case weather(delay: UInt64, loss: Int, duplication: Int, lasting: UInt64)
    /// The connections between two break; of half-open ones only one side learns of it.
    case cut(one: Int, other: Int, isHalfOpen: Bool)
    /// The next delta from one to another comes without its beginning, which was lost.
    case overtake(from: Int, to: Int, session: Int)
    /// Announcements come that are not true, or aim at ports where no daemon listens.
    case lie(laptop: Int, times: Int, seed: UInt64)

    /// The daemon ends, and starts again after a while.
    case end(laptop: Int, how: EndOfRun, lasting: UInt64)
    /// A backup of the home is made.
    case backUp(laptop: Int)
    /// The home is set back to one of its earlier backups.
    case restore(laptop: Int, backup: Int, lasting: UInt64)
    /// The home is copied to a laptop that has none, and both run.
    case clone(laptop: Int, to: Int)
    /// The disk gives back something else than was written.
    case rot(laptop: Int, what: Rot, seed: UInt64)

    /// The lid is closed for a while.
    case sleep(laptop: Int, lasting: UInt64)
    /// The wall clock is set forward or back.
    case shiftClock(laptop: Int, by: Int64)
    /// The wall clock is set to a time far off, since 1970.
    case setClock(laptop: Int, to: Int64)
    /// The machine gets another address.
    case move(laptop: Int, address: UInt32)
    /// The disk refuses, lies, is slow or cannot be read for a while.
    case spoilDisk(laptop: Int, trouble: DiskTrouble, lasting: UInt64)
    /// Something about the interfaces changed.
    case changeNetwork(laptop: Int)
}

/// How a daemon ends.
package enum EndOfRun: String, Codable, Sendable {
    /// It says goodbye.
    case politely
    /// The process is killed; the machine goes on and resets its connections.
    case killed
    /// The machine is off at once.
    case powerCut
}

/// What is wrong with a disk.
package enum DiskTrouble: String, Codable, Sendable, CaseIterable {
    /// Every batch is refused, and reading may fail too.
    case full
    /// Batches are written and then reported as failed.
    case unknownOutcome
    /// Batches take seconds.
    case slow
    /// Nothing can be read, neither at a start nor after a failed batch.
    case unreadable
    /// What it says it has is gone at the next power cut.
    case lying
}

/// What of a home gives back something else than was written.
package enum Rot: String, Codable, Sendable, CaseIterable {
    /// An entry has another value.
    case value
    /// An entry is gone.
    case entry
    /// An entry stands under another key.
    case key
    /// A write counts as seen that never came.
    case vector
}
