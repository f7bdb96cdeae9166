import SyncProtocol

/// One laptop of the demo: a home of its own, and a command line that is not printed.
struct DemoLaptop {
    /// Who sits at it.
    let player: String
    /// Where its state is.
    let home: String
    /// The UDP port of the demo's announcements, which no other daemon listens to.
    let port: UInt16

    /// What the laptop is called.
    var name: String { player.lowercased() }

    /// The command that starts its daemon.
    var start: [String] {
        [
            "daemon", "start", "--", "--name", "\(name)-laptop", "--loopback", "--interface", "lo",
            "--discovery-port", "\(port)",
        ]
    }

    /// Runs a command as if it were typed here.
    func run(
        _ words: [String],
        _ console: Console
    ) -> (status: Int32, output: String, errors: String) {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var silent = console
        silent.isInputTerminal = false
        silent.isOutputTerminal = false
        silent.write = { output += $0 }
        silent.writeError = { errors += $0 }
        let status = Program.run(["--home", home] + words, silent)
        return (
            status, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self)
        )
    }
}
