/// What other programs call and people do not: no help lists it, and words are taken as they are.
enum UnlistedCommand {
    /// Does what the words say; nil where they are no such command, else the exit status.
    static func run(_ arguments: [String], _ console: Console) -> Int32? {
        let words = Array(arguments.dropFirst())
        let lines: [String]?
        switch arguments.first {
        case "__complete": lines = ShellCompletion(CommandTree.commands).lines(words, console)
        case "__man": lines = ManualPage.lines(words, console)
        case "__service": lines = ServiceFile.lines(words)
        default: return nil
        }
        guard let lines else { return 2 }
        console.write(Array(lines.map { $0 + "\n" }.joined().utf8))
        return 0
    }
}
