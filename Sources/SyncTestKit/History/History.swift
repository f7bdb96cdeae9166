import FoundationEssentials
import SessionCRDT

/// All that happens to a world from outside: played again, everything happens again.
package struct History: Hashable, Sendable {
    /// The world.
    package var scenario: Scenario
    /// What happens, in order.
    package var happenings: [Happening]

    /// A history of a world.
    package init(_ scenario: Scenario, _ happenings: [Happening]) {
        self.scenario = scenario
        self.happenings = happenings
    }

    /// The history that was printed: a line for the world, then one for each event.
    ///
    /// Empty lines and those that begin with `#` say nothing.
    package init(lines: String) throws {
        let decoder = JSONDecoder()
        let lines = lines.split(separator: "\n").filter { !$0.hasPrefix("#") }
        scenario = try decoder.decode(Scenario.self, from: Data((lines.first ?? "").utf8))
        happenings = try lines.dropFirst().map {
            try decoder.decode(Happening.self, from: Data($0.utf8))
        }
    }

    /// The history as `init(lines:)` reads it.
    package var lines: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func line(_ value: some Encodable) -> String {
            do {
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            } catch { preconditionFailure("an event is no JSON: \(error)") }
        }
        return ([line(scenario)] + happenings.map(line)).joined(separator: "\n")
    }
}

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

/// An event, and when it happens.
package struct Happening: Hashable, Codable, Sendable {
    /// Milliseconds of virtual time.
    package let at: UInt64
    /// What happens.
    package let event: Event

    /// An event at a time.
    package init(at: UInt64, _ event: Event) {
        self.at = at
        self.event = event
    }
}

/// Something that happens to the world from outside: what people do, and what goes wrong.
///
/// A value with everything in it, so that a history of them can be printed, played again and
/// shrunk: what an event does must not depend on chance, and one that finds nothing to do, because
/// what it was about was left out, does nothing. Times are milliseconds, laptops and sessions are
/// counted from 0.
package enum Event: Hashable, Codable, Sendable {
    /// Somebody writes.
    case write(laptop: Int, session: Int, what: Writing)
    /// Somebody begins the next game after a session: everybody there takes it up.
    case playOn(laptop: Int, session: Int, next: Int)
    /// A laptop comes into a session with nothing but the address of a member.
    case join(laptop: Int, session: Int, through: Int)
    /// A laptop leaves; unless forced only where the engine says that others have what it wrote.
    case leave(laptop: Int, session: Int, isForced: Bool)
    /// The door for who has a code is opened or closed.
    case invite(laptop: Int, session: Int, isOpen: Bool)
    /// Somebody types the address of another.
    case type(laptop: Int, session: Int, addressOf: Int)
    /// The user takes the device offline for a while.
    case offline(laptop: Int, lasting: UInt64)

    /// Nothing passes from one to another.
    case block(from: Int, to: Int, lasting: UInt64)
    /// Nothing passes to or from one.
    case isolate(laptop: Int, lasting: UInt64)
    /// Everything is slow, announcements get lost and come twice.
    case weather(delay: UInt64, loss: Int, duplication: Int, lasting: UInt64)
    /// The connections between two break; of half-open ones only one side learns of it.
    case cut(one: Int, other: Int, isHalfOpen: Bool)
    /// The next delta from one to another comes without its beginning, which was lost.
    case overtake(from: Int, to: Int, session: Int)
    /// Announcements come that are not true, or aim at ports where no daemon listens.
    case lie(laptop: Int, times: Int, seed: UInt64)

    /// The daemon ends, and starts again after a while.
    case end(laptop: Int, how: EndOfRun, lasting: UInt64)
    /// A backup of the home is made.
    case backUp(laptop: Int)
    /// The home is set back to one of its earlier backups.
    case restore(laptop: Int, backup: Int, lasting: UInt64)
    /// The home is copied to a laptop that has none, and both run.
    case clone(laptop: Int, to: Int)
    /// The disk gives back something else than was written.
    case rot(laptop: Int, what: Rot, seed: UInt64)

    /// The lid is closed for a while.
    case sleep(laptop: Int, lasting: UInt64)
    /// The wall clock is set forward or back.
    case shiftClock(laptop: Int, by: Int64)
    /// The wall clock is set to a time far off, since 1970.
    case setClock(laptop: Int, to: Int64)
    /// The machine gets another address.
    case move(laptop: Int, address: UInt32)
    /// The disk refuses, lies, is slow or cannot be read for a while.
    case spoilDisk(laptop: Int, trouble: DiskTrouble, lasting: UInt64)
    /// Something about the interfaces changed.
    case changeNetwork(laptop: Int)
}

/// How a daemon ends.
package enum EndOfRun: String, Codable, Sendable {
    /// It says goodbye.
    case politely
    /// The process is killed; the machine goes on and resets its connections.
    case killed
    /// The machine is off at once.
    case powerCut
}

/// What is wrong with a disk.
package enum DiskTrouble: String, Codable, Sendable, CaseIterable {
    /// Every batch is refused, and reading may fail too.
    case full
    /// Batches are written and then reported as failed.
    case unknownOutcome
    /// Batches take seconds.
    case slow
    /// Nothing can be read, neither at a start nor after a failed batch.
    case unreadable
    /// What it says it has is gone at the next power cut.
    case lying
}

/// What of a home gives back something else than was written.
package enum Rot: String, Codable, Sendable, CaseIterable {
    /// An entry has another value.
    case value
    /// An entry is gone.
    case entry
    /// An entry stands under another key.
    case key
    /// A write counts as seen that never came.
    case vector
}

/// What somebody writes; players, rows and sessions are counted from 0.
package enum Writing: Hashable, Codable, Sendable {
    /// What the creator of a session writes.
    case creation
    /// A score.
    case score(player: Int, row: Int, round: UInt32?, value: Int64)
    /// An emptied cell.
    case clear(player: Int, row: Int, round: UInt32?)
    /// A score and an emptied cell in one commit.
    case several(player: Int, row: Int, value: Int64)
    /// So many cells of long texts in one commit: more than one part of a delta.
    case bulk(player: Int, cells: Int, value: Int64)
    /// A player's name.
    case name(player: Int, value: Int64)
    /// A new player, or one more time.
    case add(player: Int, value: Int64)
    /// Whether a player takes part.
    case membership(player: Int, isPresent: Bool)
    /// The order of the players.
    case seats([Int])
    /// The title.
    case title(Int64)
    /// Whether the session is finished.
    case finish(Bool)
    /// The session in which the same people play on.
    case next(session: Int)

    /// The entries that it is made of.
    func mutations(in cast: Cast) -> [Mutation] {
        switch self {
        case .creation:
            [.title("Friday"), .finished(false)]
                + [0, 1].flatMap { Mutation.add(cast.player($0), name: "player \($0)") }
        case .score(let player, let row, let round, let value):
            Mutation.score(cast.cell(player, row, round), .integer(value))
        case .clear(let player, let row, let round):
            Mutation.clear(cast.cell(player, row, round))
        case .several(let player, let row, let value):
            Mutation.score(cast.cell(player, row, nil), .integer(value))
                + Mutation.clear(cast.cell(player, row, 3))
        case .bulk(let player, let cells, let value):
            (0..<cells).map { number in
                let text = "\(value) " + String(repeating: "x", count: 4_000)
                return Mutation(.cell(cast.cell(player, 0, UInt32(100 + number))), .text(text))
            }
        case .name(let player, let value): [.name(of: cast.player(player), "name \(value)")]
        case .add(let player, let value):
            Mutation.add(cast.player(player), name: "name \(value)")
        case .membership(let player, let isPresent):
            [.membership(of: cast.player(player), isPresent: isPresent)]
        case .seats(let players): [.seats(players.map(cast.player))]
        case .title(let value): [.title("title \(value)")]
        case .finish(let isFinished): [.finished(isFinished)]
        case .next(let session): cast.successor(session).map { [.next($0)] } ?? []
        }
    }
}

/// The sessions and players of a world, which events name by number.
struct Cast {
    /// The sessions.
    let sessions: [SessionID]
    private let players: [PlayerID]

    static let players = 4
    private static let rows = ["birds", "eggs", "round"].compactMap { Symbol($0) }
    static var rowCount: Int { rows.count }

    init(sessions: Int, using chance: inout SeededGenerator) {
        self.sessions = (0..<sessions).map { _ in SessionID.random(using: &chance) }
        players = (0..<Cast.players).map { _ in PlayerID.random(using: &chance) }
    }

    func player(_ number: Int) -> PlayerID { players[number % players.count] }

    func cell(_ player: Int, _ row: Int, _ round: UInt32?) -> Cell {
        Cell(player: self.player(player), row: Cast.rows[row % Cast.rows.count], round: round)
    }

    /// A session as another one names it; its key is of no use here.
    func successor(_ session: Int) -> Successor? {
        guard sessions.indices.contains(session) else { return nil }
        return Successor(
            session: sessions[session],
            key: [UInt8](repeating: 7, count: Successor.keyBytes)
        )
    }
}
