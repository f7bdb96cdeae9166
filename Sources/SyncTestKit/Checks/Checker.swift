import SessionCRDT
import SyncEngine
import SyncProtocol

/// Watches everything that daemons do and remembers what must hold.
struct Checker {
    /// What was found wrong, the first first.
    private(set) var violations: [String] = []
    private(set) var ledgers: [SessionID: Ledger] = [:]
    private var digests: [SessionID: [VersionVector: Digest]] = [:]
    private(set) var counts = Counts()
    /// What occurred, and how often.
    private(set) var marks: [Mark: Int] = [:]
    /// The keys that a disk gave back wrong: what is live there nobody can say, and replicas may
    /// differ for a while, and must say so.
    private(set) var rottedKeys: Set<Key> = []
    /// The deltas that broke off and have not come whole since.
    private var brokenOff: Set<Resync> = []
    var hasClone = false

    /// Who is sent what they have missed.
    private struct Resync: Hashable {
        let session: SessionID
        let laptop: Int
    }

    /// What was done so far, to tell a quiet network from a busy one.
    struct Counts: Hashable {
        var pings = 0
        var words = 0
        /// Words to or from a laptop that stays broken.
        var outerWords = 0
        var dials = 0
        /// Dials between two that are to agree.
        var innerDials = 0
        var announcements = 0
        var firings = 0
        var writes = 0
    }

    /// Whether a disk has rotted.
    var isCorrupt: Bool { !rottedKeys.isEmpty }
    /// What a vector on a disk counted although it never came.
    var phantoms: Set<Dot> = []

    mutating func complain(_ text: String) { violations.append(text) }

    mutating func reset() { counts = Counts() }

    mutating func note(_ mark: Mark) { marks[mark, default: 0] += 1 }

    mutating func rotted(_ key: Key) { rottedKeys.insert(key) }

    /// A delta to a laptop broke off in the middle.
    mutating func brokeOff(_ session: SessionID, to laptop: Int) {
        note(.cutDelta)
        brokenOff.insert(Resync(session: session, laptop: laptop))
    }

    /// A delta of several parts came whole.
    mutating func cameWhole(_ session: SessionID, to laptop: Int) {
        let resync = Resync(session: session, laptop: laptop)
        if brokenOff.remove(resync) != nil { note(.resumedResync) }
    }

    // MARK: Disks

    mutating func persist(_ batch: Batch, _ session: SessionID, by laptop: Laptop) {
        if laptop.run?.inFlight[session] != nil { complain("two batches in flight at once") }
        if !isCorrupt, let wrong = ledgers[session, default: Ledger()].note(batch) {
            complain(wrong)
        }
    }

    mutating func committed(_ batch: Batch, _ session: SessionID, by laptop: Laptop) {
        ledgers[session, default: Ledger()].commit(batch)
        let vector = laptop.disk.sessions[session]?.vector ?? VersionVector()
        laptop.everDurable[session, default: VersionVector()].join(vector)
    }

    mutating func replied(
        _ outcome: WriteOutcome,
        to write: Laptop.PendingWrite?,
        by laptop: Laptop
    ) {
        guard let write else { return complain("a reply to a write that nobody waits for") }
        counts.writes += 1
        guard outcome == .saved else { return }
        note(.savedWrite)
        guard let journal = laptop.disk.sessions[write.session]?.journal else {
            return complain("a write is saved in a session that is not on disk")
        }
        for mutation in write.mutations {
            let line = journal[min(write.journalLength, journal.count)...].first {
                $0.key == mutation.key && $0.entry.value == mutation.value
                    && $0.entry.author == laptop.device
            }
            guard let line else {
                return complain("laptop \(laptop.index) saved \(mutation), but it is not on disk")
            }
            ledgers[write.session, default: Ledger()].save(line.entry.dot)
        }
    }

    mutating func forgive(
        _ session: SessionID,
        of before: VersionVector,
        kept: [VersionVector],
        but promised: Set<Dot>
    ) {
        note(.setBack)
        ledgers[session]?.forgive(before, kept: kept, but: promised)
    }

    mutating func acknowledged(
        _ vector: VersionVector,
        _ session: SessionID,
        others: [Laptop]
    ) {
        var known = VersionVector()
        for other in others { known.join(other.everDurable[session] ?? VersionVector()) }
        if !known.covers(vector) {
            complain("counted as kept by others what no other disk ever had: \(Brief.name(vector))")
        }
    }

    // MARK: Messages

    /// Persist before send: nothing is told that the sender's disk does not have.
    mutating func sent(
        _ message: PeerMessage,
        _ session: SessionID,
        by laptop: Laptop,
        isInner: Bool
    ) {
        switch message {
        case .ping, .pong, .clock: counts.pings += 1
        default: if isInner { counts.words += 1 } else { counts.outerWords += 1 }
        }
        switch message {
        case .hello(let hello):
            told(hello.vector, session, by: laptop)
            compare(hello.vector, hello.digest, session)
        case .ack(let acknowledgement):
            told(acknowledgement.vector, session, by: laptop)
            compare(acknowledgement.vector, acknowledgement.digest, session)
        case .delta(let delta):
            if delta.isUnion { note(.union) }
            told(delta.upto, session, by: laptop)
            check(delta, of: laptop)
            for change in delta.changes {
                for entry in change.live { told(entry, under: change.key, session) }
            }
        case .need(let vector):
            note(.need)
            told(vector, session, by: laptop)
        case .bye(.duplicate): note(.duplicate)
        case .ping, .pong, .clock, .addresses, .bye, .error, .links, .reached, .welcome: break
        }
    }

    private mutating func told(
        _ vector: VersionVector,
        _ session: SessionID,
        by laptop: Laptop
    ) {
        let durable = laptop.disk.sessions[session]?.vector ?? VersionVector()
        if !durable.covers(vector) {
            let has = Brief.name(durable)
            complain("laptop \(laptop.index) told \(Brief.name(vector)) and has only \(has)")
        }
    }

    /// Whether what a map says of itself is a delta that its receiver can make of the words.
    private mutating func check(_ delta: Delta, of laptop: Laptop) {
        do throws(DeltaError) {
            _ = try Delta(
                base: delta.base,
                upto: delta.upto,
                changes: delta.changes,
                isUnion: delta.isUnion
            )
        } catch { complain("laptop \(laptop.index) sent a delta in which \(error)") }
    }

    private mutating func told(_ entry: Entry, under key: Key, _ session: SessionID) {
        guard !rottedKeys.contains(key) else { return }
        if ledgers[session]?.records[entry.dot]?.line.entry != entry {
            complain("an entry was told that is on no disk: \(Brief.name(entry.dot))")
        }
    }

    private mutating func compare(
        _ vector: VersionVector,
        _ digest: Digest,
        _ session: SessionID
    ) {
        guard !isCorrupt else { return }
        let before = digests[session, default: [:]].updateValue(digest, forKey: vector)
        if let before, before != digest {
            complain("equal vectors \(Brief.name(vector)) with unequal digests")
        }
    }

    // MARK: The rest

    /// Whom a dial is for.
    enum Dial {
        /// Both are to agree.
        case inner
        /// One of them stays broken, or is elsewhere.
        case outer
        /// Nobody else has heard of the session, because the write that names it was lost to the
        /// disk. Such a dial says nothing about the network.
        case hopeful
    }

    mutating func dialled(
        _ target: Laptop.DialTarget,
        by laptop: Laptop,
        at time: UInt64,
        what dial: Dial
    ) {
        if dial != .hopeful { counts.dials += 1 }
        if laptop.run?.engine.isOffline == true {
            complain("laptop \(laptop.index) dials while it is offline")
        }
        if dial == .inner { counts.innerDials += 1 }
        if !Ports.mayDial(named: target.endpoint.port) {
            complain("dialled \(target.endpoint), which no daemon listens on")
        }
        let last = laptop.run?.dials.updateValue(time, forKey: target)
        if let last, time < last + Timing.dialSpacing {
            complain("laptop \(laptop.index) dialled \(target.endpoint) twice in \(time - last) ms")
        }
    }

    mutating func announced(by laptop: Laptop) {
        counts.announcements += 1
        if laptop.run?.engine.isOffline == true {
            complain("laptop \(laptop.index) announces itself while it is offline")
        }
    }

    mutating func alarmed(_ alarm: EngineAlarm) {
        switch alarm {
        case .digestMismatch:
            note(.digestMismatch)
            if !isCorrupt { complain("a digest mismatch among honest replicas") }
        case .clonedDevice:
            note(.clone)
            if !hasClone { complain("a clone was seen where there is none") }
        case .excess, .refused: complain("an honest replica was too much for another")
        case .badDelta, .deltaRefused: complain("a delta of an honest replica was refused")
        case .clockSkew, .storage, .wrongKey, .version: break
        }
    }

    /// What an engine decides without an effect is known from its log.
    mutating func logged(_ text: String) {
        if text.hasSuffix("disputed") { note(.dispute) }
    }

    /// A timer that fires over and over without time passing makes a laptop hot.
    mutating func fired(_ run: Laptop.Run, at uptime: UInt64) {
        counts.firings += 1
        let count = run.firings.uptime == uptime ? run.firings.count + 1 : 1
        run.firings = (uptime, count)
        if count == 20 { complain("a timer fires over and over at one moment") }
    }
}

/// Something rare that a campaign must have seen: what never occurs is not tested.
package enum Mark: String, CaseIterable, Codable, Sendable {
    /// Everything was sent, to repair a difference.
    case union
    /// A link was disputed by a newer one.
    case dispute
    /// Two values of one key were live.
    case conflict
    /// A write was reported as saved.
    case savedWrite
    /// A delta went out in several parts.
    case deltaOfParts
    /// A delta broke off in the middle.
    case cutDelta
    /// A delta did not fit.
    case need
    /// A link was one too many.
    case duplicate
    /// The disk refused a batch.
    case refusedBatch
    /// The disk took a batch and said that it had not.
    case unknownBatch
    /// A session could not be read.
    case unreadable
    /// A disk came back with less than it had.
    case setBack
    /// A laptop left because others had all that it wrote.
    case politeLeave
    /// A next game was taken up.
    case successor
    /// A copy of a home was seen.
    case clone
    /// A digest showed a difference.
    case digestMismatch
    /// A part agreed while the rest stayed broken.
    case healedCore
    /// A delta came whole after it had broken off in the middle.
    case resumedResync
    /// Things went wrong for a day and longer.
    case days
    /// More than six laptops were equal in the end.
    case crowd
    /// A dial went to somebody who lets nobody in.
    case firewall
    /// A disk gave back something else than was written.
    case rot
    /// The others agreed beside a disk that stayed full.
    case fullDisk
    /// A door was opened for who has a code.
    case invite
    /// An address was typed.
    case typedAddress
    /// Somebody wrote while the others came to agree.
    case lateWrite
}

/// What was really written in one session, known from the journals alone: the second opinion that
/// the engine's own merge is held against.
struct Ledger {
    /// A write, and what its writer had in front of it.
    struct Record {
        let line: JournalLine
        var replaced: [Dot] { line.replaced.map(\.dot) }
    }

    /// Every write that reached a disk.
    private(set) var records: [Dot: Record] = [:]
    /// Every write that anybody tried, on disk or not.
    private(set) var minted: [Dot: KeyedEntry] = [:]
    /// The writes that were reported as saved.
    private(set) var saved: Set<Dot> = []
    /// Saved writes that went with the only disk that had them.
    private(set) var lost: Set<Dot> = []
    /// Saved writes that a disk has lost, whose owner may have been relied on: nobody promises them
    /// any more.
    private var doubtful: Set<Dot> = []

    /// Notes the writes that are about to go to disk.
    ///
    /// - Returns: what is wrong with them.
    mutating func note(_ batch: Batch) -> String? {
        for line in batch.journal {
            let stored = KeyedEntry(key: line.key, entry: line.entry)
            if let before = minted[line.entry.dot], before != stored {
                return "dot \(Brief.name(line.entry.dot)) means two things: \(before) and \(stored)"
            }
            minted[line.entry.dot] = stored
        }
        return nil
    }

    /// Notes the writes that are on a disk now.
    mutating func commit(_ batch: Batch) {
        for line in batch.journal where records[line.entry.dot] == nil {
            records[line.entry.dot] = Record(line: line)
        }
    }

    mutating func save(_ dot: Dot) { saved.insert(dot) }

    /// A disk that had seen `before` was lost or set back: what no other disk has may be gone for
    /// good, unless the engine had promised that others have it.
    mutating func forgive(
        _ before: VersionVector,
        kept: [VersionVector],
        but promised: Set<Dot>
    ) {
        let held = promised.subtracting(doubtful)
        for dot in saved where !kept.contains(where: { $0.covers(dot) }) && !held.contains(dot) {
            lost.insert(dot)
        }
        for dot in saved where before.covers(dot) { doubtful.insert(dot) }
    }

    /// The saved writes that are in no way accounted for by who has seen `vector`.
    func missing(from vector: VersionVector) -> [Dot] {
        saved.filter { !vector.covers($0) && !lost.contains($0) }.sorted()
    }

    /// The entries that must be live for who has seen `vector`: every write that nobody has
    /// knowingly replaced.
    func live(seen vector: VersionVector) -> [Key: Set<Dot>] {
        var replaced: Set<Dot> = []
        var live: [Key: Set<Dot>] = [:]
        for (dot, record) in records where vector.covers(dot) {
            replaced.formUnion(record.replaced)
        }
        for (dot, record) in records where vector.covers(dot) && !replaced.contains(dot) {
            live[record.line.key, default: []].insert(dot)
        }
        return live
    }
}
