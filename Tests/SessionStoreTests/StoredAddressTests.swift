import SessionCRDT
import SessionStore
import Testing

struct StoredAddressTests {
    private let scratch: ScratchDirectory
    private let store: SessionStore
    private let session = SessionID(high: 0, low: 1)
    private let device = DeviceID(high: 0, low: 2)

    init() throws {
        scratch = try ScratchDirectory()
        store = try scratch.open()
        let key = [UInt8](repeating: 1, count: 32)
        try store.add(SessionRecord(id: session, key: key, joinedAt: 0))
    }

    private func address(_ number: Int) -> String { "10.0.0.\(number):47615" }

    @Test("Storing an address again merges it with the stored one")
    func merges() throws {
        try store.record(StoredAddress(address: address(1), isTyped: true), for: session)
        try store.record(
            StoredAddress(address: address(1), device: device, lastAuthenticated: 50),
            for: session
        )
        try store.record(StoredAddress(address: address(1), lastAuthenticated: 40), for: session)
        try store.record(StoredAddress(address: address(1)), for: session)
        let known = StoredAddress(
            address: address(1),
            device: device,
            lastAuthenticated: 50,
            isTyped: true
        )
        #expect(try store.addresses(of: session) == [known])
        #expect(try store.removeAddress(address(1), of: session))
        #expect(try store.removeAddress(address(1), of: session) == false)
        #expect(try store.addresses(of: session) == [])
    }

    @Test("Of 65 addresses the oldest that was not entered by the user is removed")
    func dropsTheOldest() throws {
        try store.record(StoredAddress(address: address(0), isTyped: true), for: session)
        for number in 1...63 {
            let peer = StoredAddress(address: address(number), lastAuthenticated: UInt64(number))
            try store.record(peer, for: session)
        }
        #expect(try store.addresses(of: session).count == 64)
        try store.record(StoredAddress(address: address(64)), for: session)
        var kept = Set(try store.addresses(of: session).map(\.address))
        #expect(kept == Set(([0] + Array(2...64)).map(address)))
        // One that never authenticated counts as the oldest.
        try store.record(StoredAddress(address: address(65), lastAuthenticated: 1), for: session)
        kept = Set(try store.addresses(of: session).map(\.address))
        #expect(kept == Set(([0, 65] + Array(2...63)).map(address)))
    }

    @Test("With only entered addresses, an entered one replaces the oldest, and no other does")
    func typedAddresses() throws {
        for number in 1...64 {
            let time = UInt64(number)
            let peer = StoredAddress(
                address: address(number),
                lastAuthenticated: time,
                isTyped: true
            )
            try store.record(peer, for: session)
        }
        try store.record(StoredAddress(address: address(65), lastAuthenticated: 99), for: session)
        #expect(Set(try store.addresses(of: session).map(\.address)) == Set((1...64).map(address)))
        try store.record(StoredAddress(address: address(66), isTyped: true), for: session)
        let kept = Set(try store.addresses(of: session).map(\.address))
        #expect(kept == Set((Array(2...64) + [66]).map(address)))
    }
}
