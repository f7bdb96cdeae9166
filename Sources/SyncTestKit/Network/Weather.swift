/// How well the network works at the moment.
struct Weather {
    /// How long a packet takes, in milliseconds.
    var delay: ClosedRange<UInt64> = 0...3
    /// How many of a hundred announcements are lost on one way.
    var loss = 0
    /// How many of a hundred announcements arrive twice.
    var duplication = 0
    /// The one-way paths that nothing passes, from one laptop to another.
    private(set) var blocked: Set<Path> = []

    /// A way from one laptop to another.
    struct Path: Hashable {
        let from: Int
        let to: Int
    }

    func isOpen(from: Int, to: Int) -> Bool {
        from == to || !blocked.contains(Path(from: from, to: to))
    }

    mutating func block(from: Int, to: Int) { blocked.insert(Path(from: from, to: to)) }

    mutating func unblock(from: Int, to: Int) { blocked.remove(Path(from: from, to: to)) }

    mutating func clear() { blocked = [] }
}
