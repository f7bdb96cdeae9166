import SyncProtocol

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
