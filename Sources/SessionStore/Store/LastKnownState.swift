internal import CPlatform
package import SessionCRDT

/// The last state of the database that this device had, in a file next to it.
///
/// At the next start it shows a database that is older, because its log was lost or an old copy was
/// put in its place. It is written after commits, never flushed and never part of a commit, so it may
/// lag behind the database: what it says is a lower bound. It is never ahead of it, except for a
/// session that was removed just before a kill. A restore and a repair delete it.
struct LastKnownState {
    private static let header = "ScoreSync: the last known state of scoresync.db"
    /// The size up to which the file is read; a session takes about a kilobyte.
    private static let maxBytes = 16 << 20
    /// The last line, without which the file is incomplete and not read.
    private static let end = "end"

    private let path: String
    /// The sessions that were changed since the state was saved.
    var changed: Set<SessionID> = []
    /// The version vectors of sessions for which this state is ahead of the database.
    fileprivate var missing: [SessionID: VersionVector] = [:]
    private var lines: [SessionID: String] = [:]

    /// Reads the state, and compares it with the database, whose sessions count as changed.
    init(_ path: String, _ connection: Connection) {
        self.path = path
        // Damage is found, and repaired, when the sessions are loaded.
        guard let stored = try? connection.vectors() else { return }
        changed = Set(stored.keys)
        for (session, known) in LastKnownState.read(path) {
            guard stored[session]?.covers(known) != true else { continue }
            missing[session] = known
            lines[session] = LastKnownState.line(session, known)
        }
    }

    var isChanged: Bool { !changed.isEmpty }

    /// Saves the state with what the database has of the changed sessions; a failure is harmless.
    mutating func save(_ connection: Connection) {
        for session in changed {
            guard let stored = try? connection.vectors(of: session) else { return }
            update(session, to: stored[session])
        }
        changed = []
        let text = [LastKnownState.header] + lines.values + [LastKnownState.end]
        let bytes = Array((text.joined(separator: "\n") + "\n").utf8)
        let unfinished = path + ".partial"
        try? PrivateFile.remove(unfinished)
        guard let file = try? PrivateFile.create(unfinished, to: "save the state") else { return }
        let result = unsafe platform_write_all(file, bytes, bytes.count)
        platform_close(file)
        if result == 0 { _ = unsafe platform_rename(unfinished, path) }
    }

    private mutating func update(_ session: SessionID, to stored: VersionVector?) {
        if let known = missing[session], stored?.covers(known) != false { missing[session] = nil }
        let vector = stored.map { $0.joined(with: missing[session] ?? VersionVector()) }
        lines[session] = vector.map { LastKnownState.line(session, $0) }
    }

    private static func line(_ session: SessionID, _ vector: VersionVector) -> String {
        "\(session) \(vector.words)"
    }

    private static func read(_ path: String) -> [SessionID: VersionVector] {
        var file = platform_file()
        guard unsafe platform_file_status(path, &file) == 0, file.is_regular else { return [:] }
        var bytes = [UInt8](repeating: 0, count: min(Int(file.bytes), maxBytes))
        let count = unsafe platform_read_file(path, 0, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.first == header, lines.last == end else { return [:] }
        var vectors: [SessionID: VersionVector] = [:]
        for line in lines.dropFirst().dropLast() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let id = words.first, let session = SessionID(id) else { continue }
            vectors[session] = VersionVector(words: words.count > 1 ? words[1] : "")
        }
        return vectors
    }
}

extension SessionStore {
    /// Saves the last known state if it has changed; for idle moments, and at the end.
    package func saveLastKnownState() {
        // A directory in the place of this one has a state of its own.
        guard lastKnown.isChanged, filesAreCurrent else { return }
        lastKnown.save(connection)
    }

    /// The numbers of writes that this device had and the database lacks, by session.
    ///
    /// They are known until the database has them again. A session that is missing itself counts
    /// with all of its writes, perhaps none, unless it `wasLeft`.
    package func missingWrites(
        wasLeft: (SessionID) -> Bool = { _ in false }
    ) -> [SessionID: UInt64] {
        var missing: [SessionID: UInt64] = [:]
        for (session, known) in lastKnown.missing {
            let stored = (try? connection.vectors(of: session))?[session]
            if stored?.covers(known) ?? wasLeft(session) {
                lastKnown.changed.insert(session)
            } else {
                let heads = known.heads(aheadOf: stored ?? VersionVector())
                missing[session] = heads.reduce(0) { $0 &+ $1.sequence - (stored?[$1.actor] ?? 0) }
            }
        }
        return missing
    }
}

extension StoreFiles {
    var lastKnownState: String { database + ".last-known" }
}

extension Connection {
    fileprivate func vectors(
        of session: SessionID? = nil
    ) throws(StoreError) -> [SessionID: VersionVector] {
        action = "read the version vectors"
        var sequences: [SessionID: [ActorID: UInt64]] = [:]
        try each(
            """
            SELECT s.id, a.id, a.seen FROM session s LEFT JOIN actor a ON a.session = s.number
            \(session == nil ? "" : "WHERE s.id = ?")
            """,
            session.map { [.id($0)] } ?? []
        ) { row throws(StoreError) in
            let session: SessionID = try row.id(0)
            if row.isNull(1) {
                sequences[session] = [:]
            } else {
                sequences[session, default: [:]][try row.id(1)] = try row.word(2)
            }
        }
        return sequences.mapValues { VersionVector($0) }
    }
}

extension VersionVector {
    /// Parses the words `actor:sequence`.
    package init(words: String) { self.init(WordPairs.read(words) { ActorID($0) }) }

    package var words: String {
        sorted.map { "\($0.actor):\($0.sequence)" }.joined(separator: " ")
    }
}

/// Dictionaries as words `key:value`, in which neither part contains a space or a colon.
package enum WordPairs {
    /// Parses words; those of another form are ignored.
    package static func read<Key: Hashable, Value: LosslessStringConvertible>(
        _ words: String,
        _ key: (Substring) -> Key?
    ) -> [Key: Value] {
        let pairs = words.split(separator: " ").compactMap { word -> (Key, Value)? in
            let halves = word.split(separator: ":")
            guard halves.count == 2, let key = key(halves[0]), let value = Value(String(halves[1]))
            else { return nil }
            return (key, value)
        }
        return Dictionary(pairs) { $1 }
    }

    package static func text<Key: Comparable & Hashable, Value>(_ pairs: [Key: Value]) -> String {
        pairs.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
    }
}
