import SessionCRDT
import SyncEngine
import SyncProtocol

/// The deltas of which some parts have come and some have not: how much memory they take together,
/// and whether they get on.
///
/// A member can begin a delta on each of many links and never end one. Whose address holds most
/// gives way first, so that one long resync of an honest laptop is not what goes. A value without a
/// clock; times are uptimes in milliseconds.
struct UnfinishedDeltas {
    /// How many bytes they may have together: one of the longest, and half as much.
    static let mostBytes = Limits.deltaBytes * 3 / 2
    /// How long the next part may take.
    static let patience: UInt64 = 10_000
    /// How many bytes must come in that time.
    static let leastBytes = 64 << 10

    private struct Unfinished {
        let address: UInt32
        var bytes: Int
        /// What had come at a time from which on more must come.
        var checked: (bytes: Int, at: UInt64)
    }

    private var byLink: [LinkID: Unfinished] = [:]

    /// How many bytes there are.
    var bytes: Int { byLink.values.reduce(0) { $0 + $1.bytes } }

    /// Notes how many bytes of an unfinished delta a link holds, 0 for none.
    ///
    /// - Returns: the links that must let go of theirs.
    mutating func note(
        _ bytes: Int,
        of link: LinkID,
        from address: UInt32,
        at now: UInt64
    ) -> [LinkID] {
        guard bytes > 0 else {
            byLink[link] = nil
            return []
        }
        let fresh = Unfinished(address: address, bytes: 0, checked: (0, now))
        byLink[link, default: fresh].bytes = bytes
        var gone: [LinkID] = []
        while self.bytes > UnfinishedDeltas.mostBytes, let greediest {
            byLink[greediest] = nil
            gone.append(greediest)
        }
        return gone
    }

    /// The links whose delta does not get on, or only as slowly as somebody who wants to hold it
    /// up; they are forgotten.
    mutating func takeStalled(at now: UInt64) -> [LinkID] {
        var stalled: [LinkID] = []
        for (link, unfinished) in byLink.sorted(by: { $0.key < $1.key })
        where unfinished.checked.at + UnfinishedDeltas.patience <= now {
            if unfinished.bytes - unfinished.checked.bytes < UnfinishedDeltas.leastBytes {
                byLink[link] = nil
                stalled.append(link)
            } else {
                byLink[link]?.checked = (unfinished.bytes, now)
            }
        }
        return stalled
    }

    /// The link with the most bytes of the address with the most.
    private var greediest: LinkID? {
        var byAddress: [UInt32: Int] = [:]
        for unfinished in byLink.values {
            byAddress[unfinished.address, default: 0] += unfinished.bytes
        }
        return byLink.max {
            (byAddress[$0.value.address] ?? 0, $0.value.bytes, $0.key)
                < (byAddress[$1.value.address] ?? 0, $1.value.bytes, $1.key)
        }?.key
    }
}
