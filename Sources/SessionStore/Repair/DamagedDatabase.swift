internal import SessionCRDT

/// The tables of a damaged database, each read page by page, in the order of its rows.
struct DamagedDatabase {
    /// What is found in a table, in order.
    enum Finding {
        /// A row; it is trusted where nothing is wrong with its page.
        case row(StoredRecord, isTrusted: Bool)
        /// Something that cannot be read.
        case gap
    }

    let image: DamagedImage
    /// The version of the schema; nil where it cannot be read.
    let schema: Int?
    /// What marks the program; nil where it cannot be read.
    let owner: Int64?
    /// Where each table and index begins.
    private var roots: [String: UInt32] = [:]
    /// The pages that a tree or the list of free pages leads to.
    private var known: Set<UInt32> = [1]
    /// Whether a page of the list of tables is damaged.
    private var isListDamaged = false

    /// The longest way from the root of a tree to a leaf; damage can make circles.
    private static let deepest = 24

    /// The database of an image.
    init(_ image: DamagedImage) {
        self.image = image
        let header = image.header
        schema = header.map { Int($0.word(at: 60)) }
        owner = header.map { Int64(Int32(bitPattern: $0.word(at: 68))) }
        var list: [(name: String, root: UInt32)] = []
        var isDamaged = header == nil
        DamagedDatabase.walk(1, of: image, isNumbered: true, &known) { finding in
            guard case .row(let record, _) = finding, record.values.count == 5,
                case .text(let name) = record.values[1],
                case .integer(let root) = record.values[3]
            else {
                isDamaged = true
                return
            }
            list.append((name, UInt32(truncatingIfNeeded: root)))
        }
        isListDamaged = isDamaged
        for (name, root) in list { roots[name] = root }
        if let header { noteFree(header.word(at: 32)) }
    }

    /// Reads a table; the pages that were read are known from then on.
    mutating func read<Failure>(
        _ shape: TableShape,
        _ take: (Finding) throws(Failure) -> Void
    ) throws(Failure) {
        guard let root = roots[shape.table] else {
            if isListDamaged { try take(.gap) }
            return
        }
        try DamagedDatabase.walk(root, of: image, isNumbered: shape.isNumbered, &known, take)
    }

    /// Reads the index that keeps the rows of a table apart: its columns and their rows' numbers.
    mutating func readIndex<Failure>(
        of table: String,
        _ take: (StoredRecord) throws(Failure) -> Void
    ) throws(Failure) {
        guard let root = roots["sqlite_autoindex_\(table)_1"] else { return }
        try DamagedDatabase.walk(root, of: image, isNumbered: false, &known) {
            finding throws(Failure) in
            if case .row(let record, _) = finding { try take(record) }
        }
    }

    /// Reads the rows of all pages that nothing leads to.
    ///
    /// It must come after all trees were read.
    func readStrays<Failure>(
        _ take: (StoredRecord) throws(Failure) -> Void
    ) throws(Failure) {
        guard image.pageCount > 1 else { return }
        for number in 2...image.pageCount where !known.contains(number) {
            guard let page = TreePage(number, of: image) else { continue }
            for cell in page.cells { if case .row(let record) = cell { try take(record) } }
        }
    }

    /// Notes the free pages, whose rows are of the past.
    private mutating func noteFree(_ first: UInt32) {
        var trunk = first
        while trunk > 0, known.insert(trunk).inserted, let page = image.page(trunk) {
            let count = min(Int(page.word(at: 4)), DamagedImage.pageSize / 4 - 2)
            for index in 0..<count { known.insert(page.word(at: 8 + 4 * index)) }
            trunk = page.word(at: 0)
        }
    }

    private static func walk<Failure>(
        _ number: UInt32,
        of image: DamagedImage,
        isNumbered: Bool,
        depth: Int = 0,
        _ known: inout Set<UInt32>,
        _ take: (Finding) throws(Failure) -> Void
    ) throws(Failure) {
        guard depth < deepest, depth == 0 || known.insert(number).inserted,
            let page = TreePage(number, of: image), page.isNumbered == isNumbered,
            depth == 0 || !page.cells.isEmpty
        else { return try take(.gap) }
        known.insert(number)
        if !page.isSound { try take(.gap) }
        for cell in page.cells {
            switch cell {
            case .row(let record): try take(.row(record, isTrusted: page.isSound))
            // Where a page is damaged, so may be what it leads to; `readStrays` finds the rest.
            case .child where !page.isSound: continue
            case .child(let child):
                try walk(child, of: image, isNumbered: isNumbered, depth: depth + 1, &known, take)
            }
        }
        if !page.isSound { try take(.gap) }
    }
}

/// What the rows of a table look like: by this a row is known to be one, and where the list of
/// tables is damaged, a page is known to be of its table.
struct TableShape {
    /// What a column may hold.
    enum Column: Character {
        /// The number of the row itself, which stands beside the columns.
        case rowNumber = "r"
        /// A whole number.
        case integer = "i"
        /// A whole number or nothing.
        case optionalInteger = "I"
        /// A text.
        case text = "t"
        /// A text or nothing.
        case optionalText = "T"
        /// 16 bytes.
        case id = "b"
        /// 16 bytes or nothing.
        case optionalID = "B"
        /// Bytes.
        case blob = "k"
        /// A value, after the columns of its kind.
        case value = "v"
    }

    let table: String
    /// Whether rows have numbers, whether or not a column shows them.
    let isNumbered: Bool
    private let columns: [Column]
    /// How many columns must be there: later versions add to the end.
    private let fewest: Int

    /// All tables.
    ///
    /// In the tables whose rows have keys, the columns of the key stand first, as in the file.
    static let all = [
        TableShape("identity", "rb"),
        TableShape("setting", "tt", isNumbered: false),
        TableShape("session", "rbki"),
        TableShape("session_setting", "itt", isNumbered: false),
        TableShape("peer", "itBIi", isNumbered: false),
        TableShape("actor", "ribi"),
        TableShape("author", "rib"),
        TableShape("subject", "rit"),
        TableShape("entry", "iiiiiTvi", isNumbered: false),
        TableShape("line", "iiiiiiiiiTvIIIIITv", fewest: 11, isNumbered: false),
        TableShape("replaced", "iiiiiiiiTv", isNumbered: false),
        TableShape("person", "rti"),
        TableShape("result", "rbittI"),
        TableShape("result_player", "iibtiIiitT", fewest: 9, isNumbered: false),
        TableShape("sheet", "tt"),
    ]

    private init(_ table: String, _ columns: String, fewest: Int? = nil, isNumbered: Bool = true) {
        self.table = table
        self.columns = columns.compactMap { Column(rawValue: $0) }
        self.fewest = fewest ?? columns.count
        self.isNumbered = isNumbered
    }

    /// The values of a row as they are inserted; nil where it is no row of this table.
    func values(of record: StoredRecord) -> [SQLValue]? {
        guard (record.number != nil) == isNumbered, record.values.count <= columns.count,
            record.values.count >= fewest
        else { return nil }
        var values = record.values
        for (place, (column, value)) in zip(columns, record.values).enumerated() {
            switch (column, value) {
            case (.rowNumber, .null):
                guard let number = record.number else { return nil }
                values[place] = .integer(number)
            case (.integer, .integer), (.optionalInteger, .integer), (.optionalInteger, .null),
                (.optionalText, .null), (.optionalID, .null), (.blob, .blob):
                continue
            case (.text, let text), (.optionalText, let text):
                guard text.isText else { return nil }
            case (.id, .blob(let bytes)), (.optionalID, .blob(let bytes)):
                guard bytes.count == 16 else { return nil }
            case (.value, let value):
                guard TableShape.isValue(value, of: values[place - 2], values[place - 1]) else {
                    return nil
                }
            default: return nil
            }
        }
        let missing = repeatElement(SQLValue.null, count: columns.count - values.count)
        return values + missing
    }

    /// Whether a value is one of its kind; see `Value.init(_:from:)`, which reads the same.
    private static func isValue(_ value: SQLValue, of kind: SQLValue, _ foreign: SQLValue) -> Bool {
        switch kind {
        case .integer(0), .null: value.isNull
        case .integer(1), .integer(2): if case .integer = value { true } else { false }
        case .integer(3): value.isText
        case .integer(4): value.isText && foreign.isText
        default: false
        }
    }
}

extension SQLValue {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }

    /// Whether it is read as a text, of which one with a zero byte is stored as a blob.
    fileprivate var isText: Bool {
        switch self {
        case .text: true
        case .blob(let bytes): String(validating: bytes, as: UTF8.self) != nil
        case .null, .integer, .id: false
        }
    }
}
