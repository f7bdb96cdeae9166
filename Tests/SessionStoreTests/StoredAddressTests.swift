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

    @Test("Noting an address again adds to what is known and forgets nothing")
    func merges() throws {
        try store.note(StoredAddress(address: address(1), isTyped: true), for: session)
        try store.note(
            StoredAddress(address: address(1), device: device, lastAuthenticated: 50),
            for: session
        )
        try store.note(StoredAddress(address: address(1), lastAuthenticated: 40), for: session)
        try store.note(StoredAddress(address: address(1)), for: session)
        let known = StoredAddress(
            address: address(1),
            device: device,
            lastAuthenticated: 50,
            isTyped: true
        )
        #expect(try store.peers(of: session) == [known])
        #expect(try store.forget(address(1), of: session))
        #expect(try store.forget(address(1), of: session) == false)
        #expect(try store.peers(of: session) == [])
    }

    @Test("Of 65 addresses the oldest that was not typed goes")
    func dropsTheOldest() throws {
        try store.note(StoredAddress(address: address(0), isTyped: true), for: session)
        for number in 1...63 {
            let peer = StoredAddress(address: address(number), lastAuthenticated: UInt64(number))
            try store.note(peer, for: session)
        }
        #expect(try store.peers(of: session).count == 64)
        try store.note(StoredAddress(address: address(64)), for: session)
        var kept = Set(try store.peers(of: session).map(\.address))
        #expect(kept == Set(([0] + Array(2...64)).map(address)))
        // The one that never authenticated is older than all that did.
        try store.note(StoredAddress(address: address(65), lastAuthenticated: 1), for: session)
        kept = Set(try store.peers(of: session).map(\.address))
        #expect(kept == Set(([0, 65] + Array(2...63)).map(address)))
    }

    @Test("A session full of typed addresses takes a typed one for the oldest, and no other")
    func typedAddresses() throws {
        for number in 1...64 {
            let time = UInt64(number)
            let peer = StoredAddress(
                address: address(number),
                lastAuthenticated: time,
                isTyped: true
            )
            try store.note(peer, for: session)
        }
        try store.note(StoredAddress(address: address(65), lastAuthenticated: 99), for: session)
        #expect(Set(try store.peers(of: session).map(\.address)) == Set((1...64).map(address)))
        try store.note(StoredAddress(address: address(66), isTyped: true), for: session)
        let kept = Set(try store.peers(of: session).map(\.address))
        #expect(kept == Set((Array(2...64) + [66]).map(address)))
    }
}
