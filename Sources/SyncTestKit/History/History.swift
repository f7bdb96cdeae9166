import FoundationEssentials
import SessionCRDT

/// All external events of a simulated world; replaying it gives the same run.
package struct History: Hashable, Sendable {
    package var scenario: Scenario
    /// The events in the order of time.
    package var events: [TimedEvent]

    package init(_ scenario: Scenario, _ events: [TimedEvent]) {
        (self.scenario, self.events) = (scenario, events)
    }

    /// Reads a printed history: a line of JSON for the scenario, then one for each event.
    ///
    /// Empty lines and those that begin with `#` are ignored.
    package init(lines: String) throws {
        let decoder = JSONDecoder()
        let lines = lines.split(separator: "\n").filter { !$0.hasPrefix("#") }
        scenario = try decoder.decode(Scenario.self, from: Data((lines.first ?? "").utf8))
        events = try lines.dropFirst().map {
            try decoder.decode(TimedEvent.self, from: Data($0.utf8))
        }
    }

    /// The history as `init(lines:)` reads it.
    package var lines: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func line(_ value: some Encodable) -> String {
            do {
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            } catch { preconditionFailure("an event cannot be encoded: \(error)") }
        }
        return ([line(scenario)] + events.map(line)).joined(separator: "\n")
    }
}

package struct TimedEvent: Hashable, Codable, Sendable {
    /// Milliseconds of virtual time.
    package let at: UInt64
    package let event: Event

    package init(at: UInt64, _ event: Event) { (self.at, self.event) = (at, event) }
}

/// The world of a history: the laptops, the network between them, and how it heals.
package struct Scenario: Hashable, Codable, Sendable {
    /// The seed of all randomness that no event decides: delays, ids, which commit a crash loses.
    package var seed: UInt64
    /// The number of laptops that hold the first sessions from the start.
    package var laptops: Int
    /// The number of laptops that may come later: clones of others, and late joiners.
    package var spares = 2
    /// The sessions that exist from the start.
    package var sessions = 1
    /// The duration of the phase with faults, in milliseconds.
    package var trouble: UInt64 = 10_000
    /// The duration of further writes after the faults.
    package var lateWrites: UInt64 = 0
    package var hasBroadcast = true
    /// The percentage of announcements that is lost even without faults.
    package var lasting = 0
    /// Whether all messages pass through the real wire encoding.
    package var usesBytes = false
    /// The bandwidth of a connection, where bytes are used.
    package var bytesPerMillisecond = 10_000
    /// The pairs that can never communicate, as behind an access point with client isolation.
    package var walls: [[Int]] = []
    /// The laptops that accept no connections.
    package var firewalled: [Int] = []
    /// The laptops that stay broken until the others have agreed without them.
    package var broken: [Broken] = []
    /// Whether a repair must not restore values that were replaced.
    package var isStrict = false
    /// A deliberate fault of each daemon, to prove that the simulator finds it.
    package var sabotage: Sabotage?

    package struct Broken: Hashable, Codable, Sendable {
        package let laptop: Int
        package let by: Breakage

        package init(laptop: Int, by: Breakage) { (self.laptop, self.by) = (laptop, by) }
    }

    package enum Breakage: String, Codable, Sendable, CaseIterable {
        case off
        /// Sleep: its lid is closed.
        case asleep
        /// Network isolation: nothing passes to or from it.
        case isolated
        /// A one-way partition: it sends but does not receive.
        case deaf
        /// A full disk: all writes fail.
        case full
    }

    package enum Sabotage: String, Codable, Sendable {
        /// It reports a batch as persisted before it is.
        case reportsUnwritten
        /// It lets a laptop leave whose writes no other has.
        case leavesUnasked
    }

    /// Creates a scenario with nothing unusual.
    package init(seed: UInt64, laptops: Int) { (self.seed, self.laptops) = (seed, laptops) }

    /// The maximum number of laptops.
    var places: Int { laptops + spares }

    /// The maximum number of sessions: any of them may have a next game.
    var maxSessions: Int { sessions + 1 }
}

/// An external event of the simulated world: an action of a user, or a failure.
///
/// A value with everything in it, so that a history of them can be printed, played again and
/// shrunk. The effect of an event must not depend on randomness, and an event whose subject was
/// removed by the shrinker does nothing. Times are milliseconds; laptops and sessions count from 0.
package enum Event: Hashable, Codable, Sendable {
    case write(laptop: Int, session: Int, what: Writing)
    /// A user starts the next game after a session, which all members then join.
    case nextGame(laptop: Int, session: Int, next: Int)
    /// Joins a session knowing only the address of a member.
    case join(laptop: Int, session: Int, through: Int)
    /// A laptop leaves; unless forced only if the engine says that others have its writes.
    case leave(laptop: Int, session: Int, isForced: Bool)
    case invite(laptop: Int, session: Int, isOpen: Bool)
    /// A user types the address of another laptop.
    case type(laptop: Int, session: Int, addressOf: Int)
    /// The user takes the device offline for a while.
    case offline(laptop: Int, lasting: UInt64)

    case block(from: Int, to: Int, lasting: UInt64)
    /// Nothing passes to or from a laptop.
    case isolate(laptop: Int, lasting: UInt64)
    /// Bad network: it is slow, and loses and duplicates announcements.
    case weather(delay: UInt64, loss: Int, duplication: Int, lasting: UInt64)
    /// The connections between two break; only one side learns of a half-open one.
    case disconnect(one: Int, other: Int, isHalfOpen: Bool)
    /// The beginning of the next delta from one to another is lost.
    case overtake(from: Int, to: Int, session: Int)
    /// Forged announcements arrive, some with ports where no daemon listens.
    case lie(laptop: Int, times: Int, seed: UInt64)

    /// The daemon ends, and starts again after a while.
    case end(laptop: Int, how: EndOfRun, lasting: UInt64)
    case backUp(laptop: Int)
    /// The home is restored from an earlier backup.
    case restore(laptop: Int, backup: Int, lasting: UInt64)
    /// The home is copied to an unused laptop, and both run.
    case clone(laptop: Int, to: Int)
    /// The disk returns something else than was written.
    case rot(laptop: Int, what: Rot, seed: UInt64)

    case sleep(laptop: Int, lasting: UInt64)
    case shiftClock(laptop: Int, by: Int64)
    /// The wall clock is set to a wrong date, in milliseconds since 1970.
    case setClock(laptop: Int, to: Int64)
    /// The machine gets another address.
    case move(laptop: Int, address: UInt32)
    case spoilDisk(laptop: Int, trouble: DiskTrouble, lasting: UInt64)
    case changeNetwork(laptop: Int)
}

package enum EndOfRun: String, Codable, Sendable {
    /// The daemon says goodbye.
    case politely
    /// The process is killed; the machine goes on and resets its connections.
    case killed
    /// A power cut: the machine is off at once.
    case powerCut
}

package enum DiskTrouble: String, Codable, Sendable, CaseIterable {
    /// Every batch is refused, and reading may fail, too.
    case full
    /// Batches are written and then reported as failed.
    case unknownOutcome
    /// A slow disk: batches take seconds.
    case slow
    /// Nothing can be read, neither at the start nor after a failed batch.
    case unreadable
    /// A lying disk: confirmed writes are lost at the next power cut.
    case lying
}

/// A corruption of a home.
package enum Rot: String, Codable, Sendable, CaseIterable {
    case value
    case entry
    case key
    /// The vector counts a write that never arrived.
    case vector
}

/// A commit of a user; players, rows and sessions are numbered from 0.
package enum Writing: Hashable, Codable, Sendable {
    /// The first commit of a session.
    case creation
    case score(player: Int, row: Int, round: UInt32?, value: Int64)
    case clear(player: Int, row: Int, round: UInt32?)
    /// A score and a cleared cell in one commit.
    case several(player: Int, row: Int, value: Int64)
    /// Cells with long texts in one commit, which makes a delta of several parts.
    case bulk(player: Int, cells: Int, value: Int64)
    case name(player: Int, value: Int64)
    /// A new player, or the same one again.
    case add(player: Int, value: Int64)
    case membership(player: Int, isPresent: Bool)
    case seats([Int])
    case title(Int64)
    case finish(Bool)
    case nextGame(session: Int)

    func mutations(in cast: Cast) -> [Mutation] {
        switch self {
        case .creation:
            [.title("Friday"), .finished(false)]
                + [0, 1].flatMap { Mutation.add(cast.player($0), name: "player \($0)") }
        case .score(let player, let row, let round, let value):
            Mutation.score(cast.cell(player, row, round), .integer(value))
        case .clear(let player, let row, let round): Mutation.clear(cast.cell(player, row, round))
        case .several(let player, let row, let value):
            Mutation.score(cast.cell(player, row, nil), .integer(value))
                + Mutation.clear(cast.cell(player, row, 3))
        case .bulk(let player, let cells, let value):
            (0..<cells).map { number in
                let text = "\(value) " + String(repeating: "x", count: 4_000)
                return Mutation(.cell(cast.cell(player, 0, UInt32(100 + number))), .text(text))
            }
        case .name(let player, let value): [.name(of: cast.player(player), "name \(value)")]
        case .add(let player, let value): Mutation.add(cast.player(player), name: "name \(value)")
        case .membership(let player, let isPresent):
            [.membership(of: cast.player(player), isPresent: isPresent)]
        case .seats(let players): [.seats(players.map(cast.player))]
        case .title(let value): [.title("title \(value)")]
        case .finish(let isFinished): [.finished(isFinished)]
        case .nextGame(let session): cast.successor(session).map { [.next($0)] } ?? []
        }
    }
}

/// The sessions and players of a world, which events identify by number.
struct Cast {
    let sessions: [SessionID]
    private let players: [PlayerID]

    static let players = 4
    private static let rows = ["birds", "eggs", "round"].compactMap { Symbol($0) }
    static var rowCount: Int { rows.count }

    init(sessions: Int, using random: inout SeededGenerator) {
        self.sessions = (0..<sessions).map { _ in SessionID.random(using: &random) }
        players = (0..<Cast.players).map { _ in PlayerID.random(using: &random) }
    }

    func player(_ number: Int) -> PlayerID { players[number % players.count] }

    func cell(_ player: Int, _ row: Int, _ round: UInt32?) -> Cell {
        Cell(player: self.player(player), row: Cast.rows[row % Cast.rows.count], round: round)
    }

    /// Returns the entry that names a session as the next game; its key is of no use here.
    func successor(_ session: Int) -> Successor? {
        guard sessions.indices.contains(session) else { return nil }
        let key = [UInt8](repeating: 7, count: Successor.keyBytes)
        return Successor(session: sessions[session], key: key)
    }
}
