import SyncProtocol
import Testing

@testable import scorectl

/// `help --json` compared with the commands.
@Suite("The tree of the commands")
struct TreeTests {
    private struct Document: Decodable {
        struct Word: Decodable, Hashable {
            let name: String
            let kind: String
            let choices: [String]
        }
        struct Choice: Decodable {
            let name: String
            let value: Word?
        }
        struct Node: Decodable {
            let path: [String]
            let usage: String
            let words: [Word]
            let options: [Choice]
            let commands: [Node]

            var all: [Node] { [self] + commands.flatMap(\.all) }
        }
        struct Code: Decodable {
            let code: Int32
        }
        let schema: Int
        let commands: [Node]
        let options: [Choice]
        let exitCodes: [Code]
    }

    private static func all(_ commands: [Command], _ path: [String] = []) -> [([String], Command)] {
        commands.flatMap { [(path + [$0.name], $0)] + all($0.subcommands, path + [$0.name]) }
    }

    private static var everything: [([String], Command)] { all(CommandTree.commands) }

    private func command(_ path: String...) throws -> Command {
        try #require(Self.everything.first { $0.0 == path }).1
    }

    @Test("help --json has every command, word, option and exit status")
    func document() throws {
        let outcome = Harness(try TemporaryHome()).run(["help", "--json"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let document = try ControlJSON.decode(Document.self, from: Array(outcome.output.utf8))
        #expect(document.schema == 1)
        let nodes = document.commands.flatMap(\.all)
        #expect(nodes.map(\.path) == Self.everything.map(\.0))
        for (node, (path, command)) in zip(nodes, Self.everything) {
            #expect(node.options.map(\.name) == command.options.map { "--" + $0.name }, "\(path)")
            #expect(node.options.map { $0.value?.name } == command.options.map(\.value), "\(path)")
            #expect(node.words.map(\.name) == command.arguments.map(\.name), "\(path)")
            #expect(node.usage == command.words)
        }
        #expect(document.options.map(\.name) == CommandOption.global.map { "--" + $0.name })
        let codes = Set(document.exitCodes.map(\.code))
        let kinds: [ControlError.Kind] = [
            .failed, .usage, .noDaemon, .notFound, .refused, .wrongCode, .timedOut,
            .versionMismatch,
        ]
        #expect(codes.isSuperset(of: kinds.map { ControlError($0, "").exitCode } + [0]))
    }

    @Test("help of one command has its part of the document")
    func part() throws {
        let harness = Harness(try TemporaryHome())
        let outcome = harness.run(["help", "session", "new", "--json"])
        let node = try ControlJSON.decode(Document.Node.self, from: Array(outcome.output.utf8))
        #expect(node.path == ["session", "new"])
        #expect(node.words.map(\.kind) == ["game"])
    }

    @Test("has a kind for every word and value")
    func kinds() {
        var lacking: [String] = []
        for (path, command) in Self.everything {
            let name = path.joined(separator: " ")
            if command.count.upperBound > 0, command.arguments.isEmpty { lacking.append(name) }
            for word in command.arguments where command.kinds[word.name] == nil {
                if word.choices.isEmpty, ArgumentKind(placeholder: word.name) == nil {
                    lacking.append("\(name) \(word.name)")
                }
            }
            for option in command.options {
                guard let value = CommandArgument(valueOf: option), option.kind == nil else {
                    continue
                }
                if value.choices.isEmpty, ArgumentKind(placeholder: value.name) == nil {
                    lacking.append("\(name) --\(option.name) \(value.name)")
                }
            }
        }
        #expect(lacking == [], "say it in `kinds`, `kind` or `choices`, or in ArgumentKind")
    }

    @Test("has the possible words at each position")
    func places() throws {
        func kinds(_ command: Command, after count: Int) -> [ArgumentKind] {
            command.arguments(after: count).map(\.kind)
        }
        let score = try command("score")
        #expect(kinds(score, after: 0) == [.player, .score])
        #expect(kinds(score, after: 1) == [.score])
        #expect(kinds(score, after: 5) == [.score])
        let resolve = try command("resolve")
        #expect(kinds(resolve, after: 0) == [.player])
        #expect(kinds(resolve, after: 1) == [.cell])
        #expect(kinds(resolve, after: 2) == [.text])
        #expect(kinds(resolve, after: 3) == [])
        #expect(kinds(try command("people", "select"), after: 3) == [.person])
        #expect(kinds(try command("player", "restore"), after: 0) == [.removedPlayer])
        #expect(kinds(try command("join"), after: 0) == [.code])
        #expect(
            try command("completions").arguments(after: 0).map(\.choices) == [
                ["bash", "zsh", "fish"]
            ]
        )
    }

    @Test("Exit statuses are in the overview")
    func statuses() throws {
        let help = Harness(try TemporaryHome()).run(["help"]).output
        for (code, meaning) in ExitStatus.all {
            let beginning = meaning.split(separator: ",")[0]
            let isThere = help.split(separator: "\n").contains { line in
                line.hasPrefix("  \(code) ") && line.contains("  \(beginning)")
            }
            #expect(isThere, "\(code)")
        }
    }
}
