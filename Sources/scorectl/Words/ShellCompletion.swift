import ControlSocket
import SyncProtocol

/// `scorectl __complete SHELL LINE [BREAKS]`: what the scripts of the shells ask.
///
/// The line is what stands before the cursor, the name of the program first. The first line of the
/// answer says what the rest is: `words`, `open` (words behind which no space belongs), `files` or
/// `directories` (which the shell knows itself). A word has its summary behind a tab, but for
/// bash, which shows none. It never fails, for a shell would show that in the middle of a line.
struct ShellCompletion {
    /// The shells that have a script.
    static let shells = ["bash", "zsh", "fish"]

    private let commands: [Command]

    /// What completes these commands.
    init(_ commands: [Command]) { self.commands = commands }

    /// The answer of a call, in lines; `console` knows where the daemon is.
    func lines(_ arguments: [String], _ console: Console) -> [String] {
        guard arguments.count >= 2 else { return [] }
        let typed = TypedWords(arguments[1])
        let whole = Array(typed.complete.dropFirst())
        let place = CommandPosition(after: whole, among: commands, global: CommandOption.global)
        let home = place.options["home"]?.last.map { Self.expanded($0, console) }
        let known = DaemonWords(try? console.paths(home), session: place.options["session"]?.last)
        let breaks = arguments.count > 2 ? arguments[2] : ""
        return lines(for: arguments[0], typed, breakingAt: breaks, known)
    }

    /// The same, with somebody else who knows the words.
    func lines(
        for shell: String,
        _ typed: TypedWords,
        breakingAt breaks: String = "",
        _ known: any KnownWords
    ) -> [String] {
        // The name of the program itself is being typed.
        guard !typed.complete.isEmpty else { return [] }
        let begun = typed.last ?? ""
        let offer = Offer(commands: commands, global: CommandOption.global, known: known)
        let answer = offer.answer(after: Array(typed.complete.dropFirst()), beginning: begun)
        let fitting = Self.fitting(answer.words, begun)
        if fitting.isEmpty, let path = answer.path {
            return [path == .file ? "files" : "directories"]
        }
        let isOpen = fitting.contains(where: \.isOpen)
        let texts = fitting.map { word in
            if shell == "bash" {
                return BashWord(typed, breakingAt: breaks).replacing(by: word.text)
            }
            return word.text + (word.summary.isEmpty ? "" : "\t" + word.summary)
        }
        return [isOpen ? "open" : "words"] + texts
    }

    /// The words that begin as what is typed does; whoever types a capital means a name.
    private static func fitting(_ words: [OfferedWord], _ begun: String) -> [OfferedWord] {
        var seen: Set<String> = []
        let known = words.filter { $0.isHarmless && seen.insert($0.text).inserted }
        let spelled = known.filter { $0.text.hasPrefix(begun) }
        guard spelled.isEmpty else { return spelled }
        return known.filter { $0.text.lowercased().hasPrefix(begun.lowercased()) }
    }

    /// A path as the shell would have made it.
    private static func expanded(_ path: String, _ console: Console) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = console.variable("HOME") else {
            return path
        }
        return home + path.dropFirst()
    }
}
