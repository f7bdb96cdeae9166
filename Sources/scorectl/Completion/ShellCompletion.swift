import ControlSocket
import SyncProtocol

/// `scorectl __complete SHELL LINE [BREAKS]`, which the scripts of the shells call.
///
/// LINE is the command line up to the cursor. The first line of the answer is the kind of the rest:
/// `words`, `open` (words after which no space belongs), `files` or `directories` (which the shell
/// completes itself). A word is followed by a tab and its summary, except for bash, which shows
/// none. It never fails, because a shell would print the error in the middle of the typed line.
struct ShellCompletion {
    static let shells = ["bash", "zsh", "fish"]

    let commands: [Command]

    func lines(_ arguments: [String], _ console: Console) -> [String] {
        guard arguments.count >= 2 else { return [] }
        let typed = ShellWords(arguments[1])
        let context = CompletionContext(
            after: Array(typed.complete.dropFirst()),
            in: commands,
            global: CommandOption.global
        )
        let home = context.options["home"]?.last.map { Self.expandingTilde($0, console) }
        let source = DaemonCandidates(
            try? console.paths(home),
            session: context.options["session"]?.last
        )
        let breaks = arguments.count > 2 ? arguments[2] : ""
        return lines(for: arguments[0], typed, breakingAt: breaks, source)
    }

    func lines(
        for shell: String,
        _ typed: ShellWords,
        breakingAt breaks: String = "",
        _ source: any CandidateSource
    ) -> [String] {
        // The program's own name is still being typed.
        guard !typed.complete.isEmpty else { return [] }
        let partial = typed.last ?? ""
        let completion = Completion(
            commands: commands,
            global: CommandOption.global,
            source: source
        )
        let result = completion.result(after: Array(typed.complete.dropFirst()), beginning: partial)
        var seen: Set<String> = []
        let candidates = result.candidates.filter {
            $0.isPrintable && seen.insert($0.text).inserted
        }.beginning(with: partial, \.text)
        if candidates.isEmpty, let path = result.path {
            return [path == .file ? "files" : "directories"]
        }
        let texts = candidates.map { candidate in
            if shell == "bash" {
                return BashQuoting(typed, breakingAt: breaks).replacement(by: candidate.text)
            }
            return candidate.text + (candidate.summary.isEmpty ? "" : "\t" + candidate.summary)
        }
        return [candidates.contains(where: \.isOpen) ? "open" : "words"] + texts
    }

    private static func expandingTilde(_ path: String, _ console: Console) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = console.environmentVariable("HOME")
        else {
            return path
        }
        return home + path.dropFirst()
    }
}

extension Array {
    /// Returns the elements whose texts begin with a typed text: those in its spelling, because a
    /// capital means a name; if there are none, those in any case.
    func beginning(with partial: String, _ text: (Element) -> String) -> [Element] {
        let exact = filter { text($0).hasPrefix(partial) }
        guard exact.isEmpty else { return exact }
        return filter { text($0).lowercased().hasPrefix(partial.lowercased()) }
    }
}

/// Quoting of a completed word for bash, which replaces only the text after the last break character
/// (such as `:` and `=`) or after an open quote, and inserts it unquoted.
struct BashQuoting {
    /// The characters with a meaning outside of quotes.
    private static let special: Set<Character> = [
        " ", "\\", "'", "\"", "`", "$", "&", "|", ";", "<", ">", "(", ")", "{", "}", "[", "]",
        "*", "?", "!", "#", "~", "^",
    ]

    private let quote: Character?
    /// The length of the part of the word that bash keeps.
    private let kept: Int

    init(_ typed: ShellWords, breakingAt breaks: String) {
        quote = typed.openQuote
        let word = typed.last ?? ""
        if quote != nil {
            kept = word.count - typed.quotedCount
        } else {
            let end = word.lastIndex { breaks.contains($0) && !Self.special.contains($0) }
            kept = end.map { word.distance(from: word.startIndex, to: $0) + 1 } ?? 0
        }
    }

    /// Returns the text to insert, so that the last word is replaced by another one.
    func replacement(by word: String) -> String {
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

enum CompletionsCommand {
    static let command = Command(
        usage: "completions bash|zsh|fish",
        summary: "print the script by which a shell completes commands",
        details: "Packages install it already. Otherwise bash reads it from"
            + " ~/.local/share/bash-completion/completions/scorectl, zsh from a file _scorectl in a"
            + " directory of $fpath, and fish from ~/.config/fish/completions/scorectl.fish.\n"
            + "Sessions, players, rows and games are completed by asking the daemon, which is never"
            + " started for that.",
        examples: [
            ("completions zsh > ~/.zfunc/_scorectl", "where ~/.zfunc is in $fpath"),
            ("completions fish > ~/.config/fish/completions/scorectl.fish", "for fish"),
        ],
        action: .run { call throws(ControlError) in
            let name = call.words[0]
            guard let script = ShellScript.all[name] else {
                let names = ShellCompletion.shells
                throw Suggestion.unknown("shell", name, near: name, among: names)
            }
            call.console.write(Array(script.utf8))
        }
    )
}

/// The completion scripts of shells: each passes the line up to the cursor to
/// `scorectl __complete`, and shows the answer (``ShellCompletion``).
enum ShellScript {
    static let all = ["bash": bash, "zsh": zsh, "fish": fish]

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
