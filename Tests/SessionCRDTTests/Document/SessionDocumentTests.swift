import SessionCRDT
import SyncTestKit
import Testing

struct SessionDocumentTests {
    @Test("An empty map is an untitled session without players")
    func empty() {
        let document = SessionDocument([:])
        #expect(document.title.isEmpty && document.game == nil && !document.isFinished)
        #expect(document.players.isEmpty && document.cells.isEmpty && document.sheet == nil)
        #expect(document.options.isEmpty && document.devices.isEmpty)
    }

    @Test("Every field is read from the winner of its key")
    func fields() throws {
        let device = Samples.device(1)
        let fans = try #require(Field.option(Symbol(known: "fans")))
        let bare = try #require(Symbol("option."))
        let document = read([
            .title("Friday"), .title("Saturday"), .game(Symbol(known: "wingspan")),
            .finished(true), .device(device, name: "ann-laptop"),
            Mutation(.session(Field.sheet), .text("{}")),
            Mutation(.session(fans), .integer(2)), Mutation(.session(bare), .integer(9)),
            Mutation(.session(Symbol(known: "later")), .integer(1)),
            Mutation(Key("later/on"), .foreign(kind: ExactText("x"), text: ExactText("y"))),
        ])
        #expect(document.title == "Saturday")
        #expect(document.game == Symbol(known: "wingspan"))
        #expect(document.isFinished)
        #expect(document.sheet == "{}")
        #expect(document.options == [Symbol(known: "fans"): .integer(2)])
        #expect(document.devices == [device: "ann-laptop"])
    }

    @Test("A value of the wrong kind is ignored")
    func wrongKinds() throws {
        let fans = try #require(Field.option(Symbol(known: "fans")))
        let document = read([
            .title("Friday"), Mutation(.session(Field.title), .integer(1)),
            Mutation(.session(Field.game), .text("Not A Symbol")),
            Mutation(.session(Field.status), .boolean(true)),
            Mutation(.session(Field.seats), .integer(1)),
            Mutation(.session(fans), .integer(2)), Mutation(.session(fans), .null),
            Mutation(.device(Samples.device(1)), .null),
            Mutation(.membership(Samples.player(1)), .text("present")),
            Mutation(.player(Samples.player(1), Field.name), .integer(7)),
        ])
        #expect(document.title.isEmpty && document.game == nil && !document.isFinished)
        #expect(document.options.isEmpty && document.devices.isEmpty)
        #expect(
            document.players == [
                Player(id: Samples.player(1), name: "player-0000", isPresent: false)
            ]
        )
    }

    @Test("A player has a name, a team and the stamp of the addition")
    func player() {
        let ann = Samples.player(1)
        let team = Mutation(.player(ann, Field.team), .text("red"))
        let document = read(Mutation.add(ann, name: "Ann") + [team, .name(of: ann, "Anna")])
        #expect(
            document.players == [Player(id: ann, name: "Anna", team: "red", added: Stamp(bits: 2))]
        )
    }

    @Test("Two players with the same name stay two")
    func sameNames() {
        let document = read(
            Mutation.add(Samples.player(2), name: "Ann")
                + Mutation.add(Samples.player(1), name: "Ann")
        )
        #expect(document.players.map(\.id) == [Samples.player(2), Samples.player(1)])
        #expect(document.players.map(\.name) == ["Ann", "Ann"])
    }

    @Test(
        "Players are in the order of the seats; others follow in the order of addition, then by id"
    )
    func seats() {
        let player = Samples.player
        var mutations = [6, 5, 4, 3].flatMap { Mutation.add(player($0), name: "p") }
        mutations += [2, 1].map { Mutation.membership(of: player($0), isPresent: true) }
        #expect(read(mutations).players.map(\.id) == [6, 5, 4, 3, 1, 2].map(player))
        mutations.append(.seats([player(3), player(9), player(1), player(3), player(6)]))
        #expect(read(mutations).players.map(\.id) == [3, 1, 6, 5, 4, 2].map(player))
        let seats = "  \(player(4)) nonsense \(player(4))\u{301} \(player(2))  \(player(4)) "
        mutations.append(Mutation(.session(Field.seats), .text(seats)))
        #expect(read(mutations).players.map(\.id) == [4, 2, 6, 5, 3, 1].map(player))
    }

    @Test("Players added with the same stamp are ordered by id")
    func sameStamp() {
        var live: [Key: LiveSet] = [:]
        for number in [UInt64(3), 1, 2] {
            let player = Samples.player(number)
            live[.membership(player)] = LiveSet(Samples.entry(number, 1, .boolean(true), at: 5))
            live[.player(player, Field.added)] =
                LiveSet(Samples.entry(number, 2, .boolean(true), at: 5))
        }
        let players = SessionDocument(live).players.map(\.id)
        #expect(players == [1, 2, 3].map(Samples.player))
    }

    @Test("Cells have all their live entries, even if cleared")
    func cells() throws {
        let cell = Samples.cell(1)
        let one = States.written((.cell(cell), Samples.entry(1, 1, .integer(1))))
        let two = States.written((.cell(cell), Samples.entry(2, 1, .null)))
        let document = SessionDocument(try States.merged(one, with: two).live)
        #expect(document.cells[cell]?.count == 2)
        #expect(document.cells[cell]?.isConflicting == true)
    }

    @Test("The document does not depend on the order of arrival", arguments: Seeds.below(40))
    func arrival(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let states = try States.states(seed: seed)
        var one = CausalMap()
        for state in states { one = try States.merged(one, with: state) }
        var two = CausalMap()
        for state in states.shuffled(using: &random) { two = try States.merged(two, with: state) }
        let (left, right) = (SessionDocument(one.live), SessionDocument(two.live))
        #expect(left.players == right.players)
        #expect(left.title == right.title)
        #expect(left.cells == right.cells)
        #expect(left.options == right.options)
    }

    /// The document after these writes by one actor.
    private func read(_ mutations: [Mutation]) -> SessionDocument {
        var map = StagedMap(CausalMap())
        for (index, mutation) in mutations.enumerated() {
            let entry = Samples.entry(1, UInt64(index) + 1, mutation.value)
            map.write(entry, under: mutation.key)
        }
        return SessionDocument(map.headLive)
    }
}
