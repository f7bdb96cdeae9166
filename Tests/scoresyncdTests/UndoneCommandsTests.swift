import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import scoresyncd

struct UndoneCommandsTests {
    private let run = ActorID(high: 1, low: 1)

    private func range(_ first: UInt64, _ last: UInt64) -> UndoneCommands.SequenceRange {
        UndoneCommands.SequenceRange(run, first...last)
    }

    private func dot(_ sequence: UInt64) -> Dot { Dot(actor: run, sequence: sequence) }

    @Test("A walk back is one stretch, and what is entered after it is not passed over")
    func walk() {
        var undone = UndoneCommands()
        for step in UInt64(0)..<150 {
            undone.insert(range(1000 - step, 1000 + step))
            undone.insert(range(1001 + step, 1001 + step))
        }
        #expect(undone.ranges == [range(851, 1150)])
        #expect(undone.contains(dot(851)) && undone.contains(dot(1150)))
        #expect(!undone.contains(dot(850)) && !undone.contains(dot(1151)))
        #expect(!undone.contains(Dot(actor: ActorID(high: 1, low: 2), sequence: 900)))
        #expect(UndoneCommands(words: undone.words) == undone)
    }

    @Test("Of too many stretches the earliest are forgotten, and nothing between them is undone")
    func many() {
        var undone = UndoneCommands()
        let count = UInt64(UndoneCommands.maxRanges + 5)
        for place in 1...count { undone.insert(range(place * 10, place * 10 + 1)) }
        #expect(undone.ranges.count == UndoneCommands.maxRanges)
        #expect((6...count).allSatisfy { undone.contains(dot($0 * 10)) })
        #expect((1...5).allSatisfy { !undone.contains(dot($0 * 10)) })
        #expect((1...count).allSatisfy { !undone.contains(dot($0 * 10 - 5)) })
    }

    @Test("Adjacent ranges become one, in any order")
    func touching() {
        var undone = UndoneCommands()
        for (first, last) in [(5, 6), (9, 9), (7, 8), (0, 0), (2, 4)] as [(UInt64, UInt64)] {
            undone.insert(range(first, last))
        }
        #expect(undone.ranges == [range(0, 0), range(2, 9)])
    }

    @Test("Of too many runs the earliest is forgotten")
    func manyRuns() {
        var undone = UndoneCommands()
        for run in 1...UInt64(UndoneCommands.maxRanges + 1) {
            undone.insert(UndoneCommands.SequenceRange(ActorID(high: 9, low: run), 1...2))
        }
        #expect(undone.ranges.count == UndoneCommands.maxRanges)
        #expect(undone.ranges.first?.actor == ActorID(high: 9, low: 2))
    }

    @Test("Words without meaning are left out")
    func words() {
        let other = ActorID(high: 2, low: 2)
        let undone = UndoneCommands(
            words: "\(run):9-8 x 20-25 \(run):1-2-3 \(run):3-5 - \(other):1-1 \(run):5-6 :1-2"
        )
        #expect(undone.words == "\(run):3-6 \(other):1-1")
        #expect(UndoneCommands(words: "") == UndoneCommands())
    }

    @Test("Undo goes back to the last command, however far")
    func deep() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let client = try ControlClient(path: laptop.home + "/control.sock", client: "test")
        for number in 1...130 {
            _ = try client.call(.score, .init(words: ["Ann", "\(number)"]))
        }
        for number in (1...130).reversed() {
            let undone = try client.call(.undo, .init())
            #expect(undone.cells.map(\.round) == [number])
        }
        #expect(throws: ControlError.self) { try client.call(.undo, .init()) }
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [0])
    }

    @Test("A command that only chose an option is undone before the one before it")
    func choice() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "smash-up", "--player", "Ann", "--player", "Bob")
        func pool() throws -> String { try laptop.run("show") }
        try laptop.run("play", "deal")
        try laptop.run("reset", "--yes")
        try laptop.run("session", "option", "target=20")
        let usual = try pool()
        try laptop.run("play", "without", "aliens")
        #expect(try pool() != usual)
        let undone = try laptop.read(WrittenReply.self, "undo")
        #expect(undone.cells == [])
        #expect(undone.notes == ["what this laptop chose last is as it was before"])
        #expect(try pool() == usual)
        // Now the reset, then the deal.
        #expect(try !laptop.read(WrittenReply.self, "undo").cells.isEmpty)
        #expect(try pool() != usual)
        try laptop.run("undo")
        #expect(try pool() == usual)
        #expect(try laptop.attempt("undo").status == 4)
    }
}
