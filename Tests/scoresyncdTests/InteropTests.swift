import LaptopKit
import Testing

/// A second client, written from PROTOCOL.md alone in another language, meets real daemons.
@Suite(
    .enabled(if: SecondClient.isPossible, Comment(rawValue: SecondClient.need)),
    .timeLimit(.minutes(10))
)
struct InteropTests {
    /// The scrypt cost of a join code, for daemons of tests and of people.
    #if DEBUG
    private static let cost = "1024"
    #else
    private static let cost = realCost
    #endif
    private static let realCost = "131072"

    @Test(
        "Another client and a laptop do what the documentation specifies",
        arguments: SecondClient.Story.allCases
    )
    func story(_ story: SecondClient.Story) throws {
        // Once what the join code costs is what it costs people.
        let isReal = story == .joins
        let laptop = try Laptop("ann-laptop") { _ in
            let entrance = isReal ? ["env", "-u", "SCORESYNC_TEST_SCRYPT_N"] : []
            return try Room(holdingBy: [], enteringBy: { _ in entrance }, files: { _ in [] })
        }
        let port = String(try FreePort.ofDatagrams())
        try laptop.start("--loopback", "--discovery-port", port)
        let other = try Laptop("bob-laptop")
        if story == .relays { try other.start("--no-discovery") }
        let scorectl = try Programs.path(of: "scorectl")
        let outcome = try SecondClient.run([
            story.rawValue, "--home", laptop.home, "--other", other.home, "--scorectl", scorectl,
            "--udp", port,
            "--cost", isReal ? InteropTests.realCost : InteropTests.cost,
        ])
        #expect(outcome.status == 0, "\(outcome)\n\(laptop.log.suffix(2_000))")
        #expect(try laptop.stop() == 0)
    }

    @Test("Each of its stories is played")
    func stories() throws {
        let listed = try SecondClient.run(["--list"]).output.split(separator: "\n")
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(listed == SecondClient.Story.allCases.map(\.rawValue))
    }
}
