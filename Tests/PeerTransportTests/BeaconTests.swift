import CPlatform
import Descriptors
import Dispatch
import QueueKit
import SyncProtocol
import Testing

@testable import PeerTransport

@Suite("The beacon")
struct BeaconTests {
    private let stage = Stage()
    private let tag = (0..<8).map { _ in UInt8.random(in: 0...255) }
    private let loopback = InterfaceAddress(
        name: "lo",
        index: 1,
        address: IPAddress(ipv4: 0x7F00_0001),
        prefixLength: 8,
        isLoopback: true,
        canBroadcast: false
    )
    private let wireless = InterfaceAddress(
        name: "wlan0",
        index: 3,
        address: IPAddress(ipv4: 0xC0A8_0117),
        prefixLength: 23,
        isLoopback: false,
        canBroadcast: true
    )

    /// A beacon on loopback, with what it received and which interfaces failed.
    ///
    /// A free port may be shared by the beacons of another test: those that belong together begin
    /// their datagrams with the same tag, which is left out of what is kept.
    @EventLoop
    private final class Ear {
        var beacon: Beacon?
        var datagrams: [[UInt8]] = []
        var sources: [Endpoint] = []
        var failures: [String] = []

        init(
            _ stage: Stage,
            port: UInt16 = 0,
            tag: [UInt8],
            interfaces: @escaping () throws(SystemError) -> [InterfaceAddress] =
                InterfaceAddress.all
        ) throws {
            beacon = try Beacon(
                on: stage.queue,
                port: port,
                filter: Beacon.InterfaceFilter(includesLoopback: true),
                interfaces: interfaces,
                onDatagram: { [weak self] bytes, source in
                    guard let self, bytes.starts(with: tag) else { return }
                    datagrams.append(Array(bytes.dropFirst(tag.count)))
                    sources.append(source)
                    stage.changed()
                },
                onFailure: { [weak self] interface, _ in self?.failures.append(interface) }
            )
        }

        var port: UInt16 { beacon?.port ?? 0 }
    }

    private func ear(
        port: UInt16 = 0,
        _ interfaces: @escaping @Sendable () throws(SystemError) -> [InterfaceAddress] =
            InterfaceAddress.all
    ) throws -> Ear {
        try stage.queue.sync { try Ear(stage, port: port, tag: tag, interfaces: interfaces) }
    }

    @Test("reaches every beacon of the machine, its own too, over loopback")
    func threeOnOneMachine() async throws {
        let lo = loopback
        let first = try ear { [lo] }
        let port = await stage.run { first.port }
        let others = try [ear(port: port), ear(port: port)]
        await stage.run { first.beacon?.send([tag + [1, 2], tag + [3]]) }
        for ear in [first] + others {
            try await stage.wait(for: "both datagrams") { ear.datagrams == [[1, 2], [3]] }
            await stage.run {
                #expect(ear.sources.allSatisfy { $0.address.isLoopback && $0.port == port })
            }
        }
        await stage.run { #expect(first.failures.isEmpty) }
    }

    @Test("drops what comes by IPv6 from farther than the link")
    func routed() async throws {
        let lo = loopback
        let ear = try ear { [lo] }
        let port = await stage.run { ear.port }
        let socket = platform_udp_socket(true)
        defer { platform_close(socket) }
        let bytes = tag + [1]
        // A machine without IPv6 cannot send it.
        let target = Endpoint(address: IPAddress(high: 0, low: 1), port: port).platform
        _ = platform_send_to(socket, bytes, bytes.count, target, platform_endpoint(), 0)
        await stage.run { ear.beacon?.send([tag + [2]]) }
        try await stage.wait(for: "that of the link") { ear.datagrams == [[2]] }
    }

    @Test("drops a datagram that is longer than an announcement may be")
    func tooLong() async throws {
        let lo = loopback
        let ear = try ear { [lo] }
        let longest = [UInt8](repeating: 1, count: Limits.announcementBytes - tag.count)
        await stage.run { ear.beacon?.send([tag + longest + [1], tag + longest, [], tag + [2]]) }
        try await stage.wait(for: "what is short enough") { ear.datagrams == [longest, [2]] }
    }

    @Test("is not kept by a failing interface from the others, and reports it once")
    func failingInterface() async throws {
        let gone = InterfaceAddress(
            name: "gone0",
            index: 99_999,
            address: IPAddress(ipv4: 0x0A00_0001),
            prefixLength: 24,
            isLoopback: false,
            canBroadcast: true
        )
        let lo = loopback
        let isBack = Counter()
        let ear = try ear { isBack.count == 1 ? [lo] : [gone, lo] }
        for number: UInt8 in 1...2 {
            await stage.run { ear.beacon?.send([tag + [number]]) }
            try await stage.wait(for: "the datagram") { ear.datagrams.last == [number] }
            await stage.run {
                #expect(ear.failures == ["gone0"])
                let sendings = ear.beacon?.lastResults ?? []
                #expect(sendings.map(\.target.name) == ["gone0", "lo"])
                #expect(sendings.map { $0.failure == nil } == [false, true])
            }
        }
        await stage.run {
            isBack.count = 1
            ear.beacon?.send([tag + [3]])
            #expect(ear.beacon?.lastResults.map(\.target) == [lo])
            isBack.count = 2
            ear.beacon?.send([tag + [4]])
            #expect(ear.failures == ["gone0", "gone0"], "it went away and failed anew")
        }
    }

    @Test("reports that the list of interfaces cannot be read, and continues when it can")
    func noList() async throws {
        let isBroken = Counter()
        let lo = loopback
        let ear = try ear { () throws(SystemError) in
            guard isBroken.count == 0 else { throw SystemError("list", code: ENOMEM) }
            return [lo]
        }
        await stage.run {
            isBroken.count = 1
            ear.beacon?.send([tag + [1]])
            ear.beacon?.send([tag + [2]])
            #expect(ear.failures == [""])
            isBroken.count = 0
            ear.beacon?.send([tag + [3]])
        }
        try await stage.wait(for: "the datagram") { ear.datagrams == [[3]] }
    }

    @Test("chooses interfaces by capability, by name, and loopback on request")
    func reach() {
        let tunnel = InterfaceAddress(
            name: "tun0",
            index: 4,
            address: IPAddress(ipv4: 0x0A08_0001),
            prefixLength: 32,
            isLoopback: false,
            canBroadcast: false
        )
        let alias = InterfaceAddress(
            name: "wlan0",
            index: 3,
            address: IPAddress(ipv4: 0xC0A8_0118),
            prefixLength: 23,
            isLoopback: false,
            canBroadcast: true
        )
        let all = [loopback, wireless, alias, tunnel]
        #expect(Beacon.InterfaceFilter().targets(among: all) == [wireless])
        #expect(
            Beacon.InterfaceFilter(includesLoopback: true).targets(among: all) == [
                loopback, wireless,
            ]
        )
        #expect(Beacon.InterfaceFilter(names: ["eth0"]).targets(among: all).isEmpty)
        #expect(Beacon.InterfaceFilter(names: ["wlan0"]).targets(among: all) == [wireless])
        // With no network there is only this machine, whose other users may play too.
        #expect(Beacon.InterfaceFilter().targets(among: [loopback, tunnel]) == [loopback])
        #expect(Beacon.InterfaceFilter(names: ["wlan0"]).targets(among: [loopback]).isEmpty)
        let second = InterfaceAddress(
            name: "wlan0",
            index: 3,
            address: IPAddress(ipv4: 0x0A00_0005),
            prefixLength: 8,
            isLoopback: false,
            canBroadcast: true
        )
        #expect(Beacon.InterfaceFilter().targets(among: [wireless, second]) == [wireless, second])
    }

    @Test("announces to all devices on the link, regardless of their subnet")
    func everybody() {
        func everybody(_ prefixLength: Int, canBroadcast: Bool = true) -> IPAddress? {
            InterfaceAddress(
                name: "x",
                index: 1,
                address: IPAddress(ipv4: 0x0A00_0001),
                prefixLength: prefixLength,
                canBroadcast: canBroadcast
            ).announcementTarget
        }
        for prefixLength in [8, 24, 31, 32] {
            #expect(everybody(prefixLength) == IPAddress(ipv4: .max))
        }
        #expect(everybody(32, canBroadcast: false) == nil)
        #expect(loopback.announcementTarget == IPAddress(ipv4: 0x7FFF_FFFF))
    }

    private func ipv6(
        _ text: String,
        canMulticast: Bool = true,
        canBroadcast: Bool = true
    ) throws
        -> InterfaceAddress
    {
        InterfaceAddress(
            name: "wlan0",
            index: 3,
            address: try #require(IPAddress(text)),
            prefixLength: 64,
            canBroadcast: canBroadcast,
            canMulticast: canMulticast
        )
    }

    @Test("announces by IPv6 once on each link, from a link-local address to all nodes")
    func allNodes() throws {
        let link = try ipv6("fe80::7%wlan0")
        let other = try ipv6("fe80::8%wlan0")
        #expect(link.announcementTarget?.description == "ff02::1%wlan0")
        #expect(link.broadcast == nil)
        let routed = try ipv6("2001:db8::7")
        #expect(routed.announcementTarget == nil)
        #expect(try ipv6("fe80::7%wlan0", canMulticast: false).announcementTarget == nil)
        #expect(try ipv6("fe80::7%wlan0", canBroadcast: false).announcementTarget == nil)
        let all = [loopback, wireless, routed, link, other]
        #expect(Beacon.InterfaceFilter().targets(among: all) == [wireless, link])
    }

    @Test("computes the broadcast address from the netmask")
    func broadcastAddress() {
        func broadcast(_ address: UInt32, _ prefixLength: Int) -> IPAddress? {
            InterfaceAddress(
                name: "x",
                index: 1,
                address: IPAddress(ipv4: address),
                prefixLength: prefixLength
            ).broadcast
        }
        #expect(loopback.broadcast == IPAddress(ipv4: 0x7FFF_FFFF))
        #expect(wireless.broadcast == IPAddress(ipv4: 0xC0A8_01FF))
        #expect(broadcast(0x0A00_0001, 8) == IPAddress(ipv4: 0x0AFF_FFFF))
        #expect(broadcast(0x0A00_0001, 30) == IPAddress(ipv4: 0x0A00_0003))
        #expect(broadcast(0x0A00_0001, 0) == IPAddress(ipv4: .max))
        #expect(broadcast(0x0A00_0001, 31) == nil)
        #expect(broadcast(0x0A00_0001, 32) == nil)
    }

    @Test("finds loopback among the interfaces of this machine")
    func interfacesOfThisMachine() throws {
        let found = try InterfaceAddress.all().first { $0.isLoopback }
        #expect(try #require(found).broadcast == IPAddress(ipv4: 0x7FFF_FFFF))
    }
}
