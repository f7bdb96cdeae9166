import BoardKit
import BoardSite
import CPlatform
import CQRencode
import ControlSocket
import Foundation
import Glibc
import LaptopKit
import TerminalText
import Testing

@testable import scoresync_board
@testable import scoresyncd

@Suite("Starting a board")
struct LaunchTests {
    /// The modules of a code by libqrencode itself; true is dark.
    private func modules(of text: String) throws -> [[Bool]] {
        let code = try #require(QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1))
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let data = try #require(code.pointee.data)
        return (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
    }

    /// Reads the modules of terminal lines, with two rows a line or two spaces a module.
    private func shown(_ lines: [String], hasBlocks: Bool) -> [[Bool]] {
        lines.flatMap { line -> [[Bool]] in
            guard hasBlocks else {
                let parts = line.split(separator: "\u{1B}[").dropLast()
                return [parts.map { $0.hasPrefix("40m") }]
            }
            let text = line.drop { $0 != "m" }.dropFirst().prefix { $0 != "\u{1B}" }
            return ["█▀", "█▄"].map { dark in text.map { dark.contains($0) } }
        }
    }

    @Test("prints the QR code of libqrencode with a margin, on any terminal")
    func code() throws {
        let text = "http://192.168.178.100:47640/0123456789abcdef0123456789abcdef/"
        let bare = try modules(of: text)
        let code = try #require(QRCode(text))
        for (columns, hasBlocks, margin) in [
            (160, true, 4), (bare.count + 7, true, 3), (160, false, 4),
        ] {
            let lines = code.lines(on: Screen(columns: columns, hasBlocks: hasBlocks))
            let light = [Bool](repeating: false, count: bare.count + 2 * margin)
            let side = [Bool](repeating: false, count: margin)
            let above = [[Bool]](repeating: light, count: margin)
            let whole = above + bare.map { side + $0 + side } + above
            // The last line may have only one row.
            let seen = shown(lines, hasBlocks: hasBlocks).prefix(whole.count)
            #expect(Array(seen) == whole, "\(columns)")
        }
        #expect(code.lines(on: Screen(columns: bare.count + 1, hasBlocks: true)) == [])
    }

    @Test("prints its help as wide as the terminal, as the daemon does")
    func help() throws {
        for (name, text) in [
            ("scoresync-board", BoardOptions.help), ("scoresyncd", DaemonOptions.help),
        ] {
            for columns in [40, 60, 80, 200] {
                let page = try Running(
                    [try Programs.path(of: name), "--help"],
                    adding: ["COLUMNS=\(columns)"],
                    .captured
                ).outcome().output
                // Commands to copy are not broken.
                let widths = page.split(separator: "\n").filter { !$0.hasPrefix("  \(name) ") }
                    .map { TextWidth.of(String($0)) }
                let widest = try #require(widths.max())
                #expect((min(columns, 100) - 3...min(columns, 100)).contains(widest), "\(page)")
                #expect(ProgramHelp(page) == ProgramHelp(text))
            }
        }
    }

    @Test("prints the addresses of interfaces that are up, and no code into a pipe")
    func addresses() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let board = try RunningBoard(laptop, "--lan")
        let told = board.addresses.lan.map { room in
            "\(room.interface) \(room.url.split(separator: "/")[1].split(separator: ":")[0])"
        }
        #expect(told.sorted() == interfaces().sorted())
        let words = ["board", "--no-open", "--lan", "--for", "1s"]
        let printed = try laptop.begin(words).outcome(within: .seconds(10)).output
        #expect(!printed.contains("\u{1B}") && !printed.contains("█"))
        for room in board.addresses.lan { #expect(printed.contains("(\(room.interface))")) }
    }

    /// A program that answers like avahi: for each address with this name.
    private final class StandIn: Sendable {
        let path: String
        private let socket: Int32

        init(in folder: ScratchDirectory, answering answer: String) throws {
            let path = folder.path + "/avahi"
            let socket = platform_unix_socket()
            try #require(platform_unix_bind(socket, path) >= 0 && platform_listen(socket, 4) >= 0)
            (self.path, self.socket) = (path, socket)
            let thread = Thread {
                while platform_wait(socket, false, -1, -1) == 1 {
                    let client = platform_accept(socket, nil)
                    guard client >= 0 else { return }
                    var question = [UInt8](repeating: 0, count: 256)
                    _ = platform_wait(client, false, -1, 10_000)
                    let count = platform_read(client, &question, question.count)
                    let asked = String(decoding: question[..<max(0, count)], as: UTF8.self)
                    let text = asked.hasPrefix("RESOLVE-ADDRESS ") ? answer : "- unknown\n"
                    _ = platform_write_all(client, Array(text.utf8), text.utf8.count)
                    platform_close(client)
                }
            }
            thread.start()
        }
    }

    @Test("shows and serves the name that avahi defends, and none without avahi")
    func localName() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let scratch = try ScratchDirectory()
        let avahi = try StandIn(in: scratch, answering: "+ 2 0 Kitchen-2.local\n")
        let board = try RunningBoard(
            laptop,
            ["--lan"],
            adding: ["SCORESYNC_TEST_AVAHI=\(avahi.path)"]
        )
        // A machine without a network has no address to ask for.
        guard !board.addresses.lan.isEmpty else { return }
        let host = "kitchen-2.local:\(board.port)"
        #expect(board.addresses.name == "http://\(host)\(board.root)")
        #expect(try board.request("GET", board.root, ["Host": host]).status == 200)
        let other = try board.request("GET", board.root, ["Host": "attic.local:\(board.port)"])
        #expect(other.status != 200)
        let alone = try RunningBoard(
            laptop,
            ["--lan"],
            adding: ["SCORESYNC_TEST_AVAHI=\(scratch.path)/none"]
        )
        #expect(alone.addresses.name == nil)
        #expect(try alone.request("GET", alone.root, ["Host": host]).status != 200)
    }

    @Test("reads only names of multicast DNS from answers of avahi")
    func localNames() {
        #expect(LocalName.parsed("+ 2 0 kitchen.local\n") == "kitchen.local")
        #expect(LocalName.parsed("+ kitchen.local") == "kitchen.local")
        for answer in ["", "-15 Timeout reached\n", "+ 2 0 kitchen.example\n", "+ 2 0 a\"b.local"] {
            #expect(LocalName.parsed(answer) == nil, "\(answer)")
        }
    }

    /// Each interface that is up with its address, without loopback.
    private func interfaces() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        // From <net/if.h>, which Swift imports differently by platform.
        let (up, loopback): (UInt32, UInt32) = (0x1, 0x8)
        var found: [String] = []
        var next = first
        while let each = next?.pointee {
            next = each.ifa_next
            guard let address = each.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                each.ifa_flags & up != 0, each.ifa_flags & loopback == 0
            else { continue }
            var text = [CChar](repeating: 0, count: 64)
            getnameinfo(
                address,
                socklen_t(MemoryLayout<sockaddr_in>.size),
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let host = String(decoding: bytes, as: UTF8.self)
            found.append("\(String(cString: each.ifa_name)) \(host)")
        }
        return found
    }

    @Test("opens the browser of this laptop, unless --no-open is given")
    func browser() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let scratch = try ScratchDirectory()
        let (program, note) = ("\(scratch.path)/xdg-open", "\(scratch.path)/opened")
        // Renamed when complete, so that no reader sees half of it.
        let script = "#!/bin/sh\necho \"$1\" >'\(note).part' && mv '\(note).part' '\(note)'\n"
        try script.write(toFile: "\(note).script", atomically: true, encoding: .utf8)
        // Written by another process: a program that is open for writing cannot be started, and a
        // process that another test starts has for a moment what is open in this one.
        try laptop.room.run("install -m 700 '\(note).script' '\(program)'")
        let path = ["\(scratch.path)", String(cString: getenv("PATH"))].joined(separator: ":")
        for opens in [false, true] {
            let words = [try Programs.path(of: "scoresync-board"), "--home", laptop.home, "--json"]
            let board = try Running(
                words + (opens ? [] : ["--no-open"]),
                adding: ["PATH=\(path)"],
                .captured
            )
            let line = try board.firstLine()
            if opens {
                try eventually(within: .seconds(10), "the browser") { access(note, F_OK) == 0 }
                let url = try String(contentsOfFile: note, encoding: .utf8).dropLast()
                #expect(line.replacing("\\/", with: "/").contains("\"url\":\"\(url)\""))
            }
            board.kill()
            #expect((access(note, F_OK) == 0) == opens)
        }
    }

    @Test("gives phones the address by which the board was opened, if it works for others")
    func host() throws {
        var generator = SystemRandomNumberGenerator()
        let paths = try ControlPaths.current(chosen: "/nowhere")
        let board = Board(paths, BoardKeys(using: &generator), keptIn: nil)
        #expect(board.url(for: "192.168.7.3:47640") == "http://192.168.7.3:47640")
        // Without a network it is the only address.
        #expect(board.url(for: "127.0.0.1:47640") == "http://127.0.0.1:47640")
        board.setNetworkPort(47_641)
        for own in ["127.0.0.1:47640", "localhost:47640", "localhost", ""] {
            #expect(board.url(for: own) == board.networkURL ?? "http://\(own)")
        }
        #expect(board.networkURL?.hasSuffix(":47641") ?? board.addresses.isEmpty)
    }
}
