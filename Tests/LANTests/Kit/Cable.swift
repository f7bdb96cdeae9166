import LaptopKit

/// The cable between a laptop and the switch.
struct Cable {
    private let port: String
    private let hub: Room

    init(port: String, in hub: Room) {
        self.port = port
        self.hub = hub
    }

    /// Pulls it: the laptop sees that its link is down.
    func pull() throws { try hub.run("ip link set \(port) down") }

    /// Plugs it in again.
    func plug() throws { try hub.run("ip link set \(port) up") }

    /// Lets what is for everybody no longer come through, as some access points do.
    func filterBroadcasts() throws {
        try hub.run("bridge link set dev \(port) bcast_flood off")
    }

    /// Loses everything that goes through it, while the laptop sees a link that is up.
    func silence() throws { try hub.run("ip link set \(port) nomaster") }

    /// Lets everything through again.
    func restore() throws { try hub.run("ip link set \(port) master br0") }

    /// Lets it no longer hear the others that are isolated, as a guest network does.
    func isolate() throws { try hub.run("bridge link set dev \(port) isolated on") }
}
