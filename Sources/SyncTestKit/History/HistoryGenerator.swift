import SyncProtocol

extension History {
    package static func random(seed: UInt64) -> History {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario(seed: seed, laptops: [2, 3, 3, 3, 4, 4, 5][random.index(below: 7)])
        scenario.sessions = random.happens(15) ? 2 : 1
        scenario.hasBroadcast = random.happens(80)
        scenario.announcementLoss = random.happens(50) ? 0 : random.index(below: 25)
        scenario.faultDuration = random.next(in: 5_000...40_000)
        var generator = HistoryGenerator(random: random.branch())
        // Rare, because each of these takes as long as hundreds of usual histories.
        switch random.index(below: 4_000) {
        case 0: generator.stretch(&scenario, toDays: random.next(in: 1...2))
        case 1...12: scenario.laptops = Int(random.next(in: 7...24))
        default: break
        }
        if random.happens(12) {
            scenario.usesBytes = true
            scenario.bytesPerMillisecond = [200, 1_000, 10_000][random.index(below: 3)]
        }
        if random.happens(10) {
            scenario.partitions = generator.partitions(among: scenario.laptops)
        }
        if random.happens(10) { scenario.firewalled = [scenario.laptops - 1] }
        if random.happens(20) { scenario.lateWrites = random.next(in: 2_000...20_000) }
        if random.happens(25) { scenario.broken = generator.broken(in: scenario) }
        scenario.isStrict = true
        return History(scenario, generator.events(in: scenario))
    }
}

struct HistoryGenerator {
    private enum Kind: CaseIterable {
        case partition, isolation, weather, cut, halfOpen, lie, overtake
        case kill, powerCut, stop, backUp, restore, clone, rot
        case sleep, offline, clock, move, disk, networkChange
        case finish, leave, knock, lateJoiner, invite, type, nextGame
    }

    private var random: SeededGenerator
    private var value: Int64 = 0
    /// The mean pauses between two faults and between two writes, in milliseconds.
    private var pauses: (fault: UInt64, write: UInt64)
    private var long: ClosedRange<UInt64> = 4_000...30_000
    private var nextSpare = 0

    init(random: SeededGenerator) {
        var random = random
        pauses = (random.next(in: 300...4_000), random.next(in: 100...2_000))
        self.random = random
    }

    mutating func stretch(_ scenario: inout Scenario, toDays days: UInt64) {
        scenario.faultDuration = days * 86_400_000
        pauses = (1_800_000, 600_000)
        long = 60_000...14_400_000
    }

    /// Returns pairs of laptops to block such that all laptops stay connected indirectly.
    mutating func partitions(among laptops: Int) -> [[Int]] {
        var partitions: [[Int]] = []
        for later in 1..<laptops {
            let door = random.index(below: later)
            for earlier in 0..<later where earlier != door && random.happens(60) {
                partitions.append([earlier, later])
            }
        }
        return partitions
    }

    /// Returns laptops that stay broken while at least two healthy ones must agree.
    mutating func broken(in scenario: Scenario) -> [Scenario.Broken] {
        guard scenario.laptops > 2, scenario.partitions.isEmpty else { return [] }
        let count = Int(random.next(in: 1...UInt64(scenario.laptops - 2)))
        let kinds = Scenario.Breakage.allCases
        let numbers = Array(1..<scenario.laptops).shuffled(using: &random).prefix(count)
        return numbers.sorted().map {
            .init(laptop: $0, by: kinds[random.index(below: kinds.count)])
        }
    }

    mutating func events(in scenario: Scenario) -> [TimedEvent] {
        nextSpare = scenario.laptops
        let kinds = kinds(in: scenario)
        var events: [TimedEvent] = []
        for session in 0..<scenario.sessions {
            let creation = Event.write(laptop: 0, session: session, what: .creation)
            events.append(TimedEvent(at: 2_000, creation))
        }
        let end = 2_000 + scenario.faultDuration
        var time: UInt64 = 2_000
        while !kinds.isEmpty {
            time += random.next(in: 1...2 * pauses.fault)
            guard time < end else { break }
            let kind = kinds[random.index(below: kinds.count)]
            // The steps of a prepared departure and the answers to a knock need time between
            // them; other events happen at once.
            let step: UInt64 = kind == .leave || kind == .knock ? 500 : 0
            for (index, event) in self.events(of: kind, in: scenario).enumerated() {
                events.append(TimedEvent(at: time + UInt64(index) * step, event))
            }
        }
        time = 2_000
        while true {
            time += random.next(in: 1...2 * pauses.write)
            guard time < end + scenario.lateWrites else { break }
            let laptop = random.index(below: scenario.maxLaptops)
            let session = random.index(below: scenario.maxSessions)
            for _ in 0..<(random.happens(10) ? 10 : 1) {
                let event = Event.write(laptop: laptop, session: session, what: writing(scenario))
                events.append(TimedEvent(at: time, event))
            }
        }
        return events.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }
        .map(\.element)
    }

    /// Returns the next write, with a value that no other write has.
    private mutating func writing(_ scenario: Scenario) -> Writing {
        value += 1
        let player = random.index(below: Cast.players)
        let row = random.index(below: Cast.rowCount)
        let round = random.happens(50) ? nil : UInt32(random.next(in: 1...2))
        if scenario.usesBytes, random.happens(8) {
            return .bulk(player: player, cells: Int(random.next(in: 20...60)), value: value)
        }
        switch random.index(below: 20) {
        case 0: return .clear(player: player, row: row, round: round)
        case 1: return .name(player: player, value: value)
        case 2: return .membership(player: player, isPresent: false)
        case 3: return .membership(player: player, isPresent: true)
        case 4: return .add(player: player, value: value)
        case 5: return .seats((0..<Cast.players).filter { _ in random.happens(80) })
        case 6: return .title(value)
        case 7: return .several(player: player, row: row, value: value)
        case 8: return .beside(player: player, row: row, value: value)
        default: return .score(player: player, row: row, round: round, value: value)
        }
    }

    private mutating func kinds(in scenario: Scenario) -> [Kind] {
        let isMobile = scenario.hasBroadcast && random.happens(30)
        let isReachable = scenario.firewalled.isEmpty
        // A laptop behind a firewall cannot answer a poll with the fact that it has left, and one
        // between partitions could be the only connection of the remaining ones.
        let mayLeave =
            scenario.hasBroadcast && !isMobile && isReachable && scenario.partitions.isEmpty
        let hasLeavers = mayLeave && random.happens(40)
        let isCorrupt = random.happens(10)
        return Kind.allCases.filter { kind in
            switch kind {
            // Without broadcast a laptop cannot be found at its new address.
            case .move: isMobile
            // A departure that no peer receives makes peers poll forever unless the address
            // answers.
            case .leave: hasLeavers
            // The engine never gives up an address that the user typed.
            case .type: !isMobile && !hasLeavers && random.happens(60)
            case .rot: isCorrupt
            // Without announcements two copies look like one laptop that changes its address, and a
            // copy behind a firewall could not be dialled.
            case .clone: (isReachable || scenario.hasBroadcast) && random.happens(35)
            case .restore: random.happens(35)
            case .finish: random.happens(40)
            case .nextGame: random.happens(20)
            default: random.happens(60)
            }
        }
    }

    /// Returns a duration that is usually short, and sometimes long enough for every timer to fire.
    private mutating func duration() -> UInt64 {
        random.next(in: random.happens(80) ? 50...4_000 : long)
    }

    /// Returns one event, or several that make sense only together.
    private mutating func events(of kind: Kind, in scenario: Scenario) -> [Event] {
        let laptop = random.index(below: scenario.maxLaptops)
        let other = random.index(below: scenario.laptops)
        let session = random.index(below: scenario.sessions)
        let lasting = duration()
        switch kind {
        case .partition:
            let there = Event.block(from: laptop, to: other, lasting: lasting)
            let back = Event.block(from: other, to: laptop, lasting: lasting)
            return random.happens(50) ? [there, back] : [there]
        case .isolation: return [.isolate(laptop: laptop, lasting: lasting)]
        case .weather:
            let (loss, duplication) = (random.index(below: 100), random.index(below: 50))
            let delay = random.next(in: 1...400)
            return [.weather(delay: delay, loss: loss, duplication: duplication, lasting: lasting)]
        case .cut: return [.disconnect(one: laptop, other: other, isHalfOpen: false)]
        case .halfOpen: return [.disconnect(one: laptop, other: other, isHalfOpen: true)]
        case .overtake: return [.overtake(from: laptop, to: other, session: session)]
        case .lie:
            return [.lie(laptop: laptop, times: Int(random.next(in: 1...80)), seed: random.next())]
        case .kill: return [.end(laptop: laptop, how: .killed, lasting: lasting)]
        case .powerCut: return [.end(laptop: laptop, how: .powerCut, lasting: lasting)]
        case .stop: return [.end(laptop: laptop, how: .politely, lasting: lasting)]
        case .backUp: return [.backUp(laptop: laptop)]
        case .restore:
            let backup = random.index(below: 8)
            return [.restore(laptop: laptop, backup: backup, lasting: lasting)]
        case .rot:
            let what = Corruption.allCases[random.index(below: Corruption.allCases.count)]
            return [.rot(laptop: laptop, what: what, seed: random.next())]
        case .sleep: return [.sleep(laptop: laptop, lasting: lasting)]
        case .offline: return [.offline(laptop: laptop, lasting: lasting)]
        case .clock: return [clock(of: laptop)]
        case .move: return [.move(laptop: laptop, address: UInt32(random.next(in: 1...60)))]
        case .disk:
            let trouble = DiskTrouble.allCases[random.index(below: DiskTrouble.allCases.count)]
            return [.spoilDisk(laptop: laptop, trouble: trouble, lasting: lasting)]
        case .networkChange: return [.changeNetwork(laptop: laptop)]
        case .finish:
            let what = Writing.finish(random.happens(60))
            return [.write(laptop: laptop, session: session, what: what)]
        case .leave: return departure(laptop, session, scenario)
        case .clone, .lateJoiner: return arrival(kind, laptop, session, scenario)
        case .invite: return [.invite(laptop: laptop, session: session, isOpen: random.happens(50))]
        case .knock: return knock(session, scenario)
        case .type: return [.type(laptop: laptop, session: session, addressOf: other)]
        case .nextGame: return [.nextGame(laptop: other, session: session, next: scenario.sessions)]
        }
    }

    /// Returns the events of a departure, sometimes with writes that no peer has received.
    private mutating func departure(
        _ laptop: Int,
        _ session: Int,
        _ scenario: Scenario
    ) -> [Event] {
        let leave = Event.leave(laptop: laptop, session: session, isForced: random.happens(50))
        guard random.happens(50) else { return [leave] }
        let write = Event.write(laptop: laptop, session: session, what: writing(scenario))
        return [.isolate(laptop: laptop, lasting: 2_000), write, leave]
    }

    /// Returns a knock, and answers to it at any laptops: one must be enough.
    private mutating func knock(_ session: Int, _ scenario: Scenario) -> [Event] {
        let door = random.index(below: scenario.laptops)
        let knock = Event.knock(laptop: door, session: session, number: random.next())
        return [knock]
            + (0..<random.index(below: 3)).map { _ in
                let answers = KnockAnswer.allCases
                return .answerKnock(
                    laptop: random.index(below: scenario.laptops),
                    session: session,
                    answer: answers[random.index(below: answers.count)]
                )
            }
    }

    private mutating func arrival(
        _ kind: Kind,
        _ laptop: Int,
        _ session: Int,
        _ scenario: Scenario
    ) -> [Event] {
        if kind == .lateJoiner, random.happens(50) {
            return [.join(laptop: laptop, session: session, through: 0)]
        }
        guard nextSpare < scenario.maxLaptops else { return [] }
        let spare = nextSpare
        nextSpare += 1
        return kind == .clone
            ? [.clone(laptop: laptop, to: spare)]
            : [.join(laptop: spare, session: session, through: 0)]
    }

    private mutating func clock(of laptop: Int) -> Event {
        guard !random.happens(70), let date = random.pick(SimulatedClock.wrongDates) else {
            return .shiftClock(
                laptop: laptop,
                by: Int64(random.next(in: 0...7_200_000)) - 3_600_000
            )
        }
        return .setClock(laptop: laptop, to: date)
    }
}
