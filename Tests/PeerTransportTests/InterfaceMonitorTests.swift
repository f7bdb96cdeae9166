import CPlatform
import Dispatch
import QueueKit
import Testing

@testable import PeerTransport

@Suite("The interface monitor")
struct InterfaceMonitorTests {
    @Test("can be started without a privilege, and closed")
    func starts() async throws {
        let stage = Stage()
        try stage.queue.sync { try InterfaceMonitor(on: stage.queue) {}.close() }
    }

    #if os(Linux)
    /// A netlink message: length, type, flags, sequence, port, and a body.
    private static func message(type: UInt16, body: Int = 16, length: UInt32? = nil) -> [UInt8] {
        let length = length ?? UInt32(16 + body)
        let head = [UInt8](unsafe: length) + [UInt8](unsafe: type)
        return head + [UInt8](repeating: 0, count: 10 + (body + 3) / 4 * 4)
    }

    private func isChange(_ bytes: [UInt8]) -> Bool {
        platform_is_interface_change(bytes, bytes.count)
    }

    @Test("recognises links and addresses that come and go", arguments: [16, 17, 20, 21])
    func changes(type: UInt16) {
        #expect(isChange(Self.message(type: type)))
        #expect(isChange(Self.message(type: 3, body: 5) + Self.message(type: type)))
    }

    @Test("skips other messages and stops at a malformed length")
    func others() {
        #expect(!isChange([]))
        #expect(!isChange(Self.message(type: 24)))
        #expect(!isChange(Array(Self.message(type: 16).prefix(15))))
        let change = Self.message(type: 16)
        for length: UInt32 in [0, 15, 33, .max] {
            #expect(!isChange(Self.message(type: 3, length: length) + change.prefix(0)))
        }
        #expect(!isChange(Self.message(type: 3, length: 0) + change))
    }

    /// A new or renewed IPv6 address: an `ifaddrmsg`, an attribute that is skipped, and
    /// `IFA_CACHEINFO` with the times of its creation and its last change.
    private static func address(created: UInt32, changed: UInt32, family: UInt8 = 10) -> [UInt8] {
        let times = [0, 0, created, changed].flatMap { [UInt8](unsafe: $0 as UInt32) }
        let attributes =
            [UInt8](unsafe: 5 as UInt16) + [UInt8](unsafe: 9 as UInt16) + [1, 0, 0, 0]
            + [UInt8](unsafe: 20 as UInt16) + [UInt8](unsafe: 6 as UInt16) + times
        let head = message(type: 20, body: 0, length: UInt32(16 + 8 + attributes.count)).prefix(16)
        return head + [family, 64, 0, 0, 2, 0, 0, 0] + attributes
    }

    @Test("does not count a renewed IPv6 address as a change")
    func renewals() {
        #expect(isChange(Self.address(created: 500, changed: 500)))
        #expect(isChange(Self.address(created: 500, changed: 501)))
        #expect(isChange(Self.address(created: 900, changed: 500)))
        #expect(!isChange(Self.address(created: 500, changed: 900)))
        #expect(isChange(Self.address(created: 500, changed: 900, family: 2)))
        let renewal = Self.address(created: 500, changed: 900)
        #expect(isChange(renewal + Self.message(type: 21)))
        // Cut or malformed, it counts as a change.
        for length in 16..<renewal.count {
            var cut = Array(renewal.prefix(length))
            cut.replaceSubrange(0..<4, with: [UInt8](unsafe: UInt32(length)))
            #expect(isChange(cut))
        }
    }

    @Test("reports the first change at once, and those that follow together")
    func burst() async throws {
        let slow = try await reports(of: 3, debounce: .seconds(900), until: 1)
        #expect(slow == 1)
        let fast = try await reports(of: 2, debounce: .milliseconds(20), until: 2)
        #expect(fast == 2)
    }

    /// The number of reports for so many bursts, checked when there are as many as that.
    private func reports(of bursts: Int, debounce: Duration, until count: Int) async throws -> Int {
        let stage = Stage()
        let (ours, theirs) = try socketPair()
        let reports = Counter()
        let monitor = await stage.run {
            InterfaceMonitor(
                descriptor: ours,
                on: stage.queue,
                debounce: debounce,
                onChange: {
                    reports.count += 1
                    stage.changed()
                }
            )
        }
        defer { platform_close(theirs) }
        for burst in 1...bursts {
            await stage.run {
                for type: UInt16 in [16, 20, 16, 24] {
                    let bytes = Self.message(type: type)
                    #expect(platform_send(theirs, bytes, bytes.count) == bytes.count)
                }
            }
            let wanted = min(burst, count)
            try await stage.wait(for: "the report") { reports.count == wanted }
        }
        await stage.run { monitor.close() }
        return reports.count
    }

    /// Two UDP sockets of loopback that hear each other only.
    private func socketPair() throws -> (Int32, Int32) {
        let (first, second) = (platform_udp_socket(false), platform_udp_socket(false))
        var local = platform_ipv4(0x7F00_0001, 0)
        for each in [first, second] { try #require(platform_bind(each, local) == 0) }
        for (each, other) in [(first, second), (second, first)] {
            try #require(platform_local_address(each, &local) == 0)
            try #require(platform_connect(other, local) == 0)
        }
        return (first, second)
    }
    #endif
}

extension [UInt8] {
    /// The bytes of an integer as they lie in memory.
    fileprivate init(unsafe value: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: value) { Array($0) }
    }
}
