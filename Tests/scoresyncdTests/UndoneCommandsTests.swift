import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import scoresyncd

struct UndoneCommandsTests {
    private func stamp(_ bits: UInt64) -> Stamp { Stamp(bits: bits) }

    @Test("A walk back is one range, and what is entered after it is not passed over")
    func walk() {
        var undone = UndoneCommands()
        for step in UInt64(0)..<150 {
            undone.insert(stamp(1000 - step)...stamp(1000 + step))
            undone.insert(stamp(1001 + step)...stamp(1001 + step))
        }
        #expect(undone.ranges.count == 2)
        #expect(undone.contains(stamp(851)) && undone.contains(stamp(1150)))
        #expect(!undone.contains(stamp(850)) && !undone.contains(stamp(1151)))
        #expect(UndoneCommands(words: undone.words) == undone)
    }

    @Test("Of too many ranges the earliest are united, so that nothing undone comes back")
    func many() {
        var undone = UndoneCommands()
        let count = UInt64(UndoneCommands.most + 5)
        for place in 1...count { undone.insert(stamp(place * 10)...stamp(place * 10 + 1)) }
        #expect(undone.ranges.count == UndoneCommands.most)
        #expect((1...count).allSatisfy { undone.contains(stamp($0 * 10)) })
        #expect(undone.contains(stamp(15)) && !undone.contains(stamp(count * 10 - 5)))
    }

    @Test("The stamps of an earlier version are read, and nonsense is left out")
    func words() {
        let undone = UndoneCommands(words: "30 10 9-8 x 20-25 1-2-3 -")
        #expect(undone.words == "1-3 10-10 20-25 30-30")
        #expect(UndoneCommands(words: "") == UndoneCommands())
    }

    @Test("Undo goes back as far as something was entered, however far that is")
    func deep() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let client = try ControlClient(path: laptop.home + "/control.sock", client: "test")
        for number in 1...130 {
            _ = try client.call(ScoreRequest(words: ["Ann", "\(number)"]))
        }
        for number in (1...130).reversed() {
            let undone = try client.call(UndoRequest())
            #expect(undone.cells.map(\.round) == [number])
        }
        #expect(throws: ControlError.self) { try client.call(UndoRequest()) }
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [0])
    }

    @Test("A command that only chose something is taken back before the one before it")
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
