import CPlatform
import Descriptors
import SyncProtocol
import Testing

@testable import PeerTransport

@Suite("A probe")
struct ProbeTests {
    private let stage = Stage()

    /// Probes a port of this machine.
    private func probe(_ port: UInt16) async throws -> Int32? {
        let result = Answer()
        await stage.run {
            let endpoint = Endpoint(address: 0x7F00_0001, port: port)
            Probe.connect(to: endpoint, on: stage.queue, within: .seconds(5)) { error in
                result.codes.append(error?.code)
                stage.changed()
            }
        }
        try await stage.wait(for: "an answer") { result.codes.count == 1 }
        return result.codes[0]
    }

    /// Invariant for `@unchecked Sendable`: used on the queue of the stage only.
    private final class Answer: @unchecked Sendable {
        var codes: [Int32?] = []
    }

    @Test("reports whether a listener exists, and leaves nothing open")
    func listening() async throws {
        var local = platform_ipv4(0x7F00_0001, 0)
        let socket = platform_tcp_socket(local)
        #expect(platform_bind(socket, local) >= 0)
        #expect(platform_local_address(socket, &local) >= 0)
        let port = local.port
        #expect(try await probe(port) == ECONNREFUSED)
        #expect(platform_listen(socket, 1) >= 0)
        #expect(try await probe(port) == nil)
        let accepted = platform_accept(socket, nil)
        #expect(accepted >= 0)
        #expect(platform_wait(accepted, false, -1, 5000) == 1)
        var byte: UInt8 = 0
        #expect(platform_receive(accepted, &byte, 1) == 0, "it hung up without a word")
        for descriptor in [accepted, socket] { platform_close(descriptor) }
    }
}
