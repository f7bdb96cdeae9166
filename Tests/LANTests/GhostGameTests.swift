import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct GhostGameTests {
        @Test("Ghost: the laptop that has the word list judges, the others need none")
        func ownList() throws {
            // Disks of their own, so that what one laptop has in a file no other one has.
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop", diskBytes: 32 << 20)
            let list = try lab[0].file("words.txt", "chirp\ncat\ndark\ndog\ndonate\ndonut")
            try lab.play("Ann", "Bob", game: "ghost", options: ["list=\(list)"])
            try lab[0].run("play", "d")
            try lab[0].run("play", "O")
            try lab.cut(0) {
                for letter in ["n", "u"] { try lab[0].run("play", letter) }
                for laptop in lab.laptops.dropFirst() {
                    let refused = try laptop.refusal("play", "n")
                    #expect(refused.contains("chosen on another laptop"), "\(refused)")
                }
            }
            #expect(try lab.sheet().mover == "Ann")
            try lab.cut(2) {
                let last = try lab[0].read(PlayReply.self, "play", "t")
                #expect(last.player == "Ann" && last.winners == ["Bob"])
                #expect(last.notes == ["Ann completed DONUT"])
            }
            let sheet = try lab.sheet()
            #expect(sheet.places == ["Ann 0 2", "Bob 1 1"])
            #expect(sheet.finished && sheet.champions == ["Bob"])
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
            for laptop in lab.laptops {
                #expect(try laptop.run("show").contains("Ann completed DONUT"))
            }
        }
    }
}
