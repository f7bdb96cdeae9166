/// The world of a history: how many laptops there are, what passes between them, and how it heals.
package struct Scenario: Hashable, Codable, Sendable {
    /// The seed of all chance that no event decides: delays, ids, which commit a crash takes.
    package var seed: UInt64
    /// The laptops that hold the first sessions from the start.
    package var laptops: Int
    /// The laptops that may come later: copies of others, and late joiners.
    package var spares = 2
    /// The sessions that are there from the start.
    package var sessions = 1
    /// How long things go wrong, in milliseconds.
    package var trouble: UInt64 = 10_000
    /// How long people go on writing after that.
    package var lateWrites: UInt64 = 0
    /// Whether announcements are heard at all.
    package var hasBroadcast = true
    /// The percentage of announcements that is lost even when all is well.
    package var lasting = 0
    /// Whether everything that is said goes through the real coding of the wire.
    package var usesBytes = false
    /// How many bytes a connection carries in a millisecond, where bytes are used.
    package var bytesPerMillisecond = 10_000
    /// The pairs between which nothing ever passes, as behind an access point that isolates.
    package var walls: [[Int]] = []
    /// The laptops that nobody can connect to.
    package var firewalled: [Int] = []
    /// What stays wrong, with which laptops, until the others have agreed without them.
    package var broken: [Broken] = []
    /// Whether a repair may not bring back what was replaced.
    package var isStrict = false
    /// What the shell of each daemon does wrong, to see that the laboratory finds it.
    package var sabotage: Sabotage?

    /// A laptop with which something stays wrong.
    package struct Broken: Hashable, Codable, Sendable {
        /// Which.
        package let laptop: Int
        /// What.
        package let by: Breakage

        /// A laptop, and what stays wrong with it.
        package init(laptop: Int, by: Breakage) {
            self.laptop = laptop
            self.by = by
        }
    }

    /// What stays wrong with a laptop.
    package enum Breakage: String, Codable, Sendable, CaseIterable {
        /// It is switched off.
        case off
        /// Its lid is closed.
        case asleep
        /// Nothing passes to or from it.
        case isolated
        /// It can be heard, and hears nothing.
        case deaf
        /// Its disk refuses everything.
        case full
    }

    /// What a careless shell would do.
    package enum Sabotage: String, Codable, Sendable {
        /// It says that a batch is on disk before it is.
        case reportsUnwritten
        /// It lets a laptop leave that has what nobody else has.
        case leavesUnasked
    }

    /// The scenario of a seed with so many laptops, and nothing unusual.
    package init(seed: UInt64, laptops: Int) {
        self.seed = seed
        self.laptops = laptops
    }

    /// How many laptops there can be.
    var places: Int { laptops + spares }

    /// How many sessions there can be: each may have a next one.
    var mostSessions: Int { sessions + 1 }
}
