import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

/// The next game of the same people, on real daemons.
@Suite(.timeLimit(.minutes(10)))
struct AgainTests {
    @Test("Every laptop opens the next game by itself, one that was off as soon as it is back")
    func opensNext() throws {
        let table = try Companions("Ann", "Bob", "Cem")
        try table[0].run("player", "team", "Red", "Ann", "Cem")
        try table[1].run("score", "9")
        try table.settle()
        try table[2].stop()
        try table[0].run("session", "new", "--again", "--rotate", "--option", "target=50", "--yes")
        try table.awaitCurrent("Friday 2", on: table[1])
        try table[1].run("score", "7")
        try table[2].start("--no-discovery")
        try table.awaitCurrent("Friday 2", on: table[2])
        try eventually(within: .seconds(10), "the players have come") {
            try table[2].current?.players == 3
        }
        // The player of the laptop is the same, so a bare score works.
        try table[2].run("score", "5")
        try table.settle("Friday 2")
        let show = try table[0].read(ShowDocument.self, "show")
        #expect(show.players.map(\.name) == ["Bob", "Cem", "Ann"])
        #expect(show.players.map(\.team) == [nil, "Red", "Red"])
        #expect(show.players.map(\.total) == [7, 5, 0])
        let before = try table[2].read(ShowDocument.self, "show", "Friday")
        #expect(before.session.status == "finished")
        #expect(Set(before.players.map(\.id)) == Set(show.players.map(\.id)))
        try expectNoKeys(on: table.laptops)
    }

    @Test("A replay is rejected if the game before has nothing to play again")
    func replay() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        for game in ["points", "smash-up"] {
            let players = ["Ann", "Bob"].flatMap { ["--player", $0] }
            try laptop.run(["session", "new", game, "--title", game] + players)
            let refused = try laptop.attempt("session", "new", "--again", "--replay", "--yes")
            #expect(refused.status == 5, "\(refused)")
            #expect(refused.errors.contains("“\(game)” has no deal"), "\(refused)")
        }
        try laptop.run("play", "deal")
        try laptop.run("session", "new", "--again", "--replay", "--yes")
    }

    @Test("A laptop that was off for two games ends up in the third")
    func chain() throws {
        let table = try Companions("Ann", "Bob")
        try table[0].run("score", "1")
        try table[1].stop()
        try table[0].run("session", "new", "--again", "--yes")
        try table[0].run("score", "2")
        try table[0].run("session", "new", "--again", "--shuffle", "--yes")
        try table[1].start("--no-discovery")
        try table.awaitCurrent("Friday 3", on: table[1])
        for title in ["Friday", "Friday 2", "Friday 3"] { try table.settle(title) }
        #expect(Set(try table[1].sessions.map(\.title)) == ["Friday", "Friday 2", "Friday 3"])
        let results = try table[1].read(ResultsReply.self, "results").items
        #expect(results.map(\.title) == ["Friday 2", "Friday"])
    }

    @Test("A session held with a wrong key can be left, and then joined")
    func wrongKey() throws {
        let (ann, bob) = (try Laptop("Ann"), try Laptop("Bob"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "points", "--title", "Friday", "--player", "Ann")
        try bob.run("session", "new", "points", "--title", "Hers", "--player", "Bob")
        let id = try #require(try ann.current?.id)
        let other = try #require(try bob.current?.id)
        try ann.stop()
        let key = [UInt8](repeating: 0xC5, count: 32)
        let next = Successor(session: try #require(SessionID(other)), key: key)
        try Self.plant([.text(next?.text ?? "")], in: try #require(SessionID(id)), on: ann)
        try ann.start("--no-discovery")
        try eventually(within: .seconds(10), "it is there") { try ann.sessions.count == 2 }
        let code = try #require(try bob.read(InviteReply.self, "session", "invite").code)
        let port = try bob.read(StatusReply.self, "status").daemon.port
        let refused = try ann.attempt("join", code, "--peer", "127.0.0.1:\(port)")
        #expect(refused.status == 5 && refused.errors.contains("another key"), "\(refused)")
        try ann.run("session", "leave", other, "--yes")
        try ann.run("join", code, "--peer", "127.0.0.1:\(port)")
        #expect(try ann.current?.title == "Hers")
    }

    @Test("A next game that was left stays away, and one started offline is opened later")
    func leftAndOffline() throws {
        let table = try Companions("Ann", "Bob")
        try table[0].run("score", "1")
        try table[0].run("session", "new", "--again", "--yes")
        try table.awaitCurrent("Friday 2", on: table[1])
        try table[1].run("session", "use", "Friday")
        try table[1].run("session", "leave", "Friday 2", "--yes")
        try table[1].stop()
        try table[1].start("--no-discovery")
        try table[0].run("session", "use", "Friday")
        try table[0].run("session", "rename", "Monday")
        try table.settle("Monday")
        #expect(try table[1].sessions.map(\.title) == ["Monday"])
        // Begun while nobody hears it.
        try table[0].run("daemon", "offline")
        try table[0].run("session", "new", "--again", "--title", "Tuesday", "--yes")
        try table[0].run("score", "3")
        #expect(try table[1].sessions.map(\.title) == ["Monday"])
        try table[0].run("daemon", "online")
        try table.awaitCurrent("Tuesday", on: table[1])
        try table.settle("Tuesday")
    }

    @Test("Two next games started while apart are both on all laptops, and one is current")
    func apart() throws {
        let table = try Companions("Ann", "Bob", "Cem")
        try table[0].run("score", "1")
        try table.settle()
        try table[0].run("daemon", "offline")
        try table[0].run("session", "new", "--again", "--title", "By Ann", "--yes")
        try table[1].run("session", "new", "--again", "--title", "By Bob", "--yes")
        try table.awaitCurrent("By Bob", on: table[2])
        try table[0].run("daemon", "online")
        for laptop in table.laptops {
            try eventually(within: .seconds(15), "both are on \(laptop.name)") {
                Set(try laptop.sessions.map(\.title)) == ["Friday", "By Ann", "By Bob"]
            }
            // Bob's was begun later.
            try table.awaitCurrent("By Bob", on: laptop)
        }
        try table.settle("By Ann")
        try table.settle("By Bob")
        let told = try table[0].read(StatusReply.self, "status").alarms
        #expect(told.map(\.kind) == ["two-next-games"])
        for laptop in table.laptops {
            #expect(try laptop.run("show").contains("has another next game, too"))
        }
        let others = try table.laptops.dropFirst().flatMap {
            try $0.read(StatusReply.self, "status").alarms
        }
        #expect(others == [])
        // Choosing the other one holds.
        try table[0].run("session", "use", "By Ann")
        try table[0].run("session", "rename", "Hers")
        try table.settle("Hers")
        #expect(try table[0].current?.title == "Hers")
        #expect(try table[0].read(StatusReply.self, "status").alarms == [])
    }

    @Test("A laptop that is two games further stays there, and says that others play another one")
    func twoGamesFurther() throws {
        let table = try Companions("Ann", "Bob")
        try table[0].run("score", "1")
        try table.settle()
        try table[0].run("daemon", "offline")
        try table[0].run("session", "new", "--again", "--title", "By Ann", "--yes")
        try table[0].run("session", "new", "--again", "--title", "Hers", "--yes")
        try table[1].run("session", "new", "--again", "--title", "By Bob", "--yes")
        try table[0].run("daemon", "online")
        try eventually(within: .seconds(15), "both know all") {
            try table.laptops.allSatisfy { try $0.sessions.count == 4 }
        }
        try eventually(within: .seconds(15), "it is told") {
            try table[0].read(StatusReply.self, "status").alarms.map(\.kind) == ["two-next-games"]
        }
        #expect(try table[0].current?.title == "Hers")
        #expect(try table[1].current?.title == "By Bob")
        try table[0].run("session", "use", "By Bob")
        #expect(try table[0].read(StatusReply.self, "status").alarms == [])
    }

    @Test("A restarted next game moves all laptops on, also one that was off, which gets both")
    func anew() throws {
        let table = try Companions("Ann", "Bob", "Cem")
        try table[0].run("score", "1")
        try table.settle()
        try table[2].stop()
        try table[0].run("session", "new", "--again", "--title", "Wrong", "--yes")
        try table.awaitCurrent("Wrong", on: table[1])
        try table[1].run(
            "session",
            "new",
            "--again",
            "--session",
            "Friday",
            "--title",
            "Right",
            "--yes"
        )
        try table.awaitCurrent("Right", on: table[1])
        try table.awaitCurrent("Right", on: table[0])
        try table[0].run("score", "5", "--session", "Wrong")
        try table[2].start("--no-discovery")
        try table.awaitCurrent("Right", on: table[2])
        try table.settle("Right")
        try eventually(within: .seconds(15), "the other game is there, too") {
            Set(try table[2].sessions.map(\.title)) == ["Friday", "Wrong", "Right"]
        }
        try table.settle("Wrong")
        let told = try table[0].read(StatusReply.self, "status").alarms
        #expect(told.map(\.kind) == ["two-next-games"])
    }

    @Test("Next games named by a hostile member end nothing, and at most eight are opened")
    func hostile() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--title", "Friday", "--player", "Ann")
        let id = try #require(try laptop.current?.id)
        let session = try #require(SessionID(id))
        try laptop.stop()
        let key = [UInt8](repeating: 0xC5, count: 32)
        let names = (1...30).compactMap { number in
            Successor(session: SessionID(high: 77, low: number), key: key)?.text
        }
        let values: [Value] =
            [
                .null, .boolean(true), .integer(-1), .text(""), .text("x y"),
                .foreign(kind: ExactText("k"), text: ExactText("t")),
                .text(Successor(session: session, key: key)?.text ?? ""),
                .text(String(repeating: "a ", count: 2000)),
            ] + names.map { .text($0) }
        try Self.plant(values, in: session, on: laptop)
        try laptop.start("--no-discovery")
        try eventually(within: .seconds(10), "eight are taken up") {
            try laptop.sessions.count == 9
        }
        try laptop.run("score", "Ann", "4", "--session", id)
        #expect(try laptop.sessions.count == 9)
        for other in try laptop.sessions where other.id != id {
            try laptop.run("session", "leave", other.id, "--yes")
        }
        try laptop.stop()
        try laptop.start("--no-discovery")
        try laptop.run("session", "use", "Friday")
        try laptop.run("score", "Ann", "5")
        #expect(try laptop.sessions.map(\.title) == ["Friday"])
        #expect(!laptop.log.contains("c5c5c5c5"))
    }

    /// Writes values under the field `next` into the store of a laptop that is off, as they would
    /// come from members.
    private static func plant(
        _ values: [Value],
        in session: SessionID,
        on laptop: Laptop
    ) throws {
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: laptop.home, using: &generator)
        try store.commit([(session, batch(values))], at: 1)
    }

    /// Entries of members who did not know of each other, under the field `next`.
    private static func batch(_ values: [Value]) -> Batch {
        let entries = values.enumerated().map { index, value in
            Entry(
                dot: Dot(actor: ActorID(high: 3, low: UInt64(index)), sequence: 1),
                stamp: Stamp(milliseconds: UInt64(1_700_000_000_000 + index)),
                author: DeviceID(high: 4, low: 4),
                value: value
            )
        }
        let key = Key.session(Field.next)
        return Batch(
            removed: [],
            inserted: entries.map { KeyedEntry(key: key, entry: $0) },
            advanced: entries.map(\.dot),
            journal: entries.map { JournalLine(key: key, entry: $0, replaced: []) }
        )
    }

    @Test("The next game starts only if nothing is lost by it, or after a confirmation")
    func asks() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let none = try laptop.attempt("session", "new", "--again")
        #expect(none.status == 4 && none.errors.contains("there is no session yet"), "\(none)")
        try laptop.run("session", "new", "points", "--title", "Friday", "--player", "Ann")
        try refuses(laptop, "Nothing has been entered in “Friday” yet")
        try laptop.run("score", "Ann", "4")
        try refuses(laptop, "“Friday” is not finished. End it with these totals")
        try laptop.run("session", "finish")
        try laptop.run("session", "new", "--again")
        #expect(try laptop.current?.title == "Friday 2")
        let first = try #require(try laptop.sessions.last)
        try laptop.run("session", "use", first.id)
        try refuses(laptop, "“Friday” already has a next game, “Friday 2”")
        try laptop.run("session", "new", "--again", "--yes", "--title", "Saturday 9")
        try laptop.run("score", "Ann", "1")
        try laptop.run("session", "new", "--again", "--yes")
        #expect(try laptop.current?.title == "Saturday 10")
    }

    private func refuses(_ laptop: Laptop, _ question: String) throws {
        let before = try laptop.sessions
        let outcome = try laptop.attempt("session", "new", "--again")
        #expect(outcome.status == 2 && outcome.errors.contains(question), "\(outcome)")
        #expect(outcome.errors.contains("--yes"))
        #expect(try laptop.sessions == before)
    }

    /// Nothing that people or programs read shows a session's key.
    private func expectNoKeys(on laptops: [Laptop]) throws {
        for laptop in laptops {
            var texts = [laptop.log]
            for words in [
                ["show", "Friday"], ["history", "--session", "Friday"], ["status"],
                ["session", "list"],
            ] {
                texts.append(try laptop.run(words + ["--json"]))
                texts.append(try laptop.run(words))
            }
            // A key is the only text of 64 hexadecimal digits.
            for text in texts {
                let words = text.split { !$0.isHexDigit }
                #expect(!words.contains { $0.count == 64 })
            }
            #expect(try keys(of: laptop).count == 2)
            for key in try keys(of: laptop) { #expect(!texts.joined().contains(key)) }
        }
    }

    private func keys(of laptop: Laptop) throws -> [String] {
        try laptop.stop()
        defer { _ = try? laptop.start("--no-discovery") }
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: laptop.home, using: &generator)
        return try store.sessions().compactMap { record in
            Successor(session: record.id, key: record.key)?.text.split(separator: " ")[1]
        }.map(String.init)
    }
}
