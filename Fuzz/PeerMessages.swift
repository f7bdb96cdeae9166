import SessionCRDT
import SyncProtocol

/// A stream of frames from a member: accepted messages must be sound, and survive a round trip.
///
/// The input is the payloads, one per line, because a fuzzer cannot guess lengths; a first line
/// that begins with a zero byte is a raw stream of frames instead.
func fuzzPeerMessages(_ input: [UInt8]) {
    var decoder = PeerMessageDecoder()
    for payload in payloads(of: input) {
        // Strangers send these before anybody has proven anything.
        if let knock = KnockMessage(payload) {
            precondition(KnockMessage(knock.payload) == knock, "it differs after a round trip")
        }
        guard let message = try? decoder.receive(payload) else { continue }
        check(message)
    }
}

private func payloads(of input: [UInt8]) -> [[UInt8]] {
    guard input.first == 0 else {
        return input.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
    var frames = FrameDecoder()
    var payloads: [[UInt8]] = []
    for piece in [input.prefix(7), input.dropFirst(7)] {
        frames.append(piece)
        while let payload = try? frames.next() { payloads.append(payload) }
    }
    return payloads
}

private func check(_ message: PeerMessage) {
    if case .delta(let delta) = message {
        for change in delta.changes {
            for entry in change.live.entries {
                precondition(EntryLimits.violation(change.key, entry.value) == nil, "past a limit")
            }
        }
        var map = StagedMap(CausalMap())
        _ = map.merge(delta)
        _ = map.seal()
        map.settle()
    }
    var again = PeerMessageDecoder()
    var last: PeerMessage?
    for payload in PeerMessageEncoder(message) { last = try? again.receive(payload) }
    precondition(last == message, "it differs after a round trip")
}
