import CPlatform
import LaptopKit
import SyncProtocol
import Testing

/// Strangers who answer in the place of who invites.
struct FalseRefusalTests {
    /// Somebody who answers every connection with the same bytes, whatever is asked.
    private final class Parrot {
        let port: UInt16
        private let listening: Int32
        private var open: [Int32] = []

        init() throws {
            var local = platform_ipv4(0x7F00_0001, 0)
            listening = platform_tcp_socket(local)
            guard listening >= 0, platform_bind(listening, local) >= 0,
                platform_listen(listening, 16) >= 0,
                platform_local_address(listening, &local) >= 0
            else { throw Failure("no port is free") }
            port = local.port
        }

        deinit { for socket in open + [listening] { platform_close(socket) } }

        /// Answers who has come since.
        func send(_ bytes: [UInt8]) {
            while true {
                let socket = platform_accept(listening, nil)
                guard socket >= 0 else { return }
                open.append(socket)
                _ = platform_send(socket, bytes, bytes.count)
            }
        }
    }

    @Test("An unauthenticated alert does not count as a wrong code")
    func alert() throws {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "points", "--player", "Ann")
        let code = try #require(try ann.read(InviteReply.self, "session", "invite").code)
        let parrot = try Parrot()
        // A fatal illegal_parameter, as a holder of the hint says it (RFC 8446, 6.2).
        let alert: [UInt8] = [0x15, 3, 3, 0, 2, 2, 47]
        let join = try bob.begin(["join", code, "--peer", "127.0.0.1:\(parrot.port)"])
        while join.isRunning {
            parrot.send(alert)
            _ = platform_wait(-1, false, -1, 5)
        }
        let outcome = try join.outcome()
        #expect(outcome.status == 4, "\(outcome)")
        #expect(!outcome.errors.contains("code is wrong"), "\(outcome)")
    }
}
