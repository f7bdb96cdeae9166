internal import SessionCRDT

extension Bindings {
    /// Adds the columns `kind`, `foreign_kind` and `value`.
    ///
    /// The kinds are 0 null, 1 boolean, 2 integer, 3 text, 4 foreign, as in the canonical bytes.
    mutating func value(_ value: Value) {
        switch value {
        case .null:
            integer(0)
            null(2)
        case .boolean(let boolean):
            integer(1)
            null()
            integer(boolean ? 1 : 0)
        case .integer(let number):
            integer(2)
            null()
            integer(number)
        case .text(let string):
            integer(3)
            null()
            text(string.string)
        case .foreign(let kind, let string):
            integer(4)
            text(kind.string)
            text(string.string)
        }
    }
}

extension Value {
    /// The value of the columns `kind`, `foreign_kind` and `value`, which stand from `column` on.
    init(_ row: Row, from column: Int32) throws(StoreError) {
        switch try row.integer(column) {
        case 0:
            self = .null
        case 1:
            self = .boolean(try row.integer(column + 2) != 0)
        case 2:
            self = .integer(try row.integer(column + 2))
        case 3:
            self = .text(try row.text(column + 2))
        case 4:
            let kind = ExactText(try row.text(column + 1))
            self = .foreign(kind: kind, text: ExactText(try row.text(column + 2)))
        default:
            throw row.unreadable(column)
        }
    }
}
