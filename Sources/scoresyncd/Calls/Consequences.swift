import SessionCRDT

/// What a command changes besides what it writes.
struct Consequences {
    /// The entries that are told, one by one or by their number.
    let cells: Set<Cell>
    /// What is told of them, in sentences.
    let notes: [String]

    /// Nothing.
    static let none = Consequences(cells: [], notes: [])
}
