import SessionCRDT
import SyncEngine
import SyncProtocol

/// Checks the laws of synchronization on every effect of every simulated daemon.
struct Checker {
    private(set) var violations: [String] = []
    private(set) var ledgers: [SessionID: Ledger] = [:]
    private var digests: [SessionID: [VersionVector: Digest]] = [:]
    private(set) var counts = Counts()
    private(set) var marks: [RareEvent: Int] = [:]
    /// The keys that a corrupted disk changed: their live entries are undefined, and replicas may
    /// differ for a while if they detect it.
    var rottedKeys: Set<Key> = []
    /// The receivers of an incomplete delta that have not received a complete one since.
    private var cutDeltas: Set<Resync> = []
    var hasClone = false
    /// The writes that never arrived, although a corrupted vector counts them.
    var phantoms: Set<Dot> = []

    private struct Resync: Hashable {
        let session: SessionID
        let laptop: Int
    }

    /// The activity since the last reset, to distinguish a quiet network from a busy one.
    struct Counts: Hashable {
        var (pings, dials, announcements, firings) = (0, 0, 0, 0)
        /// Messages other than pings, and dials, between laptops that must agree.
        var (messages, innerDials) = (0, 0)
        /// Messages other than pings from or to laptops that stay broken.
        var outerMessages = 0
    }

    var isCorrupt: Bool { !rottedKeys.isEmpty }
    mutating func fail(_ text: String) { violations.append(text) }
    mutating func expect(_ count: Int, atMost limit: Int, _ what: String) {
        if count > limit { fail("\(count) \(what)") }
    }

    mutating func resetCounts() { counts = Counts() }
    mutating func record(_ mark: RareEvent) { marks[mark, default: 0] += 1 }

    mutating func deltaWasCut(_ session: SessionID, to laptop: Int) {
        record(.cutDelta)
        cutDeltas.insert(Resync(session: session, laptop: laptop))
    }

    mutating func didReceiveFullDelta(_ session: SessionID, on laptop: Int) {
        let resync = Resync(session: session, laptop: laptop)
        if cutDeltas.remove(resync) != nil { record(.resumedResync) }
    }

    // MARK: Disks

    mutating func persist(_ batch: Batch, _ session: SessionID, by laptop: Laptop) {
        if laptop.run?.inFlight[session] != nil { fail("two batches in flight at once") }
        if !isCorrupt, let fault = ledgers[session, default: Ledger()].recordWritten(batch) {
            fail(fault)
        }
    }

    mutating func committed(_ batch: Batch, _ session: SessionID, by laptop: Laptop) {
        ledgers[session, default: Ledger()].recordCommitted(batch)
        let vector = laptop.disk.sessions[session]?.vector ?? VersionVector()
        laptop.everDurable[session, default: VersionVector()].join(vector)
    }

    mutating func replied(
        _ outcome: WriteOutcome,
        to write: Laptop.PendingWrite?,
        by laptop: Laptop
    ) {
        guard let write else { return fail("a reply to an unknown write") }
        guard outcome == .saved else { return }
        record(.savedWrite)
        guard let journal = laptop.disk.sessions[write.session]?.journal else {
            return fail("a write is saved in a session that is not on disk")
        }
        for mutation in write.mutations {
            let line = journal[min(write.journalLength, journal.count)...].first {
                $0.key == mutation.key && $0.entry.value == mutation.value
                    && $0.entry.author == laptop.device
            }
            guard let line else {
                return fail("laptop \(laptop.index) saved \(mutation), but it is not on disk")
            }
            ledgers[write.session, default: Ledger()].saved.insert(line.entry.dot)
        }
    }

    mutating func recordLoss(
        _ session: SessionID,
        ofDiskAt before: VersionVector,
        keptBy kept: [VersionVector],
        promised: Set<Dot>
    ) {
        record(.setBack)
        ledgers[session]?.recordLoss(ofDiskAt: before, keptBy: kept, promised: promised)
    }

    mutating func acknowledged(_ vector: VersionVector, _ session: SessionID, others: [Laptop]) {
        var known = VersionVector()
        for other in others { known.join(other.everDurable[session] ?? VersionVector()) }
        if !known.covers(vector) {
            fail("counted as kept by others what no other disk ever had: \(Brief.name(vector))")
        }
    }

    // MARK: Messages

    /// Checks "persist before send": a message reveals only what is on the sender's disk.
    mutating func sent(
        _ message: PeerMessage,
        _ session: SessionID,
        by laptop: Laptop,
        isInner: Bool
    ) {
        switch message {
        case .ping, .pong, .clock: counts.pings += 1
        // Strangers knock at any time.
        case .knocks, .admit: break
        default: if isInner { counts.messages += 1 } else { counts.outerMessages += 1 }
        }
        switch message {
        case .hello(let hello):
            checkDurable(hello.vector, session, on: laptop)
            compare(hello.vector, hello.digest, session)
        case .ack(let acknowledgement):
            checkDurable(acknowledgement.vector, session, on: laptop)
            compare(acknowledgement.vector, acknowledgement.digest, session)
        case .delta(let delta):
            if delta.isUnion { record(.union) }
            checkDurable(delta.upto, session, on: laptop)
            checkValid(delta, of: laptop)
            for change in delta.changes {
                for entry in change.live { checkCommitted(entry, under: change.key, session) }
            }
        case .need(let vector):
            record(.need)
            checkDurable(vector, session, on: laptop)
        case .bye(.duplicate): record(.duplicate)
        case .ping, .pong, .clock, .addresses, .bye, .error, .links, .reached, .storage, .knocks,
            .admit, .welcome, .guest:
            break
        }
    }

    private mutating func checkDurable(
        _ vector: VersionVector,
        _ session: SessionID,
        on laptop: Laptop
    ) {
        let durable = laptop.disk.sessions[session]?.vector ?? VersionVector()
        if !durable.covers(vector) {
            let has = Brief.name(durable)
            fail("laptop \(laptop.index) revealed \(Brief.name(vector)) and has only \(has)")
        }
    }

    private mutating func checkValid(_ delta: Delta, of laptop: Laptop) {
        let (base, upto) = (delta.base, delta.upto)
        do throws(DeltaError) {
            _ = try Delta(base: base, upto: upto, changes: delta.changes, isUnion: delta.isUnion)
        } catch { fail("laptop \(laptop.index) sent an invalid delta: \(error)") }
    }

    private mutating func checkCommitted(_ entry: Entry, under key: Key, _ session: SessionID) {
        guard !rottedKeys.contains(key) else { return }
        if ledgers[session]?.records[entry.dot]?.entry != entry {
            fail("an entry was revealed that is on no disk: \(Brief.name(entry.dot))")
        }
    }

    private mutating func compare(_ vector: VersionVector, _ digest: Digest, _ session: SessionID) {
        guard !isCorrupt else { return }
        let before = digests[session, default: [:]].updateValue(digest, forKey: vector)
        if let before, before != digest {
            fail("equal vectors \(Brief.name(vector)) with unequal digests")
        }
    }

    // MARK: Other effects

    enum DialKind {
        /// A dial between two laptops that must agree.
        case inner
        /// A dial from or to a laptop that stays broken, or to an address without the session.
        case outer
        /// A dial for a session that only this device holds, because the write that names the
        /// session was lost; it does not count against the limits.
        case unheard
    }

    mutating func dialled(
        _ target: DialTarget,
        by laptop: Laptop,
        at time: UInt64,
        kind: DialKind
    ) {
        if kind != .unheard { counts.dials += 1 }
        if laptop.run?.engine.isOffline == true {
            fail("laptop \(laptop.index) dials while it is offline")
        }
        if kind == .inner { counts.innerDials += 1 }
        if !Ports.mayDial(named: target.endpoint.port) {
            fail("dialled \(target.endpoint), where no daemon listens")
        }
        let last = laptop.run?.dials.updateValue(time, forKey: target)
        if let last, time < last + Timing.dialSpacing {
            fail("laptop \(laptop.index) dialled \(target.endpoint) twice in \(time - last) ms")
        }
    }

    mutating func announced(by laptop: Laptop) {
        counts.announcements += 1
        if laptop.run?.engine.isOffline == true {
            fail("laptop \(laptop.index) announces itself while it is offline")
        }
    }

    mutating func raised(_ alarm: EngineAlarm) {
        switch alarm {
        case .digestMismatch:
            record(.digestMismatch)
            if !isCorrupt { fail("a digest mismatch among honest replicas") }
        case .clonedDevice:
            record(.clone)
            if !hasClone { fail("a clone was detected where there is none") }
        case .excess, .refused: fail("an honest replica was too much for another")
        case .badDelta, .deltaRefused: fail("a delta of an honest replica was refused")
        case .clockSkew, .storage, .wrongKey, .version: break
        }
    }

    /// Records decisions of an engine that are visible only in its log.
    mutating func logged(_ text: String) { if text.hasSuffix("disputed") { record(.dispute) } }

    /// Fails if a timer fires repeatedly while no time passes: the daemon would spin.
    mutating func fired(_ run: Laptop.Run, at uptime: UInt64) {
        counts.firings += 1
        let count = run.firings.uptime == uptime ? run.firings.count + 1 : 1
        run.firings = (uptime, count)
        if count == 20 { fail("a timer fires over and over at one moment") }
    }
}

/// A rare event that a campaign of seeds must reach, because an event that never occurs is not
/// tested.
package enum RareEvent: String, CaseIterable, Codable, Sendable {
    /// A full state was sent to repair a digest mismatch.
    case union
    /// A link was disputed by a newer one.
    case dispute
    /// Two values of one key were live.
    case conflict
    case savedWrite, deltaOfParts, cutDelta
    /// A delta did not build on the receiver's vector.
    case need
    case duplicate, refusedBatch
    /// The disk stored a batch and reported a failure.
    case unknownBatch
    case unreadable
    /// A disk was replaced by an earlier state.
    case setBack
    /// A laptop left after its engine reported that other laptops have all its writes.
    case politeLeave
    /// A laptop joined the next game.
    case successor
    case clone, digestMismatch
    /// Some laptops agreed while the others stayed broken.
    case healedCore
    /// A delta arrived completely after it had been cut.
    case resumedResync
    /// Faults went on for a day or longer.
    case days
    /// More than six laptops converged.
    case crowd
    case firewall, rot
    /// The healthy laptops agreed while the disk of one laptop stayed full.
    case fullDisk
    case invite, typedAddress
    /// A member admitted or refused a stranger who waited at another laptop.
    case remoteAnswer
    /// A user wrote while the laptops were converging.
    case lateWrite
}

/// The writes of one session, derived only from the journals: an independent model of the merge.
struct Ledger {
    /// The writes that reached a disk, each with the entries that it replaced there.
    private(set) var records: [Dot: JournalLine] = [:]
    private var written: [Dot: KeyedEntry] = [:]
    var saved: Set<Dot> = []
    /// Saved writes that were lost with the only disk that had them.
    private var lost: Set<Dot> = []
    /// Saved writes that a disk has lost: a promise that other disks have them no longer counts.
    private var doubtful: Set<Dot> = []

    /// Records writes on their way to disk; returns a description if one reuses a dot.
    mutating func recordWritten(_ batch: Batch) -> String? {
        for line in batch.journal {
            let stored = KeyedEntry(key: line.key, entry: line.entry)
            if let before = written[line.entry.dot], before != stored {
                return "dot \(Brief.name(line.entry.dot)) means two things: \(before) and \(stored)"
            }
            written[line.entry.dot] = stored
        }
        return nil
    }

    mutating func recordCommitted(_ batch: Batch) {
        for line in batch.journal where records[line.entry.dot] == nil {
            records[line.entry.dot] = line
        }
    }

    /// Accepts the loss of a disk that had seen `before`: a write that no other disk has may be
    /// lost, unless the engine had promised that another disk has it.
    mutating func recordLoss(
        ofDiskAt before: VersionVector,
        keptBy kept: [VersionVector],
        promised: Set<Dot>
    ) {
        let held = promised.subtracting(doubtful)
        for dot in saved where !kept.contains(where: { $0.covers(dot) }) && !held.contains(dot) {
            lost.insert(dot)
        }
        for dot in saved where before.covers(dot) { doubtful.insert(dot) }
    }

    /// Returns the saved writes that a replica with that vector must have and lacks.
    func missing(from vector: VersionVector) -> [Dot] {
        saved.filter { !vector.covers($0) && !lost.contains($0) }.sorted()
    }

    /// Returns the entries that must be live in a replica with that vector: every write that no
    /// write in the vector has replaced.
    func live(seen vector: VersionVector) -> [Key: Set<Dot>] {
        var replaced: Set<Dot> = []
        var live: [Key: Set<Dot>] = [:]
        for (dot, line) in records where vector.covers(dot) {
            replaced.formUnion(line.replaced.map(\.dot))
        }
        for (dot, line) in records where vector.covers(dot) && !replaced.contains(dot) {
            live[line.key, default: []].insert(dot)
        }
        return live
    }
}
