import CPlatform
import FoundationEssentials
package import LaptopKit

/// A program that serves browsers of this machine.
package protocol BrowserServer {
    var port: UInt16 { get }
    /// The path of its main page, such as `/6f…/`.
    var root: String { get }
    /// The headers that its browser sends.
    var headers: [String: String] { get }
}

extension BrowserServer {
    /// Sends a request on a connection of its own.
    package func request(
        _ method: String,
        _ path: String,
        _ extra: [String: String] = [:],
        _ body: String = ""
    ) throws -> BoardResponse {
        let connection = try BrowserConnection(port)
        connection.request(method, path, headers.merging(extra) { $1 }, body)
        guard let answer = try connection.response() else { throw Failure("\(path): closed") }
        return answer
    }

    /// Posts JSON.
    package func post(_ path: String, _ body: String) throws -> BoardResponse {
        try request("POST", path, ["Content-Type": "application/json"], body)
    }
}

/// A board of a laptop, started by `scorectl board`.
package final class RunningBoard: BrowserServer {
    package let port: UInt16
    package let root: String
    /// The addresses that the board printed at its start.
    package let addresses: Addresses
    private let program: Running

    /// The output of `board --json`.
    package struct Addresses: Decodable {
        package let schema: Int
        package let url: String
        package let lan: [Network]
        package let name: String?

        package struct Network: Decodable {
            package let interface: String
            package let url: String
        }
    }

    /// Starts a board of the laptop's current session.
    package convenience init(_ laptop: Laptop, _ flags: String...) throws {
        try self.init(laptop, flags)
    }

    /// Starts a board of the laptop's current session.
    package init(_ laptop: Laptop, _ flags: [String], adding variables: [String] = []) throws {
        var attempts = 0
        while true {
            // Another process may take the port before the board does.
            let port = try RunningBoard.freePort()
            let words = ["board", "--no-open", "--json", "--port", "\(port)"] + flags
            let program = try laptop.begin(words, adding: variables)
            attempts += 1
            guard let line = try? program.firstLine() else {
                guard attempts < 5 else { throw Failure("\(try program.outcome())") }
                continue
            }
            addresses = try JSONDecoder().decode(Addresses.self, from: Data(line.utf8))
            self.port = port
            self.program = program
            root = "/" + (addresses.url.split(separator: "/").last ?? "") + "/"
            return
        }
    }

    private static func freePort() throws -> UInt16 {
        var local = platform_ipv4(0x7F00_0001, 0)
        let socket = platform_tcp_socket(local)
        defer { platform_close(socket) }
        guard platform_bind(socket, local) >= 0, platform_local_address(socket, &local) >= 0
        else { throw Failure("no port is free") }
        return local.port
    }

    // MARK: Asking

    package var headers: [String: String] { ["Host": "127.0.0.1:\(port)"] }

    /// Returns the links of the players, by name.
    package func links() throws -> [String: Link] {
        let links = try EventStream(self).next("links").decoded(as: [Link].self)
        return Dictionary(links.map { ($0.name, $0) }) { $1 }
    }

    /// A link as the board's pages receive it.
    package struct Link: Decodable, Hashable {
        package let player: String
        package let name: String
        package let path: String
        package let address: String
        package let qr: String
        package let opened: Bool
    }

    // MARK: Its end

    /// Sends a signal, and waits for the exit.
    package func end(by signal: Int32) throws -> Outcome {
        program.signal(signal)
        return try outcome()
    }

    /// Waits for the exit.
    package func outcome() throws -> Outcome { try program.outcome(within: .seconds(10)) }

    package var isRunning: Bool { program.isRunning }

    #if os(Linux)
    /// The number of descriptors that it has open.
    package var descriptorCount: Int {
        get throws {
            let path = "/proc/\(program.process)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: path).count
        }
    }
    #endif
}
