import Foundation
import LaptopKit
import SyncProtocol
import Testing

/// A board that serves a laptop's current session.
final class Board {
    let address: String
    private let program: Running

    private struct Addresses: Decodable {
        let url: String
    }

    /// Starts a board of the laptop, with additional arguments.
    init(of laptop: Laptop, _ words: String...) throws {
        let line = [try Programs.path(of: "scoresync-board"), "--home", laptop.home]
        program = try Running(line + ["--no-open", "--json"] + words, .captured)
        let said = try program.firstLine()
        address = try JSONDecoder().decode(Addresses.self, from: Data(said.utf8)).url
    }

    /// A port for a board that is started again: those of other tests take the usual ones.
    static var ownPort: String { "\(Int.random(in: 20_000..<30_000))" }

    var port: String {
        String(address.split(separator: "/")[1].split(separator: ":")[1])
    }

    /// Stops the board as Ctrl-C does.
    func stop() throws {
        program.signal(2)
        _ = try program.outcome(within: .seconds(10))
    }
}

extension Laptop {
    /// Starts a board of a laptop with a running daemon and a session of this game and these
    /// players.
    convenience init(playing game: String, _ players: String..., options: String...) throws {
        try self.init(playing: game, players, options: options)
    }

    convenience init(playing game: String, _ players: [String], options: [String] = []) throws {
        try self.init("kitchen")
        try start("--no-discovery")
        let names = players.flatMap { ["--player", $0] }
        let choices = options.flatMap { ["--option", $0] }
        try run(["session", "new", game, "--title", game] + names + choices)
    }

    /// Returns another laptop that has joined the session and is now offline.
    func companionApart() throws -> Laptop {
        let other = try Laptop("porch")
        try other.start("--no-discovery")
        let code = try #require(try read(InviteReply.self, "session", "invite").code)
        let port = try read(StatusReply.self, "status").daemon.port
        try other.run("join", code, "--peer", "127.0.0.1:\(port)")
        try other.run("wait", "--for", "synced", "--timeout", "10")
        try other.run("daemon", "offline")
        return other
    }

    /// Returns the cells of a player as arguments of `scorectl score`.
    func cells(of name: String) throws -> [String] {
        let sheet = try read(ShowDocument.self, "show")
        return sheet.players.filter { $0.name == name }.flatMap(\.cells).map { cell in
            let place = cell.round.map { "\(cell.row).\($0)" } ?? cell.row
            return "\(place)=\(cell.value)"
        }
    }
}

/// Real pages in a real browser.
@Suite(
    .serialized,
    .enabled(if: Browser.isThere, "needs chromium and chromedriver (Debian: chromium-driver)"),
    OwnThread(),
    KeptBrowsers()
)
enum InBrowser {}
