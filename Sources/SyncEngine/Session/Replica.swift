package import SessionCRDT
import SyncProtocol

/// The data of one session on this device: what is held, who writes it here, and how the disk
/// stands to it.
package struct Replica: Sendable {
    /// What the changes on their way to disk were made for.
    struct Waiting: Sendable {
        /// The local writes to answer.
        var requests: [RequestID] = []
        /// The links whose delta is in it, to acknowledge; each once, in order of arrival.
        var links: [LinkID] = []
        /// What the deltas and the writes add.
        var weight = Weight()
    }

    /// How the disk stands to the session.
    private enum Disk {
        /// It has everything that it was given.
        case ready
        /// The batch is on its way to it, and these wait for it.
        case committing(BatchID, Waiting)
        /// A commit failed, so that what it holds is unknown until it is read again, which is
        /// under way.
        case unknown
        /// It could not be read again either; the next attempt is then.
        case unreadable(until: UInt64)
    }

    /// The session.
    package let session: SessionID
    /// The data, on disk and on its way there.
    package private(set) var map: StagedMap
    /// What any other device is known to have on disk.
    package internal(set) var acknowledged: VersionVector

    private var disk = Disk.ready
    /// The last pause before the disk was read again; 0 since it has taken something.
    private var reloadPause: UInt64 = 0
    /// Who waits for the changes that no batch has taken yet.
    private var waiting = Waiting()
    private var clock = HybridClock()
    /// The last dot of this run's actor, who is born with the first one.
    private var newest: Dot?
    /// How many bytes this run has written while the session was too large.
    private(set) var reserveSpent = 0

    /// The session as a store held it.
    init(_ session: SessionID, _ opened: OpenedSession) throws(CausalMapError) {
        self.session = session
        let committed = try CausalMap(
            entries: opened.replica.entries,
            vector: opened.replica.vector
        )
        map = StagedMap(committed)
        acknowledged = opened.acknowledged
        for stored in opened.replica.entries { clock.observe(stored.entry.stamp) }
    }

    /// What this device has on disk and may tell.
    package var committed: CausalMap { map.committed }

    /// Whether the session is finished, by what is on disk.
    package var isFinished: Bool {
        committed[.session(Field.status)]?.winner.value == .text("finished")
    }

    /// Whether the disk is trusted; it is not between a failed commit and the next load.
    package var isReadable: Bool {
        switch disk {
        case .ready, .committing: true
        case .unknown, .unreadable: false
        }
    }

    /// Whether a batch is on its way to disk.
    var isCommitting: Bool { if case .committing = disk { true } else { false } }

    /// Whether nothing waits for the disk.
    var isSettled: Bool { !isCommitting && !map.hasOpenChanges }

    /// Whether this run has an actor, and needs no place for one.
    var hasActor: Bool { newest != nil }

    /// What is on disk weighs, and what is on its way there adds.
    var weights: [Weight] {
        guard case .committing(_, let sealed) = disk else {
            return [committed.tally.weight, waiting.weight]
        }
        return [committed.tally.weight, sealed.weight, waiting.weight]
    }

    // MARK: Local writes

    /// Makes the mutations one commit by this device, for a request of the user's or of its own.
    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID?,
        by device: Device,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) {
        if let request { waiting.requests.append(request) }
        let isReserve = isTooLarge
        let stamp = clock.tick(physical: now.wall)
        for mutation in commit(of: mutations, by: device) {
            let dot = mint(using: &generator)
            let entry = Entry(
                dot: dot,
                stamp: stamp,
                author: device.id,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
            let bytes = entry.canonicalCount(under: mutation.key)
            waiting.weight.add(bytes, by: device.id)
            if isReserve { reserveSpent += bytes }
        }
    }

    private mutating func mint(using generator: inout some RandomNumberGenerator) -> Dot {
        let last = newest.flatMap { $0.sequence == Dot.lastSequence ? nil : $0 }
        let dot = Dot(
            actor: last?.actor ?? ActorID.random(using: &generator),
            sequence: (last?.sequence ?? 0) + 1
        )
        newest = dot
        return dot
    }

    // MARK: What peers send

    /// What became of a peer's delta.
    enum MergeOutcome {
        /// All of it is on disk already, or now staged. These are to be written anew, because
        /// their dots belong to other keys.
        case taken(displaced: [KeyedEntry])
        /// Something before it is missing here.
        case gap
    }

    /// Takes in a delta, which adds so much.
    mutating func merge(_ delta: Delta, adding news: Weight) -> MergeOutcome {
        beSomebodyNew(after: delta)
        var displaced: [KeyedEntry] = []
        if delta.isUnion {
            guard let strays = map.unite(delta) else { return .gap }
            displaced = strays
        } else if !map.merge(delta) {
            return .gap
        }
        waiting.weight.add(news)
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
        return .taken(displaced: displaced)
    }

    /// Somebody else writes as this run: a cloned memory or a forger.
    private mutating func beSomebodyNew(after delta: Delta) {
        if let own = newest, delta.upto[own.actor] > own.sequence { newest = nil }
    }

    /// Takes in what a file has, which adds so much, for a request; whether it fits.
    mutating func take(
        _ delta: Delta,
        _ lines: [JournalLine],
        for request: RequestID,
        adding news: Weight
    ) -> Bool {
        beSomebodyNew(after: delta)
        guard map.merge(delta, journal: lines) else { return false }
        waiting.weight.add(news)
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
        if map.hasOpenChanges {
            waiting.requests.append(request)
        } else {
            changeCommitting { $0.requests.append(request) }
        }
        return true
    }

    /// Notes that the link is told once all that is here now is on disk, which it is not yet.
    mutating func wait(_ link: LinkID) {
        if map.hasOpenChanges {
            if !waiting.links.contains(link) { waiting.links.append(link) }
        } else {
            changeCommitting { if !$0.links.contains(link) { $0.links.append(link) } }
        }
    }

    /// Forgets that the link waits for the disk.
    mutating func forget(_ link: LinkID) {
        waiting.links.removeAll { $0 == link }
        changeCommitting { $0.links.removeAll { $0 == link } }
    }

    /// The writes that will not be answered by the disk any more, because the session is left.
    var unanswered: [RequestID] {
        guard case .committing(_, let sealed) = disk else { return waiting.requests }
        return sealed.requests + waiting.requests
    }

    // MARK: The disk

    /// Closes what is open into a batch, unless one is on its way or there is nothing.
    mutating func seal(as next: BatchID) -> Batch? {
        guard case .ready = disk, let changes = map.seal() else { return nil }
        disk = .committing(next, waiting)
        waiting = Waiting()
        return changes
    }

    /// The disk has the batch; returns who waited for it, and what it changed.
    ///
    /// Nil for a batch that is not the one on its way.
    mutating func settle(_ batch: BatchID) -> (waiting: Waiting, changes: [KeyChange])? {
        guard case .committing(batch, let sealed) = disk else { return nil }
        disk = .ready
        reloadPause = 0
        return (sealed, map.settle())
    }

    /// The disk refused the batch; returns who waited for it and for what would have followed.
    ///
    /// What the disk holds is unknown until the session is read again. The actor may have dots
    /// there that were never told: it goes with this replica, which takes nothing any more.
    mutating func discard(_ batch: BatchID) -> Waiting? {
        guard case .committing(batch, let sealed) = disk else { return nil }
        let failed = Waiting(requests: unanswered, links: sealed.links + waiting.links)
        disk = .unknown
        waiting = Waiting()
        map.discard()
        return failed
    }

    /// When to read the session from disk again, while it cannot be read.
    var reloadAt: UInt64? { if case .unreadable(let time) = disk { time } else { nil } }

    /// The disk could not be read, and is tried again after a pause that doubles; whether that is
    /// news.
    mutating func failToLoad(at now: Moment) -> Bool {
        let isNews = reloadAt == nil
        reloadPause = Timing.pause(after: reloadPause, in: Timing.reload)
        disk = .unreadable(until: now.uptime + reloadPause)
        return isNews
    }

    /// Reads the session again, if it is time; whether it is.
    mutating func reload(at now: Moment) -> Bool {
        guard let reloadAt, reloadAt <= now.uptime else { return false }
        // Asked once; should no answer come, then again.
        disk = .unreadable(until: now.uptime + reloadPause)
        return true
    }

    /// Goes on where a replica stood that the disk gave back as this one: it is not trusted more
    /// than before until it takes something.
    mutating func follow(_ last: Replica) {
        acknowledged = last.acknowledged
        reloadPause = last.reloadPause
    }

    private mutating func changeCommitting(_ change: (inout Waiting) -> Void) {
        guard case .committing(let batch, var sealed) = disk else { return }
        change(&sealed)
        disk = .committing(batch, sealed)
    }
}

/// Whether there is room for more.
extension Replica {
    /// What a delta adds to what is held; a union that comes too late adds nothing.
    func news(in delta: Delta) -> Weight {
        let seen = map.headVector
        guard !delta.isUnion || delta.upto == seen else { return Weight() }
        return Weight(of: delta) { key, entry in
            delta.isUnion ? map.head(key)?[entry.dot] == nil : !seen.covers(entry.dot)
        }
    }

    /// What there would be too much of after a delta that adds so much; nil where it fits.
    ///
    /// Who has nothing yet takes all that a member may hold.
    func excess(of delta: Delta, adding news: Weight) -> SessionRoom.Excess? {
        let spare = map.headVector.isEmpty ? Limits.spareBytes : 0
        return SessionRoom.excess(of: delta.upto, on: map.headVector)
            ?? SessionRoom.excess(of: news, on: weights, sparing: spare)
    }

    /// Whether a local write is taken: while the session is not too large, then out of the reserve
    /// of this run, and its ending; but never so much that who has nothing could not take it.
    func hasRoom(for mutations: [Mutation], by device: Device) -> Bool {
        guard hasActor || map.headVector.count < Limits.actors else { return false }
        let isEnding = SessionRoom.isEnding(mutations)
        guard isEnding || !isTooLarge || reserveSpent < Limits.reserveBytes else { return false }
        var news = Weight()
        for mutation in commit(of: mutations, by: device) {
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: 0), sequence: 1),
                stamp: Stamp(bits: 0),
                author: device.id,
                value: mutation.value
            )
            news.add(entry.canonicalCount(under: mutation.key), by: device.id)
        }
        let spare = Limits.spareBytes - (isEnding ? 0 : Limits.endingBytes)
        return SessionRoom.excess(of: news, on: weights, sparing: spare) == nil
    }

    /// What is written with the mutations: the name of the device, where it is not known here.
    func commit(of mutations: [Mutation], by device: Device) -> [Mutation] {
        let name = Mutation.device(device.id, name: device.name)
        return map.head(name.key)?.winner.value == name.value ? mutations : mutations + [name]
    }

    /// Whether this device writes no more than its reserve.
    var isTooLarge: Bool { weights.reduce(0) { $0 + $1.bytes } > Limits.sessionBytes }
}

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
