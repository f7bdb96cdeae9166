import BoardSite
import CPlatform
import SyncProtocol

/// Where a board is: its secret, and the addresses of this machine when it was started.
struct BoardPlace {
    /// The part of the address that nobody guesses.
    let secret: Secret
    private let rooms: [OwnAddress]

    /// A place that nobody knows yet.
    init(_ options: BoardOptions) {
        var generator = SystemRandomNumberGenerator()
        secret = Secret(using: &generator)
        rooms = options.servesRoom ? OwnAddress.all() : []
    }

    /// What browsers may say that they ask.
    func hosts(_ port: UInt16) -> Set<String> {
        Set((["127.0.0.1", "localhost"] + rooms.map(\.text)).map { "\($0):\(port)" })
    }

    /// The addresses, as they are told.
    func addresses(_ port: UInt16) -> BoardAddresses {
        BoardAddresses(
            url: board(at: "127.0.0.1", port),
            lan: rooms.map { BoardAddress(interface: $0.interface, url: board(at: $0.text, port)) }
        )
    }

    /// The address of the server for phones, without a path: that of this laptop alone where no
    /// network is up.
    func roomAddress(_ port: UInt16) -> String {
        server(at: rooms.first?.text ?? "127.0.0.1", port)
    }

    private func server(at host: String, _ port: UInt16) -> String { "http://\(host):\(port)" }

    private func board(at host: String, _ port: UInt16) -> String {
        "\(server(at: host, port))/\(secret.text)/"
    }
}

/// Where a board is, as `scorectl board --json` prints it.
struct BoardAddresses: Encodable {
    /// The version of the JSON documents.
    let schema = 1
    /// The address for this laptop.
    let url: String
    /// The addresses for the room; none where it serves this laptop only.
    let lan: [BoardAddress]
}

/// An address for the room.
struct BoardAddress: Encodable {
    /// The interface, such as `wlan0`.
    let interface: String
    /// The address.
    let url: String
}

/// An address of this machine at which others can reach it.
struct OwnAddress: Hashable {
    /// The interface, such as `wlan0`.
    let interface: String
    /// The address as people write it.
    let text: String

    /// This machine alone.
    static let loopback: UInt32 = 0x7F00_0001
    /// Every address of this machine.
    static let any: UInt32 = 0

    /// Those of the interfaces that are up, loopback apart; first the one by which this machine
    /// reaches other networks, where the room's phones and televisions are as well.
    static func all() -> [OwnAddress] {
        var found = [platform_interface](repeating: platform_interface(), count: 64)
        let count = unsafe platform_interfaces(&found, Int32(found.count))
        let usable = found.prefix(max(0, Int(count))).filter { $0.is_up && !$0.is_loopback }
        var outgoing: UInt32 = 0
        _ = unsafe platform_outgoing_address(&outgoing)
        return (usable.filter { $0.address == outgoing } + usable.filter { $0.address != outgoing })
            .map { each in
                let host = Endpoint(address: each.address, port: 0).host
                return OwnAddress(interface: name(of: each), text: host)
            }
    }

    private static func name(of interface: platform_interface) -> String {
        unsafe withUnsafeBytes(of: interface.name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
