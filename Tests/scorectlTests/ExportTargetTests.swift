import FoundationEssentials
import Testing

@testable import scorectl

@Suite("The target of an export", .timeLimit(.minutes(10)))
struct ExportTargetTests {
    @Test("A signal removes it, except in a live view, which must restore the screen")
    func signals() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let path = home.path + "/scores.json"
        var told: [String?] = []
        var world: Console?
        // This daemon knows no exports.
        let alone = Harness(home).run(
            ["export", path],
            adjust: { console in
                console.removeOnSignal = { told.append($0) }
                world = console
            }
        )
        #expect(alone.status == 8)
        let process = ProcessInfo.processInfo.processIdentifier
        #expect(told.first == "\(path).partial-\(process)" && told.last == .some(nil), "\(told)")
        told = []
        let line = try ParsedArguments(["watch", "--home", home.path], in: CommandTree.commands)
        let call = Invocation(arguments: line, console: try #require(world))
        #expect(!LiveCommands.run(["export", path], call).isDone)
        #expect(told.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!left.contains { $0.hasPrefix("scores.json") })
        withExtendedLifetime(daemon) {}
    }
}
