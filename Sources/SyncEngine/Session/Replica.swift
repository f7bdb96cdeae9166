package import SessionCRDT
import SyncProtocol

/// The data of one session on this device, its writer, and its state on disk.
///
/// Group commit: while a batch is on its way to disk, further changes gather in the next one, with
/// the requests and links that wait for them. After a failed commit nothing is known about the
/// disk, so the replica accepts nothing until the session has been read again.
package struct Replica: Sendable {
    /// The requests and links that wait for a batch.
    struct Waiting: Sendable {
        /// The local writes to answer.
        var requests: [RequestID] = []
        /// The links whose deltas to acknowledge, each once, in order of arrival.
        var links: [LinkID] = []
        /// The weight that the batch adds.
        var weight = Weight()
    }

    /// The persistence state of the session.
    private enum DiskState {
        /// Everything sealed so far is on disk.
        case ready
        case committing(BatchID, Waiting)
        /// A commit failed, and the session is being read again.
        case unknown
        /// Reading failed, too; it is tried again at that time.
        case unreadable(until: UInt64)
    }

    package let session: SessionID
    /// The state, on disk and on its way there.
    package private(set) var map: StagedMap
    /// The writes that at least one other device is known to have on disk.
    package internal(set) var acknowledged: VersionVector

    private var disk = DiskState.ready
    /// The last pause before reading again; 0 since the disk has accepted something.
    private var reloadPause: UInt64 = 0
    /// The requests and links that wait for changes that are in no batch yet.
    private var waiting = Waiting()
    private var clock = HybridClock()
    /// The last dot of this run's actor; nil before its first write.
    private var newest: Dot?
    /// The bytes that this run has written while the session was too large.
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

    /// Whether the session is finished, according to the disk.
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

    var isCommitting: Bool { if case .committing = disk { true } else { false } }

    /// Whether nothing waits for the disk.
    var isSettled: Bool { !isCommitting && !map.hasOpenChanges }

    /// The weights of what is on disk and of what is on its way there.
    private var weights: [Weight] {
        guard case .committing(_, let sealed) = disk else {
            return [committed.tally.weight, waiting.weight]
        }
        return [committed.tally.weight, sealed.weight, waiting.weight]
    }

    // MARK: Local writes

    /// Writes the mutations as one commit of this device; `request` is nil for a write of the
    /// engine's own.
    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID? = nil,
        _ context: inout EngineContext
    ) {
        if let request { waiting.requests.append(request) }
        let (device, isReserve) = (context.device, isTooLarge)
        let stamp = clock.tick(physical: context.now.wall)
        for mutation in commit(of: mutations, by: device) {
            let dot = mint(using: &context.generator)
            let entry = Entry(dot: dot, stamp: stamp, author: device.id, value: mutation.value)
            map.write(entry, under: mutation.key)
            let bytes = entry.canonicalCount(under: mutation.key)
            waiting.weight.add(bytes, by: device.id)
            if isReserve { reserveSpent += bytes }
        }
    }

    /// Returns the mutations of a commit: those given, and the device's name if unknown here.
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

    /// Merges a peer's delta of that weight.
    ///
    /// - Returns: the displaced entries, which must be written again because their dots belong to
    ///   other keys; nil if something on which the delta builds is missing here.
    mutating func merge(_ delta: Delta, adding added: Weight) -> [KeyedEntry]? {
        rotateActor(ifUsedIn: delta)
        let displaced = delta.isUnion ? map.unite(delta) : map.merge(delta) ? [] : nil
        if displaced != nil { recordMerged(delta, adding: added) }
        return displaced
    }

    /// Merges the delta of an imported file, for a request; returns whether it fits.
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

    /// Starts a new actor for further writes if another device has written under the current one.
    ///
    /// That may be a clone of this process's memory, or a forger; a dot must never mean two writes.
    private mutating func rotateActor(ifUsedIn delta: Delta) {
        if let own = newest, delta.upto[own.actor] > own.sequence { newest = nil }
    }

    private mutating func recordMerged(_ delta: Delta, adding added: Weight) {
        waiting.weight.add(added)
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
    }

    /// Has a link acknowledged once all current changes are on disk, which they are not yet.
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

    /// The requests of writes that are not answered yet.
    var unanswered: [RequestID] {
        guard case .committing(_, let sealed) = disk else { return waiting.requests }
        return sealed.requests + waiting.requests
    }

    // MARK: The disk

    /// Seals the open changes as a batch, unless one is on its way or there are none.
    mutating func seal(as next: BatchID) -> Batch? {
        guard case .ready = disk, let changes = map.seal() else { return nil }
        disk = .committing(next, waiting)
        waiting = Waiting()
        return changes
    }

    /// Settles a batch that is on disk: returns the waiting parties, and the changes it made.
    ///
    /// Nil for a batch that is not the one on its way.
    mutating func settle(_ batch: BatchID) -> (waiting: Waiting, changes: [KeyChange])? {
        guard case .committing(batch, let sealed) = disk else { return nil }
        disk = .ready
        reloadPause = 0
        return (sealed, map.settle())
    }

    /// Discards a batch that the disk refused: returns those waiting for it or later changes.
    ///
    /// The actor may have dots on disk that no peer has heard of, so it ends with this replica,
    /// which accepts nothing until the session has been read again.
    mutating func discard(_ batch: BatchID) -> Waiting? {
        guard case .committing(batch, let sealed) = disk else { return nil }
        let failed = Waiting(requests: unanswered, links: sealed.links + waiting.links)
        disk = .unknown
        waiting = Waiting()
        map.discard()
        return failed
    }

    /// The time to read the session again; nil while it is readable or being read.
    var reloadAt: UInt64? { if case .unreadable(let time) = disk { time } else { nil } }

    /// Plans another read after a pause that doubles; returns whether this is the first failure.
    mutating func loadFailed(at now: Moment) -> Bool {
        let isFirst = reloadAt == nil
        reloadPause = Timing.nextPause(after: reloadPause, in: Timing.reloadBackoff)
        disk = .unreadable(until: now.uptime + reloadPause)
        return isFirst
    }

    /// Whether it is time to read the session again, which the caller then does.
    mutating func startReload(at now: Moment) -> Bool {
        guard let reloadAt, reloadAt <= now.uptime else { return false }
        // In case no answer comes.
        disk = .unreadable(until: now.uptime + reloadPause)
        return true
    }

    /// Continues from the replica before a reload: the disk is not trusted more than before until
    /// it accepts something.
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

/// Admission of data: a session's size is bounded, so that no member can fill the disks of the
/// others or end the session for them.
///
/// Whether a delta is accepted depends only on the merged state of both sides, so all devices
/// decide alike. Honest devices stay below the limit: they stop writing at half of it
/// (`Limits.sessionBytes`), apart from a reserve that each has for itself.
///
/// Anything that may be stored may be sent: the stored size never exceeds `Limits.heldBytes`, for
/// local and received writes together, and an empty replica accepts just as much.
extension Replica {
    /// Returns the weight that a delta adds to the stored state; zero for an outdated union.
    func addedWeight(of delta: Delta) -> Weight {
        let seen = map.headVector
        guard !delta.isUnion || delta.upto == seen else { return Weight() }
        return Weight(of: delta) { key, entry in
            delta.isUnion ? map.head(key)?[entry.dot] == nil : !seen.covers(entry.dot)
        }
    }

    /// Returns the limit that the delta would exceed, as a text for people; nil if it fits.
    func excess(of delta: Delta, adding added: Weight) -> String? {
        let spare = map.headVector.isEmpty ? Limits.spareBytes : 0
        return SessionCapacity.excess(of: delta.upto, on: map.headVector)
            ?? SessionCapacity.excess(of: added, on: weights, sparing: spare)
    }

    /// Whether a local write is accepted: always below `Limits.sessionBytes`, then from the reserve
    /// of this run, and always if it ends the game; but never past what an empty replica accepts.
    func hasRoom(for mutations: [Mutation], by device: Device) -> Bool {
        guard newest != nil || map.headVector.count < Limits.actors else { return false }
        let isEnding = mutations.allSatisfy {
            $0.key == .session(Field.status) || $0.key == .session(Field.next)
        }
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

    /// Whether the session exceeds `Limits.sessionBytes`; this device then only uses its reserve.
    private var isTooLarge: Bool { weights.reduce(0) { $0 + $1.bytes } > Limits.sessionBytes }
}

/// The limits of a session's size; an excess is a text for people on both sides.
enum SessionCapacity {
    /// Returns the limit that `added` on top of `held` would exceed by more than `spare`, if any.
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

    /// Returns the limit on actors that a delta would exceed, as a text for people; nil if it fits.
    ///
    /// A delta with many new actors has a lower limit, so that one peer that invents thousands
    /// leaves room for the next runs of all others.
    static func excess(of upto: VersionVector, on seen: VersionVector) -> String? {
        let count = seen.joined(with: upto).count
        let isCrowd = !seen.isEmpty && count - seen.count > Limits.actorsAtOnce
        let limit = isCrowd ? Limits.crowdedActors : Limits.actors
        return count > limit ? "more runs of daemons than one session allows" : nil
    }
}
