import CPlatform
import Dispatch
import SyncProtocol
import Testing

@testable import PeerTransport

@Suite("Looking up a host")
struct HostLookupTests {
    private func resolve(_ host: String) async -> Result<[Endpoint], HostLookup.Failure> {
        let stage = Stage()
        return await withCheckedContinuation { continuation in
            HostLookup.resolve(host: host, port: 7, on: stage.queue) { result in
                dispatchPrecondition(condition: .onQueue(stage.queue))
                continuation.resume(returning: result)
            }
        }
    }

    @Test("takes a dotted address as it is")
    func dotted() async {
        #expect(await resolve("192.168.0.7") == .success([Endpoint(address: 0xC0A8_0007, port: 7)]))
    }

    @Test("finds this machine by name")
    func localhost() async {
        #expect(await resolve("localhost") == .success([Endpoint(address: 0x7F00_0001, port: 7)]))
    }

    @Test("says which host cannot be found, and why")
    func unknown() async {
        guard case .failure(let failure) = await resolve("a name with spaces") else {
            Issue.record("found")
            return
        }
        #expect(failure.host == "a name with spaces")
        #expect(!failure.reason.isEmpty)
    }

    @Test("reads HOST and HOST:PORT")
    func parsing() throws {
        func parsed(_ text: String) -> String? {
            HostLookup.parse(text, defaultPort: 47_615).map { "\($0.host) \($0.port)" }
        }
        #expect(parsed("ann") == "ann 47615")
        #expect(parsed("ann.local:1") == "ann.local 1")
        #expect(parsed("10.0.0.1:65535") == "10.0.0.1 65535")
        for bad in ["", ":1", "ann:", "ann:0", "ann:65536", "ann:+1", "ann:1:2", "a b", "ä"] {
            #expect(parsed(bad) == nil, "\(bad)")
        }
        #expect(parsed(String(repeating: "a", count: 254)) == nil)
    }

    @Test("a failed call says what was tried, the system's words and the number")
    func systemError() {
        let error = SystemError("listen on 0.0.0.0:1", code: EACCES)
        #expect("\(error)" == "cannot listen on 0.0.0.0:1: Permission denied (errno 13)")
    }
}
