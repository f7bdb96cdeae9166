import LaptopKit
import Testing

extension LAN {
    struct PacketTests {
        @Test("A score costs each other laptop four packets, even after silence")
        func score() throws {
            let lab = try Lab("ann", "bob", "cem", "dan")
            try lab.play("Ann")
            // The first one also tells who is linked with whom.
            try lab[0].run("score", "Ann", "round.1=1")
            var counts: [Int] = []
            for round in 2...6 {
                let before = try lab.segmentsOnceQuiet()
                try lab[0].run("score", "Ann", "round.\(round)=\(round)")
                // Not by `wait`, which asks the others.
                try lab.agree()
                counts.append(try lab.segmentsOnceQuiet() - before)
            }
            // A ping may come between.
            #expect(counts.sorted()[2] == 4 * 3, "\(counts)")
        }
    }
}

extension Lab {
    /// The number of TCP segments that all have sent, once none has sent any for longer than an
    /// acknowledgement waits for an answer.
    fileprivate func segmentsOnceQuiet() throws -> Int {
        try settled(for: .milliseconds(150), within: .seconds(10)) { try segments }
    }

    private var segments: Int {
        get throws {
            try laptops.reduce(0) { sum, laptop in
                // A line of names, and one of figures.
                let lines = try laptop.room.run("grep ^Tcp: /proc/net/snmp").split(separator: "\n")
                let words = lines.map { $0.split(separator: " ") }
                let column = try #require(words.first?.firstIndex(of: "OutSegs"))
                return sum + (try #require(words.last.flatMap { Int($0[column]) }))
            }
        }
    }
}
