import ControlSocket
import LaptopKit
import SyncProtocol
import SyncTestKit
import Testing

/// Random games, whose daemon is killed again and again.
@Suite(.timeLimit(.minutes(10)))
struct RandomGameTests {
    /// A step of a game, which the rules may refuse.
    private func step(_ game: String, _ client: ControlClient, _ random: inout SeededGenerator) {
        let name = random.pick(["Ann", "Bob", "Cem"]) ?? ""
        let round = random.index(below: 6) + 1
        let number = random.index(below: 40)
        let squares = (0..<8).flatMap { file in (1...8).map { "\(Array("abcdefgh")[file])\($0)" } }
        let moves = game == "reversi" ? squares : ["60", "T20 MISS MISS", "45", "1", "20 20 20"]
        do throws(ControlError) {
            switch random.index(below: 14) {
            case 0: _ = try client.call(.undo, .init())
            case 1: _ = try client.call(.addPlayers, .init(names: ["Cem"]))
            case 2: _ = try client.call(.removePlayers, .init(players: [name]))
            case 3: _ = try client.call(.restorePlayers, .init(players: [name]))
            case 4: _ = try client.call(.shufflePlayers, .init())
            case 5: _ = try client.call(.setTeam, .init(team: "Reds", players: [name]))
            case 6: _ = try client.call(.finish, .init(finished: random.happens(30)))
            case 7: _ = try client.call(.clear, .init(words: [name, "round.\(round)"]))
            default:
                guard game != "rounds" else {
                    let words = [name, "round.\(round)=\(number)"]
                    _ = try client.call(.score, .init(words: words))
                    return
                }
                for move in moves.shuffled(using: &random).prefix(8) {
                    let words = move.split(separator: " ").map(String.init)
                    if (try? client.call(.play, .init(words: words))) != nil { return }
                }
            }
        } catch {
            // Refused by the rules.
        }
    }

    @Test(
        "A game of random steps with kills shows after each what it showed before",
        arguments: ["rounds", "darts", "cricket", "reversi"],
        [1] as [UInt64]
    )
    func games(game: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let laptop = try Laptop("ann-laptop")
        func client() throws -> ControlClient {
            try ControlClient(path: laptop.home + "/control.sock", client: "test")
        }
        try laptop.start("--no-discovery", "--log-level", "error")
        try laptop.run("session", "new", game, "--player", "Ann", "--player", "Bob")
        var connection = try client()
        var kills = 0
        for number in 1...120 {
            step(game, connection, &random)
            guard random.happens(10) else { continue }
            let before = try connection.call(.show, .init()).document
            let history = try connection.call(.history, .init()).items.count
            laptop.kill()
            kills += 1
            try laptop.start("--no-discovery", "--log-level", "error")
            connection = try client()
            let after = try connection.call(.show, .init()).document
            #expect(after == before, "\(game), seed \(seed), step \(number)")
            #expect(try connection.call(.history, .init()).items.count == history, "seed \(seed)")
        }
        #expect(kills > 4)
        #expect(try !connection.call(.history, .init()).items.isEmpty, "\(game), seed \(seed)")
    }
}
