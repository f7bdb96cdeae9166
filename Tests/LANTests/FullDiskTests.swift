import LaptopKit
import Testing

extension LAN {
    struct FullDiskTests {
        @Test("A first start on a full disk reports that no space is left")
        func firstStart() throws {
            let lab = try Lab("ann-laptop", diskBytes: 1 << 20)
            let ballast = "\(lab[0].home)/ballast"
            try lab[0].room.run("head -c 10000000 /dev/zero > '\(ballast)' || true")
            let failure = #expect(throws: Failure.self) { try lab[0].start() }
            let said = try #require(failure?.description.split(separator: "\n").first)
            #expect(said.contains("No space left on device"), "\(said)")
            try lab[0].room.run("rm '\(ballast)'")
            try lab[0].start()
            try lab[0].run("session", "new", "points", "--player", "Ann")
        }
    }
}
