import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

extension LAN {
    struct SharingTests {
        @Test("Three laptops share a session with only a code, and show the same bytes")
        func hundredScores() throws {
            let lab = try Lab("ann", "bob", "cem")
            try lab.play("Ann", "Bob", "Cem")
            for round in 1...34 {
                for (laptop, player) in zip(lab.laptops, ["Ann", "Bob", "Cem"]) {
                    try laptop.run("score", player, "round.\(round)=\(round * 3)")
                }
            }
            for laptop in lab.laptops { try laptop.waitUntilSynced() }
            try lab.agree(within: .seconds(2))
            let sheet = try lab[2].read(ShowDocument.self, "show")
            #expect(sheet.players.map(\.name) == ["Ann", "Bob", "Cem"])
            #expect(sheet.players.map(\.cells.count) == [34, 34, 34])
            #expect(sheet.players.map(\.total) == [1_785, 1_785, 1_785])
        }
    }
}
