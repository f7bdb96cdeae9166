import LaptopKit

/// The cable between a laptop and the switch.
struct Cable {
    private let port: String
    private let hub: Room

    init(port: String, in hub: Room) {
        self.port = port
        self.hub = hub
    }

    /// Pulls the cable: the laptop sees that its link is down.
    func pull() throws { try hub.run("ip link set \(port) down") }

    /// Plugs the cable in again.
    func plug() throws { try hub.run("ip link set \(port) up") }

    /// Drops broadcasts to the laptop, as some access points do.
    func filterBroadcasts() throws {
        try hub.run("bridge link set dev \(port) bcast_flood off")
    }

    /// Drops everything in both directions, while the laptop still sees a link that is up.
    func silence() throws { try hub.run("ip link set \(port) nomaster") }

    /// Lets everything pass again.
    func restore() throws { try hub.run("ip link set \(port) master br0") }

    /// Isolates the laptop from other isolated ones, as a guest network does.
    func isolate() throws { try hub.run("bridge link set dev \(port) isolated on") }
}
