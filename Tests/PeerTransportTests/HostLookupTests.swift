import CPlatform
import Descriptors
import Dispatch
import SyncProtocol
import Synchronization
import Testing

@testable import PeerTransport

@Suite("Looking up a host")
struct HostLookupTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    private final class Names: Sendable {
        let value = Mutex<[String]>([])
    }

    private func resolve(_ host: String) async -> Result<[Endpoint], HostLookup.Failure> {
        let stage = Stage()
        let lookup = HostLookup(on: stage.queue)
        return await withCheckedContinuation { continuation in
            stage.queue.async {
                lookup.resolve(host: host, port: 7) { result in
                    stage.queue.requireCurrent()
                    continuation.resume(returning: result)
                }
            }
        }
    }

    @Test("asks the system once for a name at a time, and for eight names")
    func bounded() async throws {
        let stage = Stage()
        let asked = Mutex<[String]>([])
        let answered = Count()
        let isOver = DispatchSemaphore(value: 0)
        let lookup = HostLookup(on: stage.queue) { host in
            asked.withLock { $0.append(host) }
            isOver.wait()
            isOver.signal()
            return .success([IPAddress(ipv4: 1)])
        }
        let refused = Names()
        await stage.run {
            for round in 0..<3 {
                for number in 0...TransportLimits.lookups {
                    lookup.resolve(host: "host\(number)", port: UInt16(round + 1)) {
                        @Sendable result in
                        if case .failure(let failure) = result {
                            refused.value.withLock { $0.append(failure.host) }
                        } else {
                            answered.value.withLock { $0 += 1 }
                        }
                        stage.changed()
                    }
                }
            }
        }
        try await stage.wait(for: "the refusals") { refused.value.withLock { $0.count } == 3 }
        #expect(answered.value.withLock { $0 } == 0)
        isOver.signal()
        try await stage.wait(for: "the answers") { answered.value.withLock { $0 } == 24 }
        #expect(asked.withLock { $0.sorted() } == (0..<8).map { "host\($0)" })
        #expect(refused.value.withLock { $0 } == ["host8", "host8", "host8"])
        // Asked again once it is answered.
        await stage.run {
            lookup.resolve(host: "host8", port: 1) { _ in
                answered.value.withLock { $0 += 1 }
                stage.changed()
            }
        }
        try await stage.wait(for: "one more") { answered.value.withLock { $0 } == 25 }
    }

    @Test("accepts a numeric address without a lookup")
    func numeric() async throws {
        #expect(await resolve("192.168.0.7") == .success([Endpoint(address: 0xC0A8_0007, port: 7)]))
        let ipv6 = try #require(Endpoint("[fe80::7%none0]:7"))
        #expect(await resolve("fe80::7%none0") == .success([ipv6]))
    }

    @Test("reads IPv6 addresses from the system, with their zone")
    func ipv6() {
        var found = [platform_endpoint](repeating: platform_endpoint(), count: 4)
        for text in ["2001:db8::7", "192.168.0.7"] {
            #expect(platform_lookup(text, &found, 4) == 1)
            #expect(Endpoint(found[0]).address.description == text)
        }
        // The zone of an interface that exists.
        let name = (try? InterfaceAddress.all())?.first { $0.isLoopback }?.name ?? "lo"
        if platform_lookup("fe80::7%\(name)", &found, 4) == 1 {
            #expect(Endpoint(found[0]).address.description == "fe80::7%\(name)")
        }
    }

    @Test("knows where this machine has a way to, without sending anything")
    func routes() throws {
        func route(_ text: String) throws -> Int32 {
            platform_route(try #require(Endpoint(text)).platform)
        }
        #expect(try route("127.0.0.1:9") == 0)
        #expect(try route("[fe80::7%none0]:9") == -ENODEV)
    }

    @Test("finds this machine by name")
    func localhost() async throws {
        let found = try await resolve("localhost").get()
        #expect(found.contains(Endpoint(address: 0x7F00_0001, port: 7)))
        #expect(Set(found).count == found.count && found.allSatisfy { $0.address.isLoopback })
    }

    @Test("reports which host cannot be found, and why")
    func unknown() async {
        guard case .failure(let failure) = await resolve("a name with spaces") else {
            Issue.record("found")
            return
        }
        #expect(failure.host == "a name with spaces")
        #expect(!failure.reason.isEmpty)
    }

    @Test("a failed call has the operation, the system's text and the number")
    func systemError() {
        let error = SystemError("listen on 0.0.0.0:1", code: EACCES)
        #expect("\(error)" == "cannot listen on 0.0.0.0:1: Permission denied (errno 13)")
    }
}
