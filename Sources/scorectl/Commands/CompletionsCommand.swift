import SyncProtocol

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
