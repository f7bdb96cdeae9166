import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct PeopleTests {
    @Test("People keep their order and selection across a restart")
    func people() throws {
        let scratch = try ScratchDirectory()
        let wanted = [Person("Ann"), Person("张伟", isSelected: true), Person("O'Hara\u{0}")]
        do {
            let store = try scratch.open()
            #expect(try store.people() == [])
            #expect(try store.changePeople { $0 = wanted } == wanted)
        }
        let store = try scratch.open()
        #expect(try store.people() == wanted)
        let fewer = try store.changePeople { $0.removeFirst() }
        #expect(fewer == Array(wanted.dropFirst()))
        #expect(try store.people() == fewer)
    }

    @Test("Results survive the removal of their session, and are stored once")
    func results() throws {
        let scratch = try ScratchDirectory()
        let (kept, other) = (Self.results(1, count: 3), Self.results(2, count: 1))
        do {
            let store = try scratch.open()
            try store.add(Self.record(1))
            try store.save(Self.results(1, count: 5), of: Self.id(1))
            try store.save(kept, of: Self.id(1))
            try store.save(other + kept, of: Self.id(2))
            try store.remove(Self.id(1))
        }
        #expect(try scratch.open().results() == kept + other)
    }

    @Test("An atomic operation that fails at the end leaves nothing of its beginning")
    func atomically() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        try store.add(Self.record(1))
        let unknown = Self.id(9)
        #expect(throws: StoreError.unknownSession(unknown)) {
            try store.atomically(to: "leave") { () throws(StoreError) in
                try store.save(Self.results(1, count: 2), of: Self.id(1))
                try store.set("left", to: "1")
                try store.remove(Self.id(1))
                try store.remove(unknown)
            }
        }
        #expect(try store.results() == [])
        #expect(try store.setting("left") == nil)
        #expect(try store.sessions() == [Self.record(1)])
        // The next operation has its own transaction again.
        try store.set("a", of: Self.id(1), to: "b")
        try store.atomically(to: "leave") { () throws(StoreError) in
            try store.save(Self.results(1, count: 2), of: Self.id(1))
            try store.remove(Self.id(1))
        }
        #expect(try store.results() == Self.results(1, count: 2))
        #expect(try store.sessions() == [])
    }

    @Test("A kill while sessions are left neither loses nor duplicates results", arguments: 1...2)
    func survivesKill(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchDirectory()
        var last = 0
        for round in 0..<10 {
            let process = try StoreProcess(on: scratch.path, ["leave"])
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                last = try #require(Self.number("left", process.line()), "seed \(seed)")
            }
            process.kill()
            for line in process.lines() { last = try #require(Self.number("left", line)) }
            let answer = try StoreProcess(on: scratch.path, ["left"]).lines().first
            let kept = try #require(Self.number("kept", answer), "seed \(seed): \(answer ?? "")")
            #expect(kept == last || kept == last + 1, "seed \(seed), round \(round)")
            last = kept
        }
    }

    private static func number(_ word: String, _ line: String?) -> Int? {
        let words = line?.split(separator: " ") ?? []
        return words.count == 2 && words[0] == word ? Int(words[1]) : nil
    }

    private static func id(_ number: UInt64) -> SessionID { SessionID(high: 0, low: number) }

    private static func record(_ number: UInt64) -> SessionRecord {
        SessionRecord(id: id(number), key: [UInt8](repeating: 1, count: 32), joinedAt: 5)
    }

    private static func results(_ session: UInt64, count: Int) -> [ResultRecord] {
        (1...count).map { number in
            ResultRecord(
                session: id(session),
                number: number,
                game: "rounds",
                title: "Friday",
                endedAt: number == 1 ? nil : UInt64(number),
                players: [
                    ResultPlayer(
                        player: PlayerID(high: 1, low: 1),
                        name: "Ann",
                        isWinner: true,
                        rank: 1,
                        total: Points(halves: -13),
                        team: number == 2 ? "Reds" : nil,
                        isComputer: number == 2,
                        tally: [Symbol(known: "180s"): 3, Symbol(known: "darts"): -1]
                    ),
                    ResultPlayer(
                        player: PlayerID(high: 1, low: 2),
                        name: "Bob",
                        isWinner: false,
                        rank: nil,
                        total: .largest
                    ),
                ]
            )
        }
    }
}
