/// Reads the tables of a damaged database page by page, in the order of their rows.
struct DamagedDatabase {
    enum ScannedPart {
        /// A row, which is trusted if its page is undamaged.
        case row(StoredRecord, isTrusted: Bool)
        case gap
    }

    let pages: DatabasePages
    /// The version of the schema; nil if it is unreadable.
    let schema: Int?
    /// The application id; nil if it is unreadable.
    let owner: Int64?
    /// The root page of each table and index, by name.
    private var roots: [String: UInt32] = [:]
    /// The pages that a table, an index or the list of free pages refers to.
    private var known: Set<UInt32> = [1]
    private var isListDamaged = false

    /// The maximum depth of a tree, because damage can create cycles.
    private static let maxDepth = 24

    init(_ pages: DatabasePages) {
        self.pages = pages
        let header = pages.header
        schema = header.map { Int($0.word(at: 60)) }
        owner = header.map { Int64(Int32(bitPattern: $0.word(at: 68))) }
        var list: [(name: String, root: UInt32)] = []
        var isDamaged = header == nil
        DamagedDatabase.walk(1, of: pages, isNumbered: true, &known) { finding in
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
        if let header { skipFreePages(from: header.word(at: 32)) }
    }

    mutating func read<Failure>(
        _ shape: TableShape,
        _ body: (ScannedPart) throws(Failure) -> Void
    ) throws(Failure) {
        guard let root = roots[shape.table] else {
            if isListDamaged { try body(.gap) }
            return
        }
        try DamagedDatabase.walk(root, of: pages, isNumbered: shape.isNumbered, &known, body)
    }

    /// Reads the unique index of a table; each record has the indexed columns and the row's number.
    mutating func readIndex<Failure>(
        of table: String,
        _ body: (StoredRecord) throws(Failure) -> Void
    ) throws(Failure) {
        guard let root = roots["sqlite_autoindex_\(table)_1"] else { return }
        try DamagedDatabase.walk(root, of: pages, isNumbered: false, &known) {
            finding throws(Failure) in
            if case .row(let record, _) = finding { try body(record) }
        }
    }

    /// Reads the rows of all pages that nothing refers to; must be called after all trees were
    /// read.
    func readUnreferencedPages<Failure>(
        _ body: (StoredRecord) throws(Failure) -> Void
    ) throws(Failure) {
        guard pages.pageCount > 1 else { return }
        for number in 2...pages.pageCount where !known.contains(number) {
            guard let page = TreePage(number, of: pages) else { continue }
            for cell in page.cells { if case .row(let record) = cell { try body(record) } }
        }
    }

    /// Marks the free pages as known, because their rows are outdated.
    private mutating func skipFreePages(from first: UInt32) {
        var trunk = first
        while trunk > 0, known.insert(trunk).inserted, let page = pages.page(trunk) {
            let count = min(Int(page.word(at: 4)), DatabasePages.pageSize / 4 - 2)
            for index in 0..<count { known.insert(page.word(at: 8 + 4 * index)) }
            trunk = page.word(at: 0)
        }
    }

    private static func walk<Failure>(
        _ number: UInt32,
        of pages: DatabasePages,
        isNumbered: Bool,
        depth: Int = 0,
        _ known: inout Set<UInt32>,
        _ body: (ScannedPart) throws(Failure) -> Void
    ) throws(Failure) {
        guard depth < maxDepth, depth == 0 || known.insert(number).inserted,
            let page = TreePage(number, of: pages), page.isNumbered == isNumbered,
            depth == 0 || !page.cells.isEmpty
        else { return try body(.gap) }
        known.insert(number)
        if !page.isSound { try body(.gap) }
        for cell in page.cells {
            switch cell {
            case .row(let record): try body(.row(record, isTrusted: page.isSound))
            // A damaged page may list wrong children, which `readUnreferencedPages` finds instead.
            case .child where !page.isSound: continue
            case .child(let child):
                try walk(child, of: pages, isNumbered: isNumbered, depth: depth + 1, &known, body)
            }
        }
        if !page.isSound { try body(.gap) }
    }
}

/// The column types of a table, for checking rows, and for finding the table of a row on a page
/// that nothing refers to.
struct TableShape {
    private enum Column: Character {
        /// The number of the row, which is stored separately from the columns.
        case rowNumber = "r"
        case integer = "i"
        case optionalInteger = "I"
        case text = "t"
        case optionalText = "T"
        case id = "b"
        case optionalID = "B"
        case blob = "k"
        /// A value of an entry, which follows the columns `kind` and `foreign_kind`.
        case value = "v"
    }

    let table: String
    /// Whether rows have numbers, even if these are not a column.
    let isNumbered: Bool
    private let columns: [Column]
    /// The minimum number of columns; migrations have added further ones at the end.
    private let minColumns: Int

    /// All tables; in those whose rows have keys, the columns of the key come first, as in the
    /// file.
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
        TableShape("line", "iiiiiiiiiTvIIIIITv", minColumns: 11, isNumbered: false),
        TableShape("replaced", "iiiiiiiiTv", isNumbered: false),
        TableShape("person", "rti"),
        TableShape("result", "rbittIITI", minColumns: 6),
        TableShape("result_player", "iibtiIiitTI", minColumns: 9, isNumbered: false),
        TableShape("sheet", "tt"),
    ]

    private init(
        _ table: String,
        _ columns: String,
        minColumns: Int? = nil,
        isNumbered: Bool = true
    ) {
        (self.table, self.isNumbered) = (table, isNumbered)
        self.columns = columns.compactMap { Column(rawValue: $0) }
        self.minColumns = minColumns ?? columns.count
    }

    /// Returns the values of a row for inserting it again; nil if the row is not one of this table.
    func values(of record: StoredRecord) -> [SQLValue]? {
        guard (record.number != nil) == isNumbered, record.values.count <= columns.count,
            record.values.count >= minColumns
        else { return nil }
        var values = record.values
        for (index, (column, value)) in zip(columns, record.values).enumerated() {
            switch (column, value) {
            case (.rowNumber, .null):
                guard let number = record.number else { return nil }
                values[index] = .integer(number)
            case (.integer, .integer), (.optionalInteger, .integer), (.optionalInteger, .null),
                (.optionalText, .null), (.optionalID, .null), (.blob, .blob):
                continue
            case (.text, let text), (.optionalText, let text):
                guard text.isText else { return nil }
            case (.id, .blob(let bytes)), (.optionalID, .blob(let bytes)):
                guard bytes.count == 16 else { return nil }
            case (.value, let value):
                guard TableShape.isValue(value, of: values[index - 2], values[index - 1]) else {
                    return nil
                }
            default: return nil
            }
        }
        let missing = repeatElement(SQLValue.null, count: columns.count - values.count)
        return values + missing
    }

    /// Whether `Value.init(_:from:)` can read a value of this kind.
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

    /// Whether the value can be read as a text; a text with a zero byte is stored as a blob.
    fileprivate var isText: Bool {
        switch self {
        case .text: true
        case .blob(let bytes): String(validating: bytes, as: UTF8.self) != nil
        case .null, .integer, .id: false
        }
    }
}
