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

/// How bash wants a word: it replaces only what stands behind the last character that breaks words
/// for it (such as `:` and `=`) or behind an open quote, and takes what it is given as it is.
struct BashWord {
    /// What means something to bash outside of quotes.
    private static let special: Set<Character> = [
        " ", "\\", "'", "\"", "`", "$", "&", "|", ";", "<", ">", "(", ")", "{", "}", "[", "]",
        "*", "?", "!", "#", "~", "^",
    ]

    private let quote: Character?
    private let kept: Int

    /// The word at the end of a line, where these characters break words.
    init(_ typed: TypedWords, breakingAt breaks: String) {
        quote = typed.openQuote
        let word = typed.last ?? ""
        if quote != nil {
            kept = word.count - typed.quotedCount
        } else {
            let broken = word.lastIndex { breaks.contains($0) && !Self.special.contains($0) }
            kept = broken.map { word.distance(from: word.startIndex, to: $0) + 1 } ?? 0
        }
    }

    /// What stands in place of the end of the word, so that it becomes another one.
    func replacing(by word: String) -> String {
        let rest = word.dropFirst(kept)
        switch quote {
        case "'": return rest.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
        case .some: return rest.map { "\\\"$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        case nil:
            return rest.map { character in
                let isSpecial = Self.special.contains(character) || character.isWhitespace
                return isSpecial ? "\\\(character)" : String(character)
            }.joined()
        }
    }
}

/// `scorectl completions`.
enum CompletionsCommand {
    static var command: Command {
        Command(
            name: "completions",
            summary: "print the script by which a shell completes commands",
            words: "bash|zsh|fish",
            count: 1...1,
            details: [
                "A package has put it in place already. Else bash reads it from"
                    + " ~/.local/share/bash-completion/completions/scorectl, zsh from a file"
                    + " _scorectl in a directory of $fpath, and fish from"
                    + " ~/.config/fish/completions/scorectl.fish.",
                "Sessions, players, rows and games are completed by asking the daemon, which is"
                    + " never started for that.",
            ],
            examples: [
                ("completions zsh > ~/.zfunc/_scorectl", "where ~/.zfunc is in $fpath"),
                ("completions fish > ~/.config/fish/completions/scorectl.fish", "for fish"),
            ],
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        guard let script = ShellScript.text(for: call.words[0]) else {
            throw Suggestion.unknown(
                "shell",
                call.words[0],
                near: call.words[0],
                among: ShellCompletion.shells
            )
        }
        call.console.write(Array(script.utf8))
    }
}

/// The scripts by which shells complete `scorectl`: each hands over what stands before the cursor,
/// and shows what `scorectl __complete` answers (``ShellCompletion``).
enum ShellScript {
    /// The script of a shell; nil where there is none.
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static let bash = #"""
        # Completes scorectl in bash; made by: scorectl completions bash
        _scorectl() {
            local program=${1/#\~\//$HOME/} line rule=
            type -P "$program" >/dev/null 2>&1 || program=scorectl
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ -z $rule ]]; then rule=$line; else COMPREPLY+=("$line"); fi
            done < <("$program" __complete bash "${COMP_LINE:0:COMP_POINT}" \
                "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
            case $rule in
                open) compopt -o nospace ;;
                files) compopt -o default ;;
                directories) compopt -o dirnames ;;
            esac 2>/dev/null
            return 0
        }
        complete -F _scorectl scorectl

        """#

    private static let zsh = #"""
        #compdef scorectl
        # Completes scorectl in zsh; made by: scorectl completions zsh
        _scorectl() {
            local program=${words[1]/#\~\//$HOME/} head rule line name
            local -a lines plain plainly open openly
            (( $+commands[$program] )) || [[ -x $program ]] || program=scorectl
            head="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX"
            lines=("${(@f)$($program __complete zsh "$head" 2>/dev/null </dev/null)}")
            rule=$lines[1]
            shift lines
            case $rule in
                files) compset -P '--*='; _files; return ;;
                directories) compset -P '--*='; _files -/; return ;;
            esac
            for line in $lines; do
                name=${line%%$'\t'*}
                [[ $line == *$'\t'* ]] && line="$name  -- ${line#*$'\t'}"
                if [[ $name == *= ]]; then
                    open+=("$name"); openly+=("$line")
                else
                    plain+=("$name"); plainly+=("$line")
                fi
            done
            local -a rules=(-M 'm:{a-zA-Z}={A-Za-z}')
            (( $#plain )) && compadd $rules -l -d plainly -a -- plain
            (( $#open )) && compadd $rules -S '' -l -d openly -a -- open
            (( $#plain + $#open ))
        }
        if [[ $funcstack[1] == _scorectl ]]; then
            _scorectl "$@"
        else
            compdef _scorectl scorectl
        fi

        """#

    private static let fish = #"""
        # Completes scorectl in fish; made by: scorectl completions fish
        function __scorectl_complete
            set -l head (commandline -cp | string collect)
            set -l lines (scorectl __complete fish "$head" 2>/dev/null </dev/null)
            switch "$lines[1]"
                case files
                    __fish_complete_path (commandline -ct)
                case directories
                    __fish_complete_directories (commandline -ct)
                case '*'
                    set -e lines[1]
                    printf '%s\n' $lines
            end
        end
        complete -c scorectl -f -a '(__scorectl_complete)'

        """#
}
