import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// Games of turns in which options and players change at random, on two laptops apart and together.
@Suite("Options and players that change in mid-game")
struct LateChangeTests {
    private static let seeds = Seeds.below(24)

    /// Two laptops, and what may happen on them.
    private struct Evening {
        let game: StaticString
        let options: [(StaticString, [Value])]
        let words: (inout SeededGenerator) -> String
        var generator: SeededGenerator
        var aids: MoveContext
        var laptops: [Replica]

        init(
            _ game: StaticString,
            seed: UInt64,
            options: [(StaticString, [Value])],
            words: @escaping (inout SeededGenerator) -> String
        ) throws {
            self.game = game
            self.options = options
            self.words = words
            generator = SeededGenerator(seed: seed)
            aids = MoveContext(random: SeededGenerator(seed: seed))
            let sheet = try builtIn(game)
            laptops = [Replica(1, sheet), Replica(2, sheet)]
            let people = ["Ann", "Bob", "Cid"].prefix(Int.random(in: 2...3, using: &generator))
            for (place, name) in people.enumerated() {
                laptops[0].write(Mutation.add(player(UInt64(place + 1)), name: name))
            }
            for (name, values) in options where below(2) == 0 {
                laptops[0].choose(Symbol(known: name), values[below(values.count)])
            }
            laptops[1].merge(laptops[0], using: &generator)
        }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        /// Options and players change on a laptop, as somebody there may change them.
        mutating func change(_ laptop: Int) {
            let seated = laptops[laptop].board.players
            let somebody = seated[below(seated.count)].id
            switch below(6) {
            case 0 where seated.count < 6:
                let new = UInt64(10 * (laptop + 1) + seated.count)
                laptops[laptop].write(Mutation.add(player(new), name: "New \(new)"))
            case 1:
                laptops[laptop].write([.membership(of: somebody, isPresent: false)])
            case 2:
                laptops[laptop].write([.membership(of: somebody, isPresent: true)])
            case 3:
                laptops[laptop].write([.seats(seated.map(\.id).shuffled(using: &generator))])
            default:
                let (name, values) = options[below(options.count)]
                laptops[laptop].choose(Symbol(known: name), values[below(values.count)])
            }
        }

        mutating func play(_ laptop: Int) {
            laptops[laptop].play(words(&generator), using: &aids)
        }

        mutating func meet() {
            let before = laptops
            laptops[0].merge(before[1], using: &generator)
            laptops[1].merge(before[0], using: &generator)
        }

        /// The winners by game, on a laptop.
        func won(_ laptop: Int) -> [[PlayerID]] {
            let standings = laptops[laptop].board.standings
            let outcomes = (standings?.outcomes ?? []) + [standings?.match].compactMap(\.self)
            return outcomes.map { $0.players.filter(\.isWinner).map(\.player) }
                .filter { !$0.isEmpty }
        }
    }

    private func darts(_ seed: UInt64) throws -> Evening {
        try Evening(
            "darts",
            seed: seed,
            options: [
                ("start", [.integer(2), .integer(40), .integer(101)]),
                ("out", [.text("straight"), .text("master"), .null]),
                ("in", [.text("double"), .null]), ("legs", [.integer(3), .integer(5), .null]),
                ("sets", [.integer(3), .null]),
            ],
            words: { generator in
                ["60", "40", "2/1", "D1", "D20", "26", "1", "100", "bust"]
                    .randomElement(using: &generator) ?? ""
            }
        )
    }

    private func smashUp(_ seed: UInt64) throws -> Evening {
        try Evening(
            "smash-up",
            seed: seed,
            options: [("target", [.integer(3), .integer(10), .integer(40), .null])],
            words: { generator in
                ["+3", "+9", "Ann +6", "Bob -2", "end", "end", "end", "replay", "madness Ann=2"]
                    .randomElement(using: &generator) ?? ""
            }
        )
    }

    /// Expects that what a laptop keeps is what it has from scratch.
    private func expectKept(_ evening: Evening, _ comment: Comment) {
        for laptop in evening.laptops {
            let (kept, scratch) = (laptop.board.standings, laptop.fromScratch.standings)
            #expect(kept == scratch && kept?.outcomes == scratch?.outcomes, comment)
            #expect(kept?.match == scratch?.match, comment)
        }
    }

    /// Plays an evening, and expects both laptops to say the same whenever they have met.
    ///
    /// If it is not played on both, the second laptop only changes options and players, which
    /// must take away nothing that was won.
    private func expectLaw(_ evening: Evening, isPlayedOnBoth: Bool, seed: UInt64) {
        var evening = evening
        for step in 0..<60 {
            let comment: Comment = "seed \(seed), step \(step)"
            let laptop = evening.below(2)
            let before = evening.won(0)
            switch evening.below(8) {
            case 0, 1: evening.change(laptop)
            case 2:
                evening.meet()
                #expect(
                    evening.laptops[0].board.standings == evening.laptops[1].board.standings,
                    comment
                )
                #expect(evening.won(0) == evening.won(1), comment)
            default:
                evening.play(isPlayedOnBoth ? laptop : 0)
                expectKept(evening, comment)
                continue
            }
            expectKept(evening, comment)
            if !isPlayedOnBoth { #expect(evening.won(0) == before, comment) }
        }
    }

    @Test("darts, played on both laptops", arguments: seeds)
    func dartsOnBoth(seed: UInt64) throws {
        expectLaw(try darts(seed), isPlayedOnBoth: true, seed: seed)
    }

    @Test("darts: nothing that was won is taken away", arguments: seeds)
    func dartsOnOne(seed: UInt64) throws {
        expectLaw(try darts(seed), isPlayedOnBoth: false, seed: seed)
    }

    @Test("Smash Up, played on both laptops", arguments: seeds)
    func smashUpOnBoth(seed: UInt64) throws {
        expectLaw(try smashUp(seed), isPlayedOnBoth: true, seed: seed)
    }

    @Test("Smash Up: nothing that was won is taken away", arguments: seeds)
    func smashUpOnOne(seed: UInt64) throws {
        expectLaw(try smashUp(seed), isPlayedOnBoth: false, seed: seed)
    }

    @Test("darts: what was chosen too late is flagged", arguments: seeds)
    func flagged(seed: UInt64) throws {
        var evening = try darts(seed)
        evening.play(0)
        let mode = evening.laptops[0].board.book.options
        guard !evening.laptops[0].board.isBlank else { return }
        for _ in 0..<6 { evening.change(1) }
        evening.meet()
        for laptop in evening.laptops {
            let chosen = laptop.board.book.options
            let late = ["start", "out", "in", "legs", "sets"].map { Symbol(known: $0) }
                .filter { name in
                    let standard = laptop.board.defaultValue(of: name)
                    return chosen[name].flatMap(\.chosen) ?? standard
                        != mode[name].flatMap(\.chosen) ?? standard
                }
            let flags = laptop.board.standings?.flags.compactMap { flag -> Symbol? in
                if case .option(let name) = flag.subject { name } else { nil }
            }
            #expect(flags == late, "seed \(seed)")
        }
    }
}

extension Value {
    fileprivate var chosen: Value? { self == .null ? nil : self }
}

extension Scoreboard {
    fileprivate func defaultValue(of option: Symbol) -> Value {
        (try? sheet.get())?.option(option)?.kind.defaultValue ?? .null
    }
}
