/// What the first bytes of a database say (SQLite, "Database File Format", section 1.3).
///
/// They are enough to see whose it is without opening it, which would change its files.
enum StoreHeader: Hashable, Sendable {
    /// There is no file.
    case missing
    /// It is empty: a daemon made it and came no further.
    case empty
    /// It is no database, or its first page is damaged.
    case damaged
    /// It belongs to another program, by that program's id.
    case foreign(UInt32)
    /// It is ScoreSync's, with this schema.
    case own(schema: UInt32)

    /// How many bytes are looked at.
    static let bytes = 100
    /// The id of ScoreSync's databases: "ScSy".
    static let applicationID: UInt32 = 0x5363_5379
    /// The last schema that this version knows.
    static let knownSchema: UInt32 = 5

    private static let magic = Array("SQLite format 3\0".utf8)

    /// What a file begins with.
    init(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        guard bytes.count >= StoreHeader.bytes, bytes.starts(with: StoreHeader.magic) else {
            self = .damaged
            return
        }
        let (id, schema) = (Self.number(bytes, at: 68), Self.number(bytes, at: 60))
        // A database that is made at this moment has no id yet.
        self = id == Self.applicationID || id == 0 ? .own(schema: schema) : .foreign(id)
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
