import CPlatform
import Descriptors
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
                stage.queue.requireCurrent()
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

    @Test("a failed call says what was tried, the system's words and the number")
    func systemError() {
        let error = SystemError("listen on 0.0.0.0:1", code: EACCES)
        #expect("\(error)" == "cannot listen on 0.0.0.0:1: Permission denied (errno 13)")
    }
}
