import SessionCRDT

/// The links of one session, in the order of their numbers.
struct LinkTable: Sendable {
    private(set) var all: [Link] = []

    /// The links whose peer has said hello.
    var greeted: [Link] { all.filter(\.isGreeted) }

    /// Whether a device is linked by nothing but what has been silent while something waits for it.
    func isDoubted(_ device: DeviceID) -> Bool {
        let links = greeted.filter { $0.peer?.device == device }
        return !links.isEmpty && links.allSatisfy(\.isDoubted)
    }

    /// The earliest time at which something must be done about a peer's silence.
    var nextDeadline: UInt64? {
        // By their places: each input asks, and no link is copied for it.
        all.indices.lazy.map { all[$0].nextDeadline }.min()
    }

    subscript(id: LinkID) -> Link? { place(of: id).map { all[$0] } }

    /// Adds a link, whose number is higher than all before in nearly every case.
    mutating func insert(_ link: Link) {
        remove(link.id)
        all.insert(link, at: all.partitioningIndex { $0.id >= link.id })
    }

    /// Takes a link out.
    @discardableResult
    mutating func remove(_ id: LinkID) -> Link? {
        place(of: id).map { all.remove(at: $0) }
    }

    /// Changes a link, if it is there.
    @discardableResult
    mutating func update<Result>(
        _ id: LinkID,
        _ change: (inout Link) -> Result
    ) -> Result? {
        place(of: id).map { change(&all[$0]) }
    }

    /// Takes the exchange with a link's peer a step on, once it has said hello.
    @discardableResult
    mutating func exchange<Result>(
        _ id: LinkID,
        _ step: (inout Exchange) -> Result
    ) -> Result? {
        update(id) { $0.exchange(step) } ?? nil
    }

    private func place(of id: LinkID) -> Int? {
        let place = all.partitioningIndex { $0.id >= id }
        return place < all.count && all[place].id == id ? place : nil
    }
}
