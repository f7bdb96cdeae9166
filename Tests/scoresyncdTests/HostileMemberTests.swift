import LaptopKit
import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@testable import scoresyncd

// Needs real time: the time to an answer is promised.

/// Hostile messages of a member on its links, which must not stop the user's daemon.
@Suite(.timeLimit(.minutes(10)))
struct HostileMemberTests {
    private func laptop() throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery", "--log-level", "info")
        try laptop.run("session", "new", "points", "--player", "Ann")
        return laptop
    }

    @Test("Endless errors write a limited log, and calls are answered meanwhile")
    func errors() throws {
        let laptop = try laptop()
        let eve = try HostileMember(invitedTo: laptop)
        try eve.link()
        let error = PeerError(code: "unknown-type", text: String(repeating: "x", count: 500))
        eve.send(Array(repeating: .error(error), count: 2_000) + [.ping(77)])
        for value in 1...10 { try laptop.run("score", "Ann", "\(value)") }
        try eve.wait(for: "the answer behind the flood") { $0 == .pong(77) }
        let lines = laptop.log.split(separator: "\n").count { $0.contains("xxxx") }
        #expect(lines > 100 && lines <= Int(LogRateLimiter.burst(.warning)) + 60, "\(lines) lines")
    }

    /// Messages that a member can repeat without end.
    enum Flood: CaseIterable {
        case acknowledgements, unknownTypes, pings

        var payload: [UInt8] {
            switch self {
            case .acknowledgements:
                let ack = Acknowledgement(vector: VersionVector(), digest: Digest())
                return Array(PeerMessageEncoder(.ack(ack))).flatMap(\.self)
            case .unknownTypes: return Array(#"{"type":"later","text":"xxxxxxxxxxxxxxxx"}"#.utf8)
            case .pings: return Array(PeerMessageEncoder(.ping(1))).flatMap(\.self)
            }
        }
    }

    @Test("During a flood from one member, calls are answered", arguments: Flood.allCases)
    func flood(_ flood: Flood) throws {
        let laptop = try laptop()
        let eve = try HostileMember(invitedTo: laptop)
        try eve.link()
        let last = Array(PeerMessageEncoder(.ping(77)))
        eve.send(Array(repeating: flood.payload, count: 3_000) + last)
        var slowest = Duration.zero
        var answers = 0
        while !eve.hasHeard({ $0 == .pong(77) }), answers < 1_000 {
            let start = ContinuousClock.now
            try laptop.run("score", "Ann", "\(answers)")
            slowest = max(slowest, ContinuousClock.now - start)
            answers += 1
        }
        // The flood takes two seconds at least, by the rate of a link.
        #expect(answers > 5)
        #expect(slowest < .seconds(2), "the slowest of \(answers) answers took \(slowest)")
    }

    @Test("Thousands of actors in one delta are rejected with a reason, and nothing ends for good")
    func actors() throws {
        let laptop = try laptop()
        let eve = try HostileMember(invitedTo: laptop)
        try eve.link()
        let actors = (0..<Limits.actors - 1).map { (ActorID(high: 7, low: UInt64($0)), UInt64(1)) }
        let upto = VersionVector(Dictionary(uniqueKeysWithValues: actors))
        let delta = try Delta(base: VersionVector(), upto: upto, changes: [])
        eve.send([.delta(delta)])
        try eve.wait(for: "the refusal") {
            if case .error(let error) = $0 { error.code == PeerError.tooMuch } else { false }
        }
        let alarms = try laptop.read(StatusReply.self, "status").alarms
        #expect(alarms.map(\.kind) == ["too-much"])
        // Over a restart, after which the daemon writes as an actor that is new.
        try laptop.stop()
        try laptop.start("--no-discovery")
        try laptop.run("score", "Ann", "5")
        try laptop.run("session", "finish")
    }
}
