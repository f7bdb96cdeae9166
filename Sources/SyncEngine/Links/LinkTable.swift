import SessionCRDT
import SyncProtocol

/// The links of one session, sorted by id.
struct LinkTable: Sendable {
    private(set) var all: [Link] = []

    var greeted: [Link] { all.filter(\.isGreeted) }

    /// Whether all links with a device are doubtful, so that it is being dialled.
    func isRedialling(_ device: DeviceID) -> Bool {
        let links = greeted.filter { $0.peer?.device == device }
        return !links.isEmpty && links.allSatisfy(\.isRedialling)
    }

    var nextDeadline: UInt64? {
        // Iterates by index to avoid copying links, because every input calls this.
        all.indices.lazy.map { all[$0].nextDeadline }.min()
    }

    subscript(id: LinkID) -> Link? { index(of: id).map { all[$0] } }

    /// Adds a link, whose id is nearly always the highest.
    mutating func insert(_ link: Link) {
        remove(link.id)
        all.insert(link, at: all.partitioningIndex { $0.id >= link.id })
    }

    @discardableResult
    mutating func remove(_ id: LinkID) -> Link? { index(of: id).map { all.remove(at: $0) } }

    @discardableResult
    mutating func update<Result>(_ id: LinkID, _ change: (inout Link) -> Result) -> Result? {
        index(of: id).map { change(&all[$0]) }
    }

    /// Changes the state of a link whose peer has said hello.
    @discardableResult
    mutating func updateGreeted<Result>(
        _ id: LinkID,
        _ change: (inout Link.Greeted) -> Result
    ) -> Result? { update(id) { $0.change(change) } ?? nil }

    private func index(of id: LinkID) -> Int? {
        let index = all.partitioningIndex { $0.id >= id }
        return index < all.count && all[index].id == id ? index : nil
    }
}

/// The maximum numbers of links of one session.
///
/// Admission: a member proves only that it has the session's key, so it can claim to be any device,
/// any number of times. Honest members have one link with each instance of a device, and for a
/// moment a second one.
enum LinkQuota {
    /// The maximum number of links with one device, of which two copies may be running.
    static let perDevice = 4
    /// The maximum number of links with one address, which users of a machine share; loopback
    /// addresses count only in total.
    static let perAddress = 16
    static let perSession = 256

    /// Returns the links to close after `newest` was opened or its peer has said hello: the oldest
    /// ones among those that peers have opened.
    static func surplus(in links: [Link], with newest: Link) -> [LinkID] {
        let (remote, isLoopback) = (newest.remote, newest.remote.address.isLoopback)
        let ofAddress = isLoopback ? [] : links.filter { $0.remote.address == remote.address }
        let ofDevice = newest.peer.map { peer in links.filter { $0.peer?.device == peer.device } }
        let groups = [(ofDevice ?? [], perDevice), (ofAddress, perAddress), (links, perSession)]
        var surplus: [LinkID] = []
        for (group, limit) in groups {
            let rest = group.filter { !surplus.contains($0.id) }
            let removable = rest.filter { $0.side == .accepted && $0.id != newest.id }
            surplus += removable.prefix(max(0, rest.count - limit)).map(\.id)
        }
        return surplus
    }
}
