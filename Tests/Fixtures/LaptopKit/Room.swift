/// Where processes of a laptop run: this machine, or namespaces of its own.
///
/// A shell holds the room open, and its namespaces with it. It ends when this process does, however
/// that happens, and then kills the daemon that it was told of.
package final class Room {
    /// The words before a program that is to run in this room.
    package let entrance: [String]
    /// The words before a program that needs only the files of this room.
    package let fileEntrance: [String]
    /// The process that holds the namespaces.
    package var holder: Int32 { shell.process }
    private let shell: Running

    /// An ordinary place on this machine.
    package convenience init() throws {
        try self.init(holdingBy: [], enteringBy: { _ in [] }, files: { _ in [] })
    }

    /// A room whose shell is started by some words, with words that enter it for a process id.
    package init(
        holdingBy words: [String],
        enteringBy entrance: (Int32) -> [String],
        files: (Int32) -> [String],
        first: String = ":"
    ) throws {
        let script = """
            \(first) || exit 1
            echo ready
            while read -r line; do last=$line; done
            case $last in '' | -) ;; *) kill -9 "$last" ;; esac
            """
        shell = try Running(words + ["/bin/sh", "-c", script], .conversing)
        guard try shell.firstLine() == "ready" else { throw Failure("no room: \(words)") }
        self.entrance = entrance(shell.process)
        fileEntrance = files(shell.process)
    }

    deinit {
        // Not killed: it ends by itself, and the namespaces with it.
        _ = try? shell.outcome(within: .seconds(5))
    }

    /// Names the process that must not outlive this one; nil: there is none.
    package func guardAgainstLeaving(_ process: Int32?) {
        shell.tell(process.map(String.init) ?? "-")
    }

    /// Runs a shell script in this room and returns what it prints.
    @discardableResult
    package func run(_ script: String) throws -> String {
        let words = entrance + ["/bin/sh", "-ec", script]
        let outcome = try Running(words, .captured).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }
}
