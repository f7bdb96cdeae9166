import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import scoresyncd

/// Entries of a member whose clock is at either end of time, and entries and messages of kinds that
/// no version has yet.
@Suite(.timeLimit(.minutes(10)))
struct EndsOfTimeTests {
    private let laptop: Laptop
    private let eve: HostileMember
    private let ann: PlayerID

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        try laptop.run("score", "Ann", "round.1=7")
        ann = try #require(
            PlayerID(try laptop.read(ShowDocument.self, "show").players.first?.id ?? "")
        )
        eve = try HostileMember(invitedTo: laptop)
        try eve.link()
    }

    private func round(_ number: UInt32) -> Key {
        .cell(Cell(player: ann, row: Symbol(known: "round"), round: number))
    }

    /// Lets the member write values, each by its own stamp.
    private func write(_ entries: [(Key, Stamp, Value)], as device: DeviceID = .random()) throws {
        let actor = ActorID.random()
        let changes = entries.enumerated().map { index, written in
            let entry = Entry(
                dot: Dot(actor: actor, sequence: UInt64(index + 1)),
                stamp: written.1,
                author: device,
                value: written.2
            )
            return KeyedLiveSet(key: written.0, live: LiveSet(entry))
        }
        let delta = try Delta(
            base: VersionVector(),
            upto: VersionVector([actor: UInt64(entries.count)]),
            changes: changes.sorted { $0.key < $1.key }
        )
        eve.send([.delta(delta), .ping(77)])
        try eve.wait(for: "the answer after the delta") { $0 == .pong(77) }
    }

    private var totals: [Points] {
        get throws { try laptop.read(ShowDocument.self, "show").players.map(\.total) }
    }

    /// Everything that shows, computes or writes the time of an entry.
    private func expectEverythingWorks() throws {
        for words in [
            ["show"], ["show", "--json"], ["history"], ["history", "--json"], ["status"],
            ["conflicts"], ["results"], ["stats"], ["chart"], ["export", "-"],
            ["export", "--format", "csv", "-"], ["peer", "list"], ["session", "list"],
        ] {
            let outcome = try laptop.begin(words).outcome()
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test("A member's stamps at both ends of time are shown, corrected and undone like any others")
    func stamps() throws {
        let (first, last) = (Stamp(bits: 0), Stamp(bits: .max))
        try write([
            (round(1), last, .integer(1)), (round(2), first, .integer(20)),
            (round(3), last, .integer(300)), (.session(Field.title), last, .text("Later")),
            (.player(ann, Field.name), first, .text("Early")),
        ])
        #expect(try totals == [321, 0])
        try expectEverythingWorks()
        // Whoever has seen a value replaces it, whatever its stamp.
        try laptop.run("score", "Ann", "round.1=5")
        try laptop.run("score", "Ann", "round.3=6")
        #expect(try totals == [31, 0])
        try laptop.run("undo")
        #expect(try totals == [325, 0])
        try laptop.run("session", "rename", "Friday")
        try laptop.run("session", "finish")
        try expectEverythingWorks()
        let shown = try laptop.read(ShowDocument.self, "show")
        #expect(shown.session.title == "Friday")
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try laptop.read(ShowDocument.self, "show") == shown)
        try laptop.run("session", "new", "--again", "--yes")
        try laptop.run("score", "Ann", "1")
        #expect(try totals == [1, 0])
    }

    @Test("Values and keys of kinds that no version has yet stop nothing and are kept")
    func values() throws {
        func later(_ text: String) -> Value {
            .foreign(kind: ExactText("later"), text: ExactText(text))
        }
        let bob = try #require(
            PlayerID(try laptop.read(ShowDocument.self, "show").players.last?.id ?? "")
        )
        let stamp = Stamp(milliseconds: 1_795_201_445_000)
        let fields = [Field.title, Field.status, Field.seats, Field.next]
        try write(
            fields.map { (.session($0), stamp, later("[1,2]")) } + [
                (round(2), stamp, later("1/3")), (.membership(bob), stamp, later("maybe")),
                (.player(ann, Field.name), stamp, later("Ann")),
                (.player(ann, Field.team), stamp, later("{}")),
                (Key("later/thing"), stamp, .integer(1)), (Key("later/other"), stamp, later("x")),
                (Key("player/\(ann)/later/x"), stamp, .null),
            ]
        )
        try expectEverythingWorks()
        try laptop.run("score", "Ann", "round.2=3")
        #expect(try totals.first == 10)
        let shown = try laptop.read(ShowDocument.self, "show")
        let export = try laptop.run("export", "-")
        #expect(export.contains("later/thing") && export.contains("later/other"))
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try laptop.read(ShowDocument.self, "show") == shown)
        try expectEverythingWorks()
    }

    @Test("Messages of kinds that no version has yet are passed over, and the link stays")
    func messages() throws {
        let deep = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        let last = Array(PeerMessageEncoder(.ping(78)))
        eve.send(
            [
                #"{"type":"later"}"#, #"{"more":\#(deep),"type":"knock"}"#,
                #"{"text":"\#(String(repeating: "x", count: 60_000))","type":"news"}"#,
                #"{"ids":[],"type":"hello2","vectors":[[0,0,9007199254740991]]}"#,
                #"{"later":{"a":[1,null,true,"x"]},"number":5,"type":"ping"}"#,
            ].map { Array($0.utf8) } + last
        )
        try eve.wait(for: "the answer after them") { $0 == .pong(78) }
        #expect(eve.hasHeard { $0 == .pong(5) })
        try write([(round(2), Stamp(milliseconds: 1_795_201_445_000), .integer(20))])
        #expect(try totals == [27, 0])
    }
}
