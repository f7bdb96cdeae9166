import TerminalText
import Testing

@testable import scorectl

@Suite("Help")
struct HelpTests {
    private static func all(_ commands: [Command], _ path: [String] = []) -> [([String], Command)] {
        commands.flatMap { command in
            let path = path + [command.name]
            return [(path, command)] + all(command.subcommands, path)
        }
    }

    private static var everything: [([String], Command)] { all(CommandTree.commands) }

    @Test("exists for every command, in at most 80 columns")
    func pages() {
        for (path, command) in Self.everything {
            let lines = HelpPage(command: command, path: path, columns: 80).lines
            let name = path.joined(separator: " ")
            #expect(lines.count > 3, "\(name)")
            #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."), "\(name)")
            #expect(lines.contains { $0.text.hasPrefix("Usage: scorectl \(name)") }, "\(name)")
            for line in lines { #expect(line.width <= 80, "\(name): \(line.text)") }
            for option in command.options {
                #expect(lines.contains { $0.text.contains("--\(option.name)") }, "\(name)")
            }
        }
        let overview = HelpPage.overview(of: CommandTree.commands, 80)
        for line in overview { #expect(line.width <= 80, "\(line.text)") }
        for command in CommandTree.commands {
            #expect(overview.contains { $0.text.hasPrefix("  \(command.name) ") })
        }
    }

    @Test("is as wide as the terminal, up to 100 columns, except commands to copy")
    func width() throws {
        let harness = Harness(try TemporaryHome())
        let pages =
            [[], ["environment"], ["files"], ["words"], ["exit-codes"]] + Self.everything.map(\.0)
        for columns in [40, 60, 80, 200] {
            var widest = 0
            for page in pages {
                let words = ["help", "--color", "never"] + page
                let text = harness.run(words, columns: columns).output
                // Commands and paths are not broken.
                for line in text.split(separator: "\n")
                where !line.hasPrefix("  scorectl ") && !line.contains("/") {
                    let width = TextWidth.of(String(line))
                    #expect(width <= min(columns, 100), "\(line)")
                    widest = max(widest, width)
                }
            }
            #expect(widest > min(columns, 100) - 3)
        }
    }

    @Test("gives examples that are accepted")
    func examples() throws {
        for (_, command) in Self.everything {
            for example in command.examples {
                let words = example.line.split(separator: " ").map(String.init)
                let line = try ParsedArguments(words, in: CommandTree.commands)
                #expect(line.command?.name == command.name)
            }
        }
    }

    @Test("knows every command of the design by name")
    func complete() {
        let names = Set(Self.everything.map { $0.0.joined(separator: " ") })
        let wanted =
            "session,new,list,show,use,rename,option,invite,finish,reopen,leave"
            + ";games,list,search,show,add,remove,export,check"
            + ";player,add,remove,restore,rename,list,order,shuffle,me;peer,list,add,remove"
            + ";daemon,start,stop,restart,enable,disable,status,logs,offline,online"
            + ";join;completions;score;clear;undo;resolve"
            + ";play;reset;show;watch;board;wait;conflicts;history;status;version;help"
            + ";export;import"
        for group in wanted.split(separator: ";") {
            let parts = group.split(separator: ",")
            for part in parts.dropFirst() { #expect(names.contains("\(parts[0]) \(part)")) }
            #expect(names.contains(String(parts[0])))
        }
    }

    @Test("Options of one name have a value in all commands or in none")
    func options() {
        var takesValue: [String: Bool] = [:]
        let options = Self.everything.flatMap(\.1.options) + CommandOption.global
        for option in options {
            let known = takesValue.updateValue(option.value != nil, forKey: option.name)
            #expect(known == nil || known == (option.value != nil), "--\(option.name)")
        }
    }

    @Test("has no two commands of one name in a group")
    func names() {
        for (path, _) in Self.everything {
            #expect(Self.everything.count { $0.0 == path } == 1, "\(path)")
        }
    }
}
