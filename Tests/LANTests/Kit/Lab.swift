import LaptopKit
import SyncProtocol

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Laptops on one switch, without a default route, each in a network namespace of its own.
///
/// The namespaces have no names and live as long as a process in them, so that nothing is left
/// behind however the tests end.
final class Lab {
    /// The laptops in the order of their names.
    let laptops: [Laptop]
    /// The namespace of the switch.
    let hub: Room
    /// The cable of each laptop.
    let cables: [Cable]

    /// The kinds of addresses that the laptops have.
    enum Network: CaseIterable {
        case ipv4
        /// Link-local addresses of IPv6 only.
        case ipv6
        case both
    }

    /// Creates laptops with these names; with `diskBytes`, each has its home on a disk of that
    /// size.
    convenience init(
        _ names: String...,
        diskBytes: Int? = nil,
        network: Network = .ipv4
    ) throws {
        try self.init(names: names, diskBytes: diskBytes, network: network)
    }

    init(names: [String], diskBytes: Int? = nil, network: Network = .ipv4) throws {
        let hub = try Room(
            holdingBy: Lab.isRoot ? ["unshare", "-n"] : ["unshare", "-U", "-r", "-n"],
            enteringBy: { ["nsenter", "-t", "\($0)"] + Lab.owner + ["-n"] },
            files: { _ in [] }
        )
        try hub.run("ip link set lo up; ip link add br0 type bridge; ip link set br0 up")
        var laptops: [Laptop] = []
        for (index, name) in names.enumerated() {
            let laptop = try Laptop(name) { home in
                try Lab.room(in: hub, home: home, diskBytes: diskBytes)
            }
            let port = "port\(index)"
            try hub.run(
                """
                ip link add \(port) type veth peer name eth0 netns \(laptop.room.holder)
                ip link set \(port) master br0 up
                """
            )
            try laptop.room.run(
                """
                ip link set lo up
                ip link set eth0 addrgenmode none up
                """
            )
            if network != .ipv6 {
                let address = Lab.address(of: index)
                try laptop.room.run("ip addr add \(address)/24 brd + dev eth0")
            }
            if network != .ipv4 {
                try laptop.room.run("ip addr add \(Lab.ipv6(of: index))/64 dev eth0 nodad")
            }
            laptops.append(laptop)
        }
        self.hub = hub
        self.laptops = laptops
        cables = names.indices.map { Cable(port: "port\($0)", in: hub) }
    }

    subscript(index: Int) -> Laptop { laptops[index] }

    /// Returns the initial address of the laptop with this number.
    static func address(of index: Int) -> String { "10.77.0.\(index + 1)" }

    /// Returns the link-local IPv6 address of the laptop with this number, without a zone.
    static func ipv6(of index: Int) -> String { "fe80::77:\(index + 1)" }

    /// The network's broadcast address.
    static let broadcast = "10.77.0.255"

    private static func room(in hub: Room, home: String, diskBytes: Int?) throws -> Room {
        let namespaces = diskBytes == nil ? ["-n"] : ["-n", "-m"]
        let entrance = { (holder: Int32) in ["nsenter", "-t", "\(holder)"] + owner }
        let inside = isRoot ? [] : entrance(hub.holder)
        return try Room(
            holdingBy: inside + ["unshare"] + namespaces,
            enteringBy: { entrance($0) + namespaces },
            files: { diskBytes == nil ? [] : entrance($0) + ["-m"] },
            first: diskBytes.map { "mount -t tmpfs -o size=\($0),mode=700 none '\(home)'" } ?? ":"
        )
    }

    private static let isRoot = geteuid() == 0
    private static let owner = isRoot ? [] : ["-U", "--preserve-credentials"]

    /// Whether the tests may create namespaces, a switch and a disk on this machine.
    static let isPossible = (try? Lab("probe", diskBytes: 1 << 20)) != nil
}

extension Lab {
    /// Starts the daemons that are not running, and a session with these players and options, such
    /// as `wins=lowest`.
    ///
    /// The first laptop creates the session, and the others join it with only the code; `count`
    /// laptops take part. With `isolatingTwo`, the first two cannot communicate directly, and the
    /// third one admits the second.
    @discardableResult
    func play(
        _ players: String...,
        game: String = "rounds",
        options: [String] = [],
        title: String = "Friday",
        laptops count: Int? = nil,
        isolatingTwo: Bool = false
    ) throws -> InviteCode {
        let laptops = Array(laptops.prefix(count ?? laptops.count))
        if isolatingTwo { for cable in cables.prefix(2) { try cable.isolate() } }
        for laptop in laptops where !laptop.isRunning { try laptop.start() }
        let details = players.flatMap { ["--player", $0] } + options.flatMap { ["--option", $0] }
        try self[0].run(["session", "new", game, "--title", title] + details)
        var invite = try self[0].read(InviteCode.self, "session", "invite")
        for laptop in laptops.dropFirst().reversed() {
            try laptop.run("join", invite.code)
            if isolatingTwo { invite = try laptop.read(InviteCode.self, "session", "invite") }
        }
        for (index, laptop) in laptops.enumerated() {
            try laptop.waitForPeers(isolatingTwo && index < 2 ? 1 : laptops.count - 1)
            try laptop.waitUntilSynced()
        }
        return invite
    }

    /// Waits until all laptops show the same, and returns the time that took.
    @discardableResult
    func agree(
        _ some: [Laptop]? = nil,
        within limit: Duration = .seconds(10)
    ) throws -> Duration {
        let laptops = some ?? laptops
        var shown: [String] = []
        return try eventually(within: limit, "the same on all: \(shown)") {
            shown = try laptops.map { try $0.run("show", "--json") }
            return Set(shown).count == 1
        }
    }
}

extension Lab {
    /// Selects the player of each laptop, in order.
    func seat(_ players: String...) throws {
        try agree()
        for (laptop, player) in zip(laptops, players) { try laptop.run("player", "me", player) }
    }

    /// Pulls the cable of a laptop once all show the same, and plugs it in again after `playing`;
    /// then waits until all show the same again.
    func cut(_ index: Int, while playing: () throws -> Void) throws {
        try agree()
        try cables[index].pull()
        try playing()
        try cables[index].plug()
        let took = try agree(within: .seconds(20))
        print("equal after the cable: \(took)")
    }

    /// The sheet that all laptops show, byte for byte.
    func sheet() throws -> ShowDocument {
        try agree()
        return try self[0].read(ShowDocument.self, "show")
    }
}

/// The output of `session invite`.
struct InviteCode: Decodable {
    let code: String
}
