import SessionCRDT
import SyncProtocol

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

/// How many links of one session there are with one device, one address and in all.
///
/// A member proves the session's key and nothing else: it can say to be any device, any number of
/// times. Honest ones have one link with each run of a device, and another for moments.
enum LinkQuota {
    /// With one device, which may be two running copies.
    static let perDevice = 4
    /// With one address, which several users of one machine share; loopback counts in total only.
    static let perAddress = 16
    /// In all.
    static let perSession = 256

    /// Which links go now that this one is there, or its peer has said who it is: the oldest of
    /// those that peers have opened.
    static func surplus(in links: [Link], with newest: Link) -> [LinkID] {
        let isLoopback = newest.remote.address >> 24 == 127
        let ofAddress =
            isLoopback ? [] : links.filter { $0.remote.address == newest.remote.address }
        let ofDevice = newest.peer.map { peer in links.filter { $0.peer?.device == peer.device } }
        let crowds = [
            (ofDevice ?? [], perDevice), (ofAddress, perAddress), (links, perSession),
        ]
        var surplus: [LinkID] = []
        for (crowd, most) in crowds {
            let rest = crowd.filter { !surplus.contains($0.id) }
            let removable = rest.filter { $0.side == .accepted && $0.id != newest.id }
            surplus += removable.prefix(max(0, rest.count - most)).map(\.id)
        }
        return surplus
    }
}
