import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// A score sheet that was worked out by the published rules of its game: what people type, and what
/// it comes to.
///
/// A file of `Tests/Fixtures/Shelf` holds those of one game, with a line `---` between two. What
/// follows a `#` is a remark; the other lines begin with what they are: `game ID`, `with NAME=X`,
/// `players Ann Bob@Reds`, the commands `score …` and `play …` as `scorectl` takes them, and then
/// `totals Ann=3`, `rank Ann=1` (`-` of none) and `finished yes`. Those of teams are told
/// by their names.
struct ShelfExample: CustomTestStringConvertible {
    /// The folder of the files.
    static let folder = "Tests/Fixtures/Shelf"

    /// The file without its ending, and which sheet of it this is.
    let testDescription: String
    private(set) var game = ""
    private(set) var options: [String] = []
    private(set) var players: [Player] = []
    /// The typed words.
    private(set) var commands: [[String]] = []
    private(set) var totals: [String: String] = [:]
    private(set) var ranks: [String: String] = [:]
    private(set) var isFinished: Bool?
    /// The lines that say nothing that is known.
    private(set) var strays: [String] = []

    /// The sheets of all files, file by file.
    static let all: [ShelfExample] = games.flatMap { game in
        let text = (try? ProjectFile.text("\(folder)/\(game).txt")) ?? ""
        return text.split(separator: "\n---\n").enumerated().map { place, sheet in
            ShelfExample("\(game) \(place + 1)", String(sheet))
        }
    }

    /// The names of the files, without the extension.
    static var games: [String] {
        let names = (try? ProjectFile.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
    }

    init(_ name: String, _ text: String) {
        testDescription = name
        for line in text.split(separator: "\n") {
            let said = line.split(separator: "#", omittingEmptySubsequences: false).first ?? ""
            let words = said.split(separator: " ").map(String.init)
            if !words.isEmpty { read(words) }
        }
    }

    private mutating func read(_ words: [String]) {
        let rest = Array(words.dropFirst())
        switch words[0] {
        case "game" where rest.count == 1: game = rest[0]
        case "with": options += rest
        case "players": players = rest.enumerated().map(ShelfExample.player)
        case "score", "play": commands.append(words)
        case "totals": totals = ShelfExample.pairs(rest)
        case "rank": ranks = ShelfExample.pairs(rest)
        case "finished" where rest == ["yes"] || rest == ["no"]: isFinished = rest == ["yes"]
        default: strays.append(words.joined(separator: " "))
        }
    }

    /// `Ann`, or `Ann@Reds` of a team.
    private static func player(_ place: Int, _ word: String) -> Player {
        let parts = word.split(separator: "@", maxSplits: 1).map(String.init)
        return Player(
            id: ScoreSheetsTests.player(UInt64(place + 1)),
            name: parts[0],
            team: parts.count > 1 ? parts[1] : nil
        )
    }

    private static func pairs(_ words: [String]) -> [String: String] {
        words.reduce(into: [:]) { pairs, word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            pairs[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
    }
}
