import SessionCRDT
import SyncProtocol

/// The links of one session, in ascending order of their ids.
struct LinkTable: Sendable {
    private(set) var all: [Link] = []

    var greeted: [Link] { all.filter(\.isGreeted) }

    /// Whether all links with a device are doubted.
    func isRedialling(_ device: DeviceID) -> Bool {
        let links = greeted.filter { $0.peer?.device == device }
        return !links.isEmpty && links.allSatisfy(\.isRedialling)
    }

    var nextDeadline: UInt64? {
        // Iterates by index to avoid copies of links, because every input calls this.
        all.indices.lazy.map { all[$0].nextDeadline }.min()
    }

    subscript(id: LinkID) -> Link? { index(of: id).map { all[$0] } }

    /// Adds a link, whose id is higher than all before in nearly every case.
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

/// The maximum number of links of one session with one device, with one address and in all.
///
/// Admission: a member proves only that it has the session's key, so it can claim to be any device,
/// any number of times. Honest members have one link with each instance of a device, and briefly a
/// second one.
enum LinkQuota {
    /// The maximum with one device, of which two copies may run.
    static let perDevice = 4
    /// The maximum with one address, which users of a machine share; loopback only counts in total.
    static let perAddress = 16
    static let perSession = 256

    /// Returns the links to close once `newest` is open or its peer has said hello: the oldest of
    /// those that peers have opened.
    static func surplus(in links: [Link], with newest: Link) -> [LinkID] {
        let (remote, isLoopback) = (newest.remote, newest.remote.isLoopback)
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
