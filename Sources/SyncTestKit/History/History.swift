import FoundationEssentials
import SessionCRDT
package import SyncProtocol

/// All external events of a simulated world; simulating it again gives the same run.
package struct History: Hashable, Sendable {
    package var scenario: Scenario
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

    /// The text form that `init(lines:)` reads.
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

/// The setup of a simulated world: laptops, network, durations and lasting faults.
package struct Scenario: Hashable, Codable, Sendable {
    /// The seed of every random choice that is not an event: delays, ids, the commit that a crash
    /// loses.
    package var seed: UInt64
    /// The number of laptops that hold the initial sessions from the start.
    package var laptops: Int
    /// The number of further laptops, for clones and late joiners.
    package var spares = 2
    package var sessions = 1
    /// The duration of the phase with faults, in milliseconds.
    package var faultDuration: UInt64 = 10_000
    /// The time after the faults in which users go on writing, in milliseconds.
    package var lateWrites: UInt64 = 0
    package var hasBroadcast = true
    /// The percentage of announcements that is lost at all times.
    package var announcementLoss = 0
    /// Whether all messages pass through the real wire encoding.
    package var usesBytes = false
    /// The bandwidth of a connection if `usesBytes` is set.
    package var bytesPerMillisecond = 10_000
    /// The pairs of laptops that can never communicate, as with client isolation on an access
    /// point.
    package var partitions: [[Int]] = []
    package var firewalled: [Int] = []
    /// The laptops that stay broken until the remaining ones have agreed without them.
    package var broken: [Broken] = []
    /// Whether a repair must not restore replaced values; the checker tolerates it otherwise.
    package var isStrict = false
    /// A deliberate bug in each daemon, to prove that the checks find it.
    package var sabotage: Sabotage?

    package struct Broken: Hashable, Codable, Sendable {
        package let laptop: Int
        package let by: Breakage

        package init(laptop: Int, by: Breakage) { (self.laptop, self.by) = (laptop, by) }
    }

    package enum Breakage: String, Codable, Sendable, CaseIterable {
        case off
        case asleep
        /// Cut off from the network: nothing arrives, and nothing gets out.
        case isolated
        /// In a one-way partition: sends but does not receive.
        case deaf
        /// Without free disk space: all writes fail.
        case full
    }

    package enum Sabotage: String, Codable, Sendable {
        /// Reports a batch as persisted before it is on disk.
        case reportsUnwritten
        /// Lets a laptop leave although no other laptop has its writes.
        case leavesUnasked
    }

    package init(seed: UInt64, laptops: Int) { (self.seed, self.laptops) = (seed, laptops) }

    var maxLaptops: Int { laptops + spares }

    /// The maximum number of sessions: one of them may be started as a next game.
    var maxSessions: Int { sessions + 1 }
}

/// An external event of the simulated world: an action of a user, or a failure.
///
/// A plain value, so that a history can be printed, simulated again and shrunk. The effect of an
/// event must not depend on randomness, and an event does nothing if the shrinker has removed the
/// event that it depends on. Times are in milliseconds; laptops and sessions count from 0.
package enum Event: Hashable, Codable, Sendable {
    case write(laptop: Int, session: Int, what: Writing)
    /// A user starts the next game after a session, which all members then join.
    case nextGame(laptop: Int, session: Int, next: Int)
    /// A laptop joins a session, knowing only the address of a member.
    case join(laptop: Int, session: Int, through: Int)
    /// A laptop leaves a session; if not forced, only if its engine reports that no writes are
    /// unsynced.
    case leave(laptop: Int, session: Int, isForced: Bool)
    case invite(laptop: Int, session: Int, isOpen: Bool)
    /// A stranger asks a laptop to be admitted, and waits for a while.
    case knock(laptop: Int, session: Int, number: UInt64)
    /// Somebody at a laptop answers the stranger who was shown there first.
    case answerKnock(laptop: Int, session: Int, answer: KnockAnswer)
    case type(laptop: Int, session: Int, addressOf: Int)
    case offline(laptop: Int, lasting: UInt64)

    case block(from: Int, to: Int, lasting: UInt64)
    /// A laptop loses its network: nothing arrives, and nothing gets out.
    case isolate(laptop: Int, lasting: UInt64)
    /// The network becomes slow, and loses and duplicates announcements.
    case weather(delay: UInt64, loss: Int, duplication: Int, lasting: UInt64)
    /// The connections between two laptops break; if half-open, only one side learns of it.
    case disconnect(one: Int, other: Int, isHalfOpen: Bool)
    /// The beginning of the next delta from one laptop to another is lost.
    case overtake(from: Int, to: Int, session: Int)
    /// Forged announcements arrive, some with ports where no daemon listens.
    case lie(laptop: Int, times: Int, seed: UInt64)

    /// A daemon ends, and starts again after a while.
    case end(laptop: Int, how: EndOfRun, lasting: UInt64)
    case backUp(laptop: Int)
    case restore(laptop: Int, backup: Int, lasting: UInt64)
    /// A laptop's home directory is copied to an unused laptop, and both run.
    case clone(laptop: Int, to: Int)
    case rot(laptop: Int, what: Corruption, seed: UInt64)

    case sleep(laptop: Int, lasting: UInt64)
    case shiftClock(laptop: Int, by: Int64)
    /// A laptop's wall clock is set to a wrong date, in milliseconds since 1970.
    case setClock(laptop: Int, to: Int64)
    case move(laptop: Int, address: UInt32)
    case spoilDisk(laptop: Int, trouble: DiskTrouble, lasting: UInt64)
    case changeNetwork(laptop: Int)
}

package enum EndOfRun: String, Codable, Sendable {
    case politely
    /// The process is killed; the machine keeps running and resets the connections.
    case killed
    case powerCut
}

package enum DiskTrouble: String, Codable, Sendable, CaseIterable {
    /// All writes fail, and reads may fail.
    case full
    /// Writes succeed but are reported as failed.
    case unknownOutcome
    case slow
    /// All reads fail, at the start and after a failed write.
    case unreadable
    /// Writes are confirmed, but lost at the next power cut.
    case lying
}

package enum Corruption: String, Codable, Sendable, CaseIterable {
    case value
    case entry
    case key
    /// The version vector: it then counts a write that never arrived.
    case vector
}

/// A commit of a user; players and rows count from 0.
package enum Writing: Hashable, Codable, Sendable {
    case creation
    case score(player: Int, row: Int, round: UInt32?, value: Int64)
    case clear(player: Int, row: Int, round: UInt32?)
    /// A score of somebody who has not seen what is there.
    case beside(player: Int, row: Int, value: Int64)
    case several(player: Int, row: Int, value: Int64)
    /// Cells with long texts in one commit, which make a delta of several parts.
    case bulk(player: Int, cells: Int, value: Int64)
    case name(player: Int, value: Int64)
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
        case .beside(let player, let row, let value):
            [Mutation(.cell(cast.cell(player, row, nil)), .integer(value), isAlternative: true)]
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

/// The sessions and players of a simulated world, which events refer to by number.
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

    /// Returns the entry that names a session as the next game, with a dummy key: the simulator
    /// does not encrypt.
    func successor(_ session: Int) -> Successor? {
        guard sessions.indices.contains(session) else { return nil }
        let key = [UInt8](repeating: 7, count: Successor.keyBytes)
        return Successor(session: sessions[session], key: key)
    }
}
