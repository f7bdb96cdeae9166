import BoardSite
import CPlatform
import SyncProtocol

/// The URLs of a board, as `scorectl board --json` prints them.
struct BoardAddresses: Encodable {
    /// The version of the JSON documents.
    let schema = 1
    /// The URL for this laptop.
    let url: String
    /// The URLs for the local network; empty if only this laptop is served.
    let lan: [BoardAddress]
}

struct BoardAddress: Encodable {
    /// The network interface, such as `wlan0`.
    let interface: String
    let url: String
}

/// The random path of a board, and this machine's addresses at the time it was started.
struct BoardLocation {
    let token: PathToken
    private let network: [OwnAddress]

    init(_ options: BoardOptions) {
        var generator = SystemRandomNumberGenerator()
        token = PathToken(using: &generator)
        network = options.servesNetwork ? OwnAddress.all() : []
    }

    /// Returns the accepted values of the header `Host`.
    func hosts(_ port: UInt16) -> Set<String> {
        Set((["127.0.0.1", "localhost"] + network.map(\.text)).map { "\($0):\(port)" })
    }

    func addresses(_ port: UInt16) -> BoardAddresses {
        func url(_ host: String) -> String { "http://\(host):\(port)/\(token.text)/" }
        return BoardAddresses(
            url: url("127.0.0.1"),
            lan: network.map { BoardAddress(interface: $0.interface, url: url($0.text)) }
        )
    }

    /// Returns the server's URL for phones, without a path; if there is no network, this laptop's
    /// own.
    func serverAddress(_ port: UInt16) -> String {
        "http://\(network.first?.text ?? "127.0.0.1"):\(port)"
    }
}

/// An address of this machine that other machines can reach.
struct OwnAddress: Hashable {
    /// The interface, such as `wlan0`.
    let interface: String
    /// The address in dotted form.
    let text: String

    static let loopback: UInt32 = 0x7F00_0001
    static let any: UInt32 = 0

    /// Returns the addresses of the interfaces that are up, without loopback.
    ///
    /// The one with the default route comes first, because phones and televisions are most likely
    /// in that network.
    static func all() -> [OwnAddress] {
        var found = [platform_interface](repeating: platform_interface(), count: 64)
        let count = unsafe platform_interfaces(&found, Int32(found.count))
        let usable = found.prefix(max(0, Int(count))).filter { $0.is_up && !$0.is_loopback }
        var outgoing: UInt32 = 0
        _ = unsafe platform_outgoing_address(&outgoing)
        return (usable.filter { $0.address == outgoing } + usable.filter { $0.address != outgoing })
            .map { interface in
                let host = Endpoint(address: interface.address, port: 0).host
                return OwnAddress(interface: name(of: interface), text: host)
            }
    }

    private static func name(of interface: platform_interface) -> String {
        unsafe withUnsafeBytes(of: interface.name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
