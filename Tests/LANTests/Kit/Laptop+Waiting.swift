import LaptopKit
import SyncProtocol

extension Laptop {
    /// Waits until this number of other laptops is linked.
    func waitForPeers(_ count: Int, seconds: Int = 10) throws {
        try run("wait", "--for", "peers=\(count)", "--timeout", "\(seconds)")
    }

    /// Waits until this laptop and all linked ones have the same state.
    func waitUntilSynced(seconds: Int = 10) throws {
        try run("wait", "--for", "synced", "--timeout", "\(seconds)")
    }

    /// The number of linked devices.
    var online: Int {
        get throws { try read(PeerListReply.self, "peer", "list").items.count(where: \.online) }
    }
}
