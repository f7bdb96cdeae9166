/// What one seed makes of a simulation: how many laptops, what goes wrong, for how long.
package struct Scenario: Hashable, Sendable {
    /// The seed that decides everything.
    package let seed: UInt64
    /// The laptops that are there from the start.
    let laptops: Int
    let sessions: Int
    /// How long things go wrong, in milliseconds.
    let trouble: UInt64
    /// The usual pause between two faults, in milliseconds.
    let faultPause: UInt64
    /// The usual pause between two writes, in milliseconds.
    let writePause: UInt64
    /// Whether announcements are heard at all.
    let hasBroadcast: Bool
    /// The percentage of announcements that is lost even when all is well.
    let lasting: Int
    let faults: [Fault]
    /// Whether everything that is said goes through the real coding of the wire.
    let usesBytes: Bool

    /// The scenario of a seed.
    package init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        self.seed = seed
        laptops = [2, 3, 3, 3, 4, 4, 5][chance.index(below: 7)]
        sessions = chance.happens(15) ? 2 : 1
        trouble = chance.number(5_000...40_000)
        faultPause = chance.number(300...4_000)
        writePause = chance.number(100...2_000)
        hasBroadcast = chance.happens(80)
        usesBytes = chance.happens(10)
        lasting = chance.happens(50) ? 0 : chance.index(below: 25)
        let isCorrupt = chance.happens(10)
        let isMobile = hasBroadcast && chance.happens(30)
        let isLeft = hasBroadcast && !isMobile && chance.happens(40)
        faults = Fault.all.filter { fault in
            switch fault {
            // Without broadcast nobody can find who has moved.
            case .machine(.move): isMobile
            // Who leaves unheard is missed for ever, unless an answer from the address tells.
            case .session(.leave): isLeft
            case .daemon(.corruption): isCorrupt
            case .daemon(.clone), .daemon(.restore): chance.happens(35)
            case .session(.finish): chance.happens(40)
            case .network, .daemon, .machine, .session: chance.happens(60)
            }
        }
    }

    /// Whether somebody's disk may rot, which only the digest can find.
    var isCorrupt: Bool { faults.contains(.daemon(.corruption)) }
}
