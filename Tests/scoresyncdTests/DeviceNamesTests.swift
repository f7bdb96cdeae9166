import SessionCRDT
import Testing

@testable import scoresyncd

/// Laptops of one host name are told apart.
struct DeviceNamesTests {
    private func device(_ number: UInt64) -> DeviceID { DeviceID(high: 7, low: number) }

    /// The live names of devices that wrote one tick after the other.
    private func live(_ names: [(device: UInt64, name: String)]) -> LiveSets {
        var map = StagedMap(CausalMap())
        var clock = HybridClock()
        for (place, (number, name)) in names.enumerated() {
            let mutation = Mutation.device(device(number), name: name)
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 9, low: UInt64(place)), sequence: 1),
                stamp: clock.tick(physical: 1_700_000_000_000 + UInt64(place)),
                author: device(number),
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
        _ = map.seal()
        _ = map.settle()
        return map.committed.live
    }

    @Test("The first writer keeps the name, and a later one gets a free number")
    func numbers() {
        let names = DeviceNames(
            of: live([(5, "vm"), (9, "VM"), (1, "vm"), (2, "vm 2"), (3, "ann")])
        )
        #expect(names[device(5)] == "vm")
        #expect(names[device(9)] == "VM 3")
        #expect(names[device(1)] == "vm 4")
        #expect(names[device(2)] == "vm 2")
        #expect(names[device(3)] == "ann")
        #expect(names[device(4)] == nil)
    }

    @Test("Devices without writes follow those with writes, by id")
    func silent() {
        var names = DeviceNames(of: live([(5, "vm")]))
        names.add([(device(1), "vm"), (device(2), "vm"), (device(5), "other")])
        #expect(names[device(5)] == "vm")
        #expect(names[device(1)] == "vm 2")
        #expect(names[device(2)] == "vm 3")
    }

    @Test("A thousand devices of one name cost a thousand steps, and no two are alike")
    func many() {
        let taken = (0..<1_000).map { (device: UInt64($0), name: $0 < 500 ? "vm" : "vm \($0)") }
        let names = DeviceNames(of: live(taken))
        #expect(Set(taken.compactMap { names[device($0.device)] }).count == taken.count)
    }
}
