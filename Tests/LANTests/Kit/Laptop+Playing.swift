import LaptopKit
import SyncProtocol

extension Laptop {
    /// Waits until it is the turn of this laptop's player, and plays.
    @discardableResult
    func move(_ words: String...) throws -> PlayReply {
        try run("wait", "--for", "turn", "--timeout", "10")
        return try read(PlayReply.self, ["play"] + words)
    }

    /// Runs a command that the rules must reject, and returns the error.
    func refusal(_ words: String...) throws -> String {
        let outcome = try begin(words).outcome()
        guard outcome.status == 5, outcome.output.isEmpty else {
            throw Failure("not refused on \(name): \(outcome)")
        }
        return outcome.errors
    }

    /// The legal moves of the player to move, on a board.
    var legal: [String] {
        get throws {
            try read(ShowDocument.self, "show").panels.flatMap { panel -> [String] in
                guard case .board(let board) = panel else { return [] }
                return board.legal
            }
        }
    }

    /// Writes a text into a file of this laptop, and returns its path.
    func file(_ file: String, _ text: String) throws -> String {
        let path = "\(home)/\(file)"
        try room.run("cat >'\(path)' <<'END OF FILE'\n\(text)\nEND OF FILE")
        return path
    }
}
