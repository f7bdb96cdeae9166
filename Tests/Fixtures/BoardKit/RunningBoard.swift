import CPlatform
import FoundationEssentials
package import LaptopKit

/// A board of a laptop, started by its command line.
package final class RunningBoard {
    /// Where it listens.
    package let port: UInt16
    /// The path of the board.
    package let root: String
    /// What it said at its start.
    package let told: Told
    private let program: Running

    /// What `board --json` prints.
    package struct Told: Decodable {
        package let schema: Int
        package let url: String
        package let lan: [Room]

        package struct Room: Decodable {
            package let interface: String
            package let url: String
        }
    }

    /// A board of the laptop's current session with these flags.
    package init(_ laptop: Laptop, _ flags: String...) throws {
        var attempts = 0
        while true {
            // Between the choice of a free port and its use another may take it.
            let port = try RunningBoard.freePort()
            let words = ["board", "--no-open", "--json", "--port", "\(port)"] + flags
            let program = try laptop.begin(words)
            attempts += 1
            guard let line = try? program.firstLine() else {
                guard attempts < 5 else { throw Failure("\(try program.outcome())") }
                continue
            }
            told = try JSONDecoder().decode(Told.self, from: Data(line.utf8))
            self.port = port
            self.program = program
            root = "/" + (told.url.split(separator: "/").last ?? "") + "/"
            return
        }
    }

    private static func freePort() throws -> UInt16 {
        let socket = platform_tcp_socket()
        defer { platform_close(socket) }
        var (address, port): (UInt32, UInt16) = (0, 0)
        guard platform_bind(socket, 0x7F00_0001, 0) >= 0,
            platform_local_address(socket, &address, &port) >= 0
        else { throw Failure("no port is free") }
        return port
    }

    // MARK: Asking

    /// What every browser says.
    package var headers: [String: String] { ["Host": "127.0.0.1:\(port)"] }

    /// Asks for something on a connection of its own.
    package func ask(
        _ method: String,
        _ path: String,
        _ extra: [String: String] = [:],
        _ body: String = ""
    ) throws -> BoardAnswer {
        let connection = try BrowserConnection(port)
        connection.ask(method, path, headers.merging(extra) { $1 }, body)
        guard let answer = try connection.answer() else { throw Failure("\(path): closed") }
        return answer
    }

    /// Sends what a phone enters or takes back.
    package func post(_ path: String, _ body: String) throws -> BoardAnswer {
        try ask("POST", path, ["Content-Type": "application/json"], body)
    }

    /// The links of the players, by name.
    package func links() throws -> [String: Link] {
        let links = try EventStream(self).next("links").decoded(as: [Link].self)
        return Dictionary(links.map { ($0.name, $0) }) { $1 }
    }

    /// A link as the board's pages are told it.
    package struct Link: Decodable, Hashable {
        package let player: String
        package let name: String
        package let path: String
        package let address: String
        package let qr: String
    }

    // MARK: Its end

    /// Sends it a signal, and waits until it has ended.
    package func end(by signal: Int32) throws -> Outcome {
        program.signal(signal)
        return try outcome()
    }

    /// Waits until it has ended.
    package func outcome() throws -> Outcome { try program.outcome(within: .seconds(10)) }

    /// Whether it has not ended.
    package var isRunning: Bool { program.isRunning }
}
