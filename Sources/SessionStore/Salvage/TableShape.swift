internal import SessionCRDT

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
