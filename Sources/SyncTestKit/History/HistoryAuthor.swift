/// Histories by chance: one seed makes one.
extension History {
    /// The history of a seed.
    package static func random(seed: UInt64) -> History {
        var chance = SeededGenerator(seed: seed)
        var scenario = Scenario(seed: seed, laptops: [2, 3, 3, 3, 4, 4, 5][chance.index(below: 7)])
        scenario.sessions = chance.happens(15) ? 2 : 1
        scenario.hasBroadcast = chance.happens(80)
        scenario.lasting = chance.happens(50) ? 0 : chance.index(below: 25)
        scenario.trouble = chance.number(5_000...40_000)
        var author = HistoryAuthor(chance: chance.branch())
        // Few of them: they take as long as hundreds of others.
        switch chance.index(below: 4_000) {
        case 0: author.stretch(&scenario, toDays: chance.number(1...2))
        case 1...12: scenario.laptops = Int(chance.number(7...24))
        default: break
        }
        if chance.happens(12) {
            scenario.usesBytes = true
            scenario.bytesPerMillisecond = [200, 1_000, 10_000][chance.index(below: 3)]
        }
        if chance.happens(10) { scenario.walls = author.walls(among: scenario.laptops) }
        if chance.happens(10) { scenario.firewalled = [scenario.laptops - 1] }
        if chance.happens(20) { scenario.lateWrites = chance.number(2_000...20_000) }
        if chance.happens(25) { scenario.broken = author.broken(in: scenario) }
        scenario.isStrict = true
        return History(scenario, author.happenings(in: scenario))
    }
}

/// A kind of thing that goes wrong, of which a history has events.
enum Trouble: CaseIterable, Hashable, Sendable {
    case partition, isolation, weather, cut, halfOpen, lie, overtake
    case kill, powerCut, stop, backUp, restore, clone, rot
    case sleep, offline, clock, move, disk, networkChange
    case finish, leave, lateJoiner, invite, type, playOn
}

/// Makes up what happens in a world.
struct HistoryAuthor {
    private var chance: SeededGenerator
    private var value: Int64 = 0
    /// The usual pause between two faults and between two writes, in milliseconds.
    private var pauses: (fault: UInt64, write: UInt64)
    /// The shortest and longest time that something lasts.
    private var long: ClosedRange<UInt64> = 4_000...30_000
    /// The next laptop that nobody has used yet.
    private var nextSpare = 0

    init(chance: SeededGenerator) {
        self.chance = chance
        pauses = (0, 0)
        pauses = (self.chance.number(300...4_000), self.chance.number(100...2_000))
    }

    // MARK: The world

    /// Makes minutes days.
    mutating func stretch(_ scenario: inout Scenario, toDays days: UInt64) {
        scenario.trouble = days * 86_400_000
        pauses = (1_800_000, 600_000)
        long = 60_000...14_400_000
    }

    /// Pairs between which nothing passes, so that there is still a way from each to each.
    mutating func walls(among laptops: Int) -> [[Int]] {
        var walls: [[Int]] = []
        for later in 1..<laptops {
            let door = chance.index(below: later)
            for earlier in 0..<later where earlier != door && chance.happens(60) {
                walls.append([earlier, later])
            }
        }
        return walls
    }

    /// Some laptops that stay broken while at least two others agree.
    mutating func broken(in scenario: Scenario) -> [Scenario.Broken] {
        guard scenario.laptops > 2, scenario.walls.isEmpty else { return [] }
        let count = Int(chance.number(1...UInt64(scenario.laptops - 2)))
        let kinds = Scenario.Breakage.allCases
        let numbers = Array(1..<scenario.laptops).shuffled(using: &chance).prefix(count)
        return numbers.sorted().map {
            Scenario.Broken(laptop: $0, by: kinds[chance.index(below: kinds.count)])
        }
    }

    // MARK: What happens

    mutating func happenings(in scenario: Scenario) -> [Happening] {
        nextSpare = scenario.laptops
        let kinds = kinds(in: scenario)
        var happenings: [Happening] = []
        for session in 0..<scenario.sessions {
            let creation = Event.write(laptop: 0, session: session, what: .creation)
            happenings.append(Happening(at: 2_000, creation))
        }
        let end = 2_000 + scenario.trouble
        var time: UInt64 = 2_000
        while !kinds.isEmpty {
            time += chance.number(1...2 * pauses.fault)
            guard time < end else { break }
            let kind = kinds[chance.index(below: kinds.count)]
            // A departure that is prepared takes its time; all else comes at once.
            let pace: UInt64 = kind == .leave ? 500 : 0
            for (place, event) in events(of: kind, in: scenario).enumerated() {
                happenings.append(Happening(at: time + UInt64(place) * pace, event))
            }
        }
        time = 2_000
        while true {
            time += chance.number(1...2 * pauses.write)
            guard time < end + scenario.lateWrites else { break }
            let laptop = chance.index(below: scenario.places)
            let session = chance.index(below: scenario.mostSessions)
            for _ in 0..<(chance.happens(10) ? 10 : 1) {
                let event = Event.write(laptop: laptop, session: session, what: writing(scenario))
                happenings.append(Happening(at: time, event))
            }
        }
        return happenings.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }
        .map(\.element)
    }

    /// What somebody writes next; every value is new, so that it can be told from all others.
    private mutating func writing(_ scenario: Scenario) -> Writing {
        value += 1
        let player = chance.index(below: Cast.players)
        let row = chance.index(below: Cast.rowCount)
        let round = chance.happens(50) ? nil : UInt32(chance.number(1...2))
        if scenario.usesBytes, chance.happens(8) {
            return .bulk(player: player, cells: Int(chance.number(20...60)), value: value)
        }
        switch chance.index(below: 20) {
        case 0: return .clear(player: player, row: row, round: round)
        case 1: return .name(player: player, value: value)
        case 2: return .membership(player: player, isPresent: false)
        case 3: return .membership(player: player, isPresent: true)
        case 4: return .add(player: player, value: value)
        case 5: return .seats((0..<Cast.players).filter { _ in chance.happens(80) })
        case 6: return .title(value)
        case 7: return .several(player: player, row: row, value: value)
        default: return .score(player: player, row: row, round: round, value: value)
        }
    }

    // MARK: What goes wrong

    /// The kinds of trouble of one world.
    private mutating func kinds(in scenario: Scenario) -> [Trouble] {
        let isMobile = scenario.hasBroadcast && chance.happens(30)
        // Who cannot be dialled cannot answer that they have left either.
        let isWide = scenario.firewalled.isEmpty
        // Who cannot be dialled cannot answer that they have left, and who stands between walls
        // parts the others.
        let mayLeave = scenario.hasBroadcast && !isMobile && isWide && scenario.walls.isEmpty
        let isLeft = mayLeave && chance.happens(40)
        let isCorrupt = chance.happens(10)
        return Trouble.allCases.filter { trouble in
            switch trouble {
            // Without broadcast nobody can find who has moved.
            case .move: isMobile
            // Who leaves unheard is missed for ever, unless an answer from the address tells.
            case .leave: isLeft
            // Whatever was typed is dialled for ever.
            case .type: !isMobile && !isLeft && chance.happens(60)
            case .rot: isCorrupt
            // Who hears no announcements takes the addresses of two copies of a home for those of
            // one laptop that moved, and here nobody else could dial.
            case .clone: (isWide || scenario.hasBroadcast) && chance.happens(35)
            case .restore: chance.happens(35)
            case .finish: chance.happens(40)
            case .playOn: chance.happens(20)
            default: chance.happens(60)
            }
        }
    }

    /// How long something lasts: mostly short, sometimes long enough for every timer to run out.
    private mutating func duration() -> UInt64 {
        chance.number(chance.happens(80) ? 50...4_000 : long)
    }

    /// One piece of trouble; several events where one makes sense only with another.
    private mutating func events(of trouble: Trouble, in scenario: Scenario) -> [Event] {
        let laptop = chance.index(below: scenario.places)
        let other = chance.index(below: scenario.laptops)
        let session = chance.index(below: scenario.sessions)
        let lasting = duration()
        switch trouble {
        case .partition:
            let there = Event.block(from: laptop, to: other, lasting: lasting)
            let back = Event.block(from: other, to: laptop, lasting: lasting)
            return chance.happens(50) ? [there, back] : [there]
        case .isolation: return [.isolate(laptop: laptop, lasting: lasting)]
        case .weather:
            let (loss, duplication) = (chance.index(below: 100), chance.index(below: 50))
            let delay = chance.number(1...400)
            return [
                .weather(delay: delay, loss: loss, duplication: duplication, lasting: lasting)
            ]
        case .cut: return [.cut(one: laptop, other: other, isHalfOpen: false)]
        case .halfOpen: return [.cut(one: laptop, other: other, isHalfOpen: true)]
        case .overtake: return [.overtake(from: laptop, to: other, session: session)]
        case .lie:
            return [.lie(laptop: laptop, times: Int(chance.number(1...80)), seed: chance.next())]
        case .kill: return [.end(laptop: laptop, how: .killed, lasting: lasting)]
        case .powerCut: return [.end(laptop: laptop, how: .powerCut, lasting: lasting)]
        case .stop: return [.end(laptop: laptop, how: .politely, lasting: lasting)]
        case .backUp: return [.backUp(laptop: laptop)]
        case .restore:
            let backup = chance.index(below: 8)
            return [.restore(laptop: laptop, backup: backup, lasting: lasting)]
        case .rot: return [.rot(laptop: laptop, what: rot(), seed: chance.next())]
        case .sleep: return [.sleep(laptop: laptop, lasting: lasting)]
        case .offline: return [.offline(laptop: laptop, lasting: lasting)]
        case .clock: return [clock(of: laptop)]
        case .move: return [.move(laptop: laptop, address: UInt32(chance.number(1...60)))]
        case .disk: return [.spoilDisk(laptop: laptop, trouble: diskTrouble(), lasting: lasting)]
        case .networkChange: return [.changeNetwork(laptop: laptop)]
        case .finish:
            let what = Writing.finish(chance.happens(60))
            return [.write(laptop: laptop, session: session, what: what)]
        case .leave: return departure(laptop, session, scenario)
        case .clone, .lateJoiner: return comer(trouble, laptop, session, scenario)
        case .invite: return [.invite(laptop: laptop, session: session, isOpen: chance.happens(50))]
        case .type: return [.type(laptop: laptop, session: session, addressOf: other)]
        case .playOn:
            return [.playOn(laptop: other, session: session, next: scenario.sessions)]
        }
    }

    /// Somebody leaves, at times with writes that nobody has heard of.
    private mutating func departure(
        _ laptop: Int,
        _ session: Int,
        _ scenario: Scenario
    ) -> [Event] {
        let leave = Event.leave(laptop: laptop, session: session, isForced: chance.happens(50))
        guard chance.happens(50) else { return [leave] }
        let write = Event.write(laptop: laptop, session: session, what: writing(scenario))
        return [.isolate(laptop: laptop, lasting: 2_000), write, leave]
    }

    /// Somebody comes who was not there.
    private mutating func comer(
        _ trouble: Trouble,
        _ laptop: Int,
        _ session: Int,
        _ scenario: Scenario
    ) -> [Event] {
        if trouble == .lateJoiner, chance.happens(50) {
            return [.join(laptop: laptop, session: session, through: 0)]
        }
        guard nextSpare < scenario.places else { return [] }
        let spare = nextSpare
        nextSpare += 1
        return trouble == .clone
            ? [.clone(laptop: laptop, to: spare)]
            : [.join(laptop: spare, session: session, through: 0)]
    }

    private mutating func rot() -> Rot {
        let kinds = Rot.allCases
        return kinds[chance.index(below: kinds.count)]
    }

    private mutating func diskTrouble() -> DiskTrouble {
        let kinds = DiskTrouble.allCases
        return kinds[chance.index(below: kinds.count)]
    }

    private mutating func clock(of laptop: Int) -> Event {
        guard !chance.happens(70), let far = chance.pick(SimulatedClock.farOff) else {
            let jump = Int64(chance.number(0...7_200_000)) - 3_600_000
            return .shiftClock(laptop: laptop, by: jump)
        }
        return .setClock(laptop: laptop, to: far)
    }
}
