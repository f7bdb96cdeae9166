import SessionCRDT
import Testing

/// The example in `Documentation/PROTOCOL.md`, section 6, computed by another program.
struct DigestExampleTests {
    @Test("The documented entry has the documented digest")
    func example() {
        let birds = Symbol(known: "birds")
        let player = PlayerID(high: 0xcccc_cccc_cccc_cccc, low: 5)
        let actor = ActorID(high: 0xaaaa_aaaa_aaaa_aaaa, low: 3)
        let entry = Entry(
            dot: Dot(actor: actor, sequence: 11),
            stamp: Stamp(milliseconds: 1_795_201_445_000),
            author: DeviceID(high: 0xd0d0_d0d0_d0d0_d0d0, low: 1),
            value: .integer(50)
        )
        let bytes = entry.canonicalBytes(under: .cell(Cell(player: player, row: birds)))
        var digest = Digest()
        digest.add(SipHash.hash(bytes))
        #expect(digest.description == "f93f0b8092869453ab216b84ead45932")
    }
}
