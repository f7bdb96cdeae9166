package import SessionCRDT
import SyncProtocol

/// The data of one session on this device, its writer, and the state of its disk.
///
/// Group commit: while a batch is on its way to disk, further changes are collected for the next
/// batch, with the requests and links that wait for them. After a failed commit the state on disk
/// is unknown, so the replica accepts nothing until the session has been read again.
package struct Replica: Sendable {
    /// The requests and links that wait for a batch.
    struct Waiting: Sendable {
        /// The local writes to answer.
        var requests: [RequestID] = []
        /// The links whose deltas to acknowledge, without duplicates, in order of arrival.
        var links: [LinkID] = []
        var weight = Weight()
    }

    /// The persistence state of the session.
    private enum DiskState {
        /// Everything sealed so far is on disk.
        case ready
        case committing(BatchID, Waiting)
        /// A commit failed, and the session is being read again.
        case unknown
        /// Reading failed as well; it is tried again at that time.
        case unreadable(until: UInt64)
    }

    package let session: SessionID
    /// The state on disk, with the changes on their way there.
    package private(set) var map: StagedMap
    /// The writes that at least one other device is known to have on disk.
    package internal(set) var acknowledged: VersionVector

    private var disk = DiskState.ready
    /// The last pause before a read; 0 after the disk has accepted a batch.
    private var reloadPause: UInt64 = 0
    /// The requests and links that wait for changes that are not in a batch yet.
    private var waiting = Waiting()
    private var clock = HybridClock()
    /// The last dot of this run's actor; nil before its first write.
    private var newest: Dot?
    /// The bytes that this run has written beyond `Limits.sessionBytes`.
    private var reserveSpent = 0

    init(_ session: SessionID, _ opened: OpenedSession) throws(CausalMapError) {
        self.session = session
        let stored = opened.replica
        map = StagedMap(try CausalMap(entries: stored.entries, vector: stored.vector))
        acknowledged = opened.acknowledged
        for stored in stored.entries { clock.observe(stored.entry.stamp) }
    }

    /// The state that is on disk, which may be shown and sent.
    package var committed: CausalMap { map.committed }

    package var isFinished: Bool {
        committed[.session(Field.status)]?.winner.value == .text("finished")
    }

    /// Whether the state on disk is known, which it is not between a failed commit and the next
    /// load.
    package var isReadable: Bool {
        switch disk {
        case .ready, .committing: true
        case .unknown, .unreadable: false
        }
    }

    var isCommitting: Bool { if case .committing = disk { true } else { false } }

    var isSettled: Bool { !isCommitting && !map.hasOpenChanges }

    /// The weights of the state on disk and of the changes on their way there.
    private var weights: [Weight] {
        guard case .committing(_, let sealed) = disk else {
            return [committed.tally.weight, waiting.weight]
        }
        return [committed.tally.weight, sealed.weight, waiting.weight]
    }

    // MARK: Local writes

    /// Writes the mutations as one commit of this device; `request` is nil for the engine's own
    /// writes.
    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID? = nil,
        _ context: inout EngineContext
    ) {
        if let request { waiting.requests.append(request) }
        let (device, isReserve) = (context.device, isTooLarge)
        let stamp = stamp(of: mutations, at: context.now)
        for mutation in commit(of: mutations, by: device) {
            let dot = mint(using: &context.generator)
            let entry = Entry(dot: dot, stamp: stamp, author: device.id, value: mutation.value)
            let kept = mutation.kept(of: map.head(mutation.key), by: entry)
            map.write(entry, under: mutation.key, keeping: kept)
            let bytes = entry.canonicalCount(under: mutation.key)
            waiting.weight.add(bytes, by: device.id)
            if isReserve { reserveSpent += bytes }
        }
    }

    /// Returns the stamp of a commit; if it has alternatives, one before all that they stand beside.
    ///
    /// The clock counts up from zero within a millisecond, so the upper half of the counter is free:
    /// no two commits have the same stamp.
    private mutating func stamp(of mutations: [Mutation], at now: Moment) -> Stamp {
        let stamp = clock.tick(physical: now.wall)
        let besides = mutations.filter(\.isAlternative).flatMap { map.head($0.key)?.entries ?? [] }
        guard let first = besides.map(\.stamp.milliseconds).min() else { return stamp }
        let sequence = UInt16(truncatingIfNeeded: newest?.sequence ?? 0)
        return Stamp(milliseconds: max(1, first) - 1, counter: 0x8000 | sequence)
    }

    /// Returns the mutations of a commit, with the device's name added if the session does not have
    /// it.
    private func commit(of mutations: [Mutation], by device: Device) -> [Mutation] {
        let name = Mutation.device(device.id, name: device.name)
        return map.head(name.key)?.winner.value == name.value ? mutations : mutations + [name]
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

    // MARK: Deltas

    /// Merges a peer's delta, whose new entries have the given weight.
    ///
    /// - Returns: the displaced entries, which must be written again because their dots belong to
    ///   other keys; nil if this replica has not seen the base of the delta.
    mutating func merge(_ delta: Delta, adding added: Weight) -> [KeyedEntry]? {
        rotateActor(ifUsedIn: delta)
        let displaced = delta.isUnion ? map.unite(delta) : map.merge(delta) ? [] : nil
        if displaced != nil { recordMerged(delta, adding: added) }
        return displaced
    }

    /// Merges the delta of an imported file for a request; returns whether it could be merged.
    mutating func importDelta(
        _ delta: Delta,
        _ lines: [JournalLine],
        for request: RequestID,
        adding added: Weight
    ) -> Bool {
        rotateActor(ifUsedIn: delta)
        guard map.merge(delta, journal: lines) else { return false }
        recordMerged(delta, adding: added)
        if map.hasOpenChanges {
            waiting.requests.append(request)
        } else {
            updateCommitting { $0.requests.append(request) }
        }
        return true
    }

    /// Starts a new actor for later writes if a delta contains writes of the current one that this
    /// run did not make.
    ///
    /// They come from a clone of this process's memory, or from a forger; a dot must never mean two
    /// writes.
    private mutating func rotateActor(ifUsedIn delta: Delta) {
        if let own = newest, delta.upto[own.actor] > own.sequence { newest = nil }
    }

    private mutating func recordMerged(_ delta: Delta, adding added: Weight) {
        waiting.weight.add(added)
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
    }

    /// Has a link acknowledged once all current changes, some of which are pending, are on disk.
    mutating func acknowledgeWhenSettled(_ link: LinkID) {
        if map.hasOpenChanges {
            if !waiting.links.contains(link) { waiting.links.append(link) }
        } else {
            updateCommitting { if !$0.links.contains(link) { $0.links.append(link) } }
        }
    }

    mutating func removeWaiting(_ link: LinkID) {
        waiting.links.removeAll { $0 == link }
        updateCommitting { $0.links.removeAll { $0 == link } }
    }

    var unanswered: [RequestID] {
        guard case .committing(_, let sealed) = disk else { return waiting.requests }
        return sealed.requests + waiting.requests
    }

    // MARK: The disk

    /// Seals the open changes as a batch, unless a batch is on its way or there are no changes.
    mutating func seal(as next: BatchID) -> Batch? {
        guard case .ready = disk, let changes = map.seal() else { return nil }
        disk = .committing(next, waiting)
        waiting = Waiting()
        return changes
    }

    /// Settles a batch that is on disk; returns those who wait for it, and its changes.
    ///
    /// - Returns: nil if the batch is not the one on its way.
    mutating func settle(_ batch: BatchID) -> (waiting: Waiting, changes: [KeyChange])? {
        guard case .committing(batch, let sealed) = disk else { return nil }
        disk = .ready
        reloadPause = 0
        return (sealed, map.settle())
    }

    /// Discards a batch that the disk refused; returns those who wait for it or for later changes.
    ///
    /// The current actor may have writes on disk that no peer has heard of, so it is not used
    /// again: this replica accepts nothing until it is replaced by one that was read from disk.
    mutating func discard(_ batch: BatchID) -> Waiting? {
        guard case .committing(batch, let sealed) = disk else { return nil }
        let failed = Waiting(requests: unanswered, links: sealed.links + waiting.links)
        disk = .unknown
        waiting = Waiting()
        map.discard()
        return failed
    }

    /// The time at which to read the session again; nil while it is readable or being read.
    var reloadAt: UInt64? { if case .unreadable(let time) = disk { time } else { nil } }

    /// Plans another read after a doubled pause; returns whether this is the first failure.
    mutating func loadFailed(at now: Moment) -> Bool {
        let isFirst = reloadAt == nil
        reloadPause = Timing.nextPause(after: reloadPause, in: Timing.reloadBackoff)
        disk = .unreadable(until: now.uptime + reloadPause)
        return isFirst
    }

    /// Whether the session must be read now; if so, the caller emits the effect.
    mutating func startReload(at now: Moment) -> Bool {
        guard let reloadAt, reloadAt <= now.uptime else { return false }
        // Plans another read in case this one is never answered.
        disk = .unreadable(until: now.uptime + reloadPause)
        return true
    }

    /// Continues from the state of the replaced replica: its pauses are kept until the disk accepts
    /// a batch.
    mutating func inheritState(of last: Replica) {
        acknowledged = last.acknowledged
        reloadPause = last.reloadPause
    }

    private mutating func updateCommitting(_ change: (inout Waiting) -> Void) {
        guard case .committing(let batch, var sealed) = disk else { return }
        change(&sealed)
        disk = .committing(batch, sealed)
    }
}

/// Admission of data: the size of a session is limited, so that no member can fill the disks of the
/// others or make the session unusable for them.
///
/// Whether a delta is accepted depends only on the merged state of both sides, so all devices
/// decide alike. Honest devices stay below the limit: they stop writing at half of it
/// (`Limits.sessionBytes`), apart from a reserve that each run has.
///
/// Everything that may be stored can also be sent: local and received writes together never exceed
/// `Limits.heldBytes`, and an empty replica accepts that much.
extension Replica {
    /// Returns the weight that a delta adds to the state; zero for an outdated union.
    func addedWeight(of delta: Delta) -> Weight {
        let seen = map.headVector
        guard !delta.isUnion || delta.upto == seen else { return Weight() }
        return Weight(of: delta) { key, entry in
            delta.isUnion ? map.head(key)?[entry.dot] == nil : !seen.covers(entry.dot)
        }
    }

    /// Returns the limit that a delta would exceed, as a text for people; nil if it is within
    /// limits.
    func excess(of delta: Delta, adding added: Weight) -> String? {
        let spare = map.headVector.isEmpty ? Limits.spareBytes : 0
        return SessionCapacity.excess(of: delta.upto, on: map.headVector)
            ?? SessionCapacity.excess(of: added, on: weights, sparing: spare)
    }

    /// Whether a local write is accepted: below `Limits.sessionBytes` always, beyond it from the
    /// reserve of this run or if it ends the game, but never beyond what an empty replica accepts.
    func hasRoom(for mutations: [Mutation], by device: Device) -> Bool {
        guard newest != nil || map.headVector.count < Limits.actors else { return false }
        let ending = [Field.status, Field.verdict, Field.next].map { Key.session($0) }
        let isEnding = mutations.allSatisfy { ending.contains($0.key) }
        guard isEnding || !isTooLarge || reserveSpent < Limits.reserveBytes else { return false }
        var added = Weight()
        for mutation in commit(of: mutations, by: device) {
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: 0), sequence: 1),
                stamp: Stamp(bits: 0),
                author: device.id,
                value: mutation.value
            )
            added.add(entry.canonicalCount(under: mutation.key), by: device.id)
        }
        let spare = Limits.spareBytes - (isEnding ? 0 : Limits.endingBytes)
        return SessionCapacity.excess(of: added, on: weights, sparing: spare) == nil
    }

    /// Whether the session exceeds `Limits.sessionBytes`, so that this device uses its reserve.
    private var isTooLarge: Bool { weights.reduce(0) { $0 + $1.bytes } > Limits.sessionBytes }
}

/// The limits on the size of a session, each exceeded one described as a text for users and peers.
enum SessionCapacity {
    /// Returns the limit that `added` on top of `held` would exceed by more than `spare`; nil if
    /// none.
    static func excess(of added: Weight, on held: [Weight], sparing spare: Int = 0) -> String? {
        let bytes = held.reduce(added.bytes) { $0 + $1.bytes }
        let ofOneAuthor = Limits.authorBytes + spare
        guard added.bytes > 0, bytes > ofOneAuthor else { return nil }
        let isTooMuch = added.authors.contains { author in
            held.reduce(added[author]) { $0 + $1[author] } > ofOneAuthor
        }
        if isTooMuch {
            return "more than \(Limits.authorBytes >> 20) MiB of one laptop in one session"
        }
        guard bytes > Limits.mergedBytes + spare else { return nil }
        return "more than \(Limits.mergedBytes >> 20) MiB in one session"
    }

    /// Returns the limit on actors that a delta would exceed, as a text for people; nil if none.
    ///
    /// The limit is lower for a delta with many new actors, so that a peer that invents thousands
    /// of them leaves room for the next runs of honest devices.
    static func excess(of upto: VersionVector, on seen: VersionVector) -> String? {
        let count = seen.joined(with: upto).count
        let isCrowd = !seen.isEmpty && count - seen.count > Limits.actorsAtOnce
        let limit = isCrowd ? Limits.crowdedActors : Limits.actors
        return count > limit ? "more runs of daemons than one session allows" : nil
    }
}
