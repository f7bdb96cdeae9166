import BoardSite
import CPlatform
import ControlSocket
import SyncProtocol
import Synchronization
import TerminalText

/// The URLs of a board, as `scorectl board --json` prints them.
struct BoardAddresses: Encodable {
    /// The version of the JSON documents.
    let schema = 1
    /// The URL for this laptop.
    let url: String
    /// The URLs for the local network; empty if only this laptop is served.
    let lan: [BoardAddress]
    /// The URL for the local network by the name of this machine; nil if none is known there.
    let name: String?
}

struct BoardAddress: Encodable {
    /// The network interface, such as `wlan0`.
    let interface: String
    let url: String
}

/// One run of the program, from its arguments to its exit status.
enum BoardProgram {
    static func run(_ arguments: [String]) -> Int32 {
        do throws(ControlError) {
            let options = try BoardOptions(arguments)
            switch options.action {
            case .help:
                let columns = Terminal.ofThisProcess.helpColumns
                print(ProgramHelp(BoardOptions.help).lines(columns: columns))
            case .version: print("scoresync-board \(Versions.program)")
            case .code(let text): try printCode(of: text)
            case .serve: try serve(options)
            }
            return 0
        } catch {
            if !LaunchPipe.send(Array("!\(error.text)".utf8)) {
                let command = arguments.first == "--qr" ? "export" : "board"
                inform("scorectl \(command): \(error.text)")
            }
            return error.exitCode
        }
    }

    /// Serves until a signal arrives or the time is over.
    private static func serve(_ options: BoardOptions) throws(ControlError) {
        let paths = try ControlPaths.current(chosen: options.home)
        let signals = [platform_signal_interrupt(), platform_signal_terminate()]
        let signal = unsafe platform_signal_pipe(signals, Int32(signals.count))
        platform_ignore_broken_pipes()
        if options.servesOwner { return try serveOwner(paths, signal) }
        let end = options.duration.map { ContinuousClock.now + .milliseconds($0.milliseconds) }
        let file = KeysFile(KeysFile.board, in: paths)
        let board = Board(
            paths,
            keys(file, renewing: options.renewsLinks),
            keptIn: file,
            allowsPhones: options.allowsPhones
        )
        let site = Site(
            files: PageFile.names,
            roles: options.allowsPhones ? [.viewer, .player] : [.viewer]
        )
        let server = try listen(
            at: board.keys.port,
            only: options.port,
            board,
            site,
            isNetwork: options.servesNetwork
        )
        defer {
            board.close()
            server.stop()
        }
        board.changeKeys { keys, _ in keys.port = server.port }
        if options.servesNetwork { board.setNetworkPort(server.port) }
        try announce(options, board, server.port)
        try watcher(board, session: options.session, endings: [signal]).run(until: end)
        if let end, ContinuousClock.now >= end, !options.isJSON {
            print("The board has ended, as --for said.")
        }
    }

    /// The time in milliseconds after which the app ends without an open page.
    private static let idleMilliseconds: Int64 = 3_600_000

    /// Serves the app of this laptop's owner until it is ended, or an hour after its last page.
    private static func serveOwner(_ paths: ControlPaths, _ signal: Int32) throws(ControlError) {
        guard let file = KeysFile(KeysFile.app, in: paths) else {
            let reason = "the app is running already, or \(paths.state) is read-only"
            throw ControlError(.failed, reason)
        }
        var pipe: [Int32] = [-1, -1]
        guard unsafe platform_pipe(&pipe) >= 0 else {
            throw ControlError(.failed, "cannot create a pipe")
        }
        let board = Board(paths, keys(file), keptIn: file, quittingBy: pipe[1])
        let site = Site(files: PageFile.names, roles: [.viewer, .player, .owner])
        let server = try listen(at: board.keys.port, board, site, isNetwork: false)
        defer {
            board.close()
            server.stop()
        }
        board.changeKeys { keys, _ in keys.port = server.port }
        // Without a free port phones are not served, which the app shows.
        if board.keys.isShared { try? board.share(true) }
        file.publish("http://127.0.0.1:\(server.port)\(board.keys.owner.path)")
        LaunchPipe.send([UInt8(ascii: "\n")])
        let lastPage = Mutex(platform_steady_milliseconds())
        let watcher = watcher(board, waits: true, endings: [signal, pipe[0]]) {
            let now = platform_steady_milliseconds()
            if board.feeds.pageCount > 0 { lastPage.withLock { $0 = now } }
            return now - lastPage.withLock(\.self) < idleMilliseconds
        }
        try watcher.run(until: nil)
    }

    private static func watcher(
        _ board: Board,
        session: String? = nil,
        waits: Bool = false,
        endings: [Int32],
        isNeeded: @escaping @Sendable () -> Bool = { true }
    ) -> SessionWatcher {
        SessionWatcher(
            session: session,
            paths: board.paths,
            broadcast: board.feeds.main,
            board: board,
            waitsForSession: waits,
            endings: endings,
            isNeeded: isNeeded
        )
    }

    /// Returns the keys that are kept in the home, or new ones.
    private static func keys(_ file: KeysFile?, renewing: Bool = false) -> BoardKeys {
        var generator = SystemRandomNumberGenerator()
        var keys = file?.read() ?? BoardKeys(using: &generator)
        if renewing { keys.renewLinks(using: &generator) }
        return keys
    }

    /// Ports to try if all usual ones are in use, such as by boards of other users.
    private static let otherPorts: ClosedRange<UInt16> = 49_152 ... .max

    /// Listens on a chosen port, or on that of the last time, the first free one of the usual ones,
    /// or any.
    static func listen(
        at last: UInt16?,
        only chosen: UInt16? = nil,
        _ board: Board,
        _ site: Site,
        isNetwork: Bool
    ) throws(ControlError) -> HTTPServer {
        let usual = (last.map { [$0] } ?? []) + Array(BoardOptions.ports)
        let others = (0..<8).map { _ in UInt16.random(in: otherPorts) }
        let ports = chosen.map { [$0] } ?? usual + others
        for port in ports {
            let door = Board.Door(site: site, port: port, servesNetwork: isNetwork)
            do throws(ControlError) { return try HTTPServer(door, board) } catch {
                if port == ports.last { throw error }
            }
        }
        throw ControlError(.failed, "no port is free")
    }

    /// Prints the URLs, and opens the browser.
    private static func announce(
        _ options: BoardOptions,
        _ board: Board,
        _ port: UInt16
    ) throws(ControlError) {
        let path = board.keys.viewer.path
        let addresses = BoardAddresses(
            url: "http://127.0.0.1:\(port)\(path)",
            lan: board.addresses.map {
                BoardAddress(interface: $0.interface, url: "http://\($0.urlHost):\(port)\(path)")
            },
            name: board.namedURL.map { $0 + path }
        )
        if options.opensBrowser { InstalledProgram.browser?.startDetached([addresses.url]) }
        if options.isJSON {
            return write(String(decoding: try ControlJSON.encode(addresses), as: UTF8.self) + "\n")
        }
        let screen = Screen.current()
        for (index, address) in addresses.lan.enumerated() {
            // Others scan the first one.
            let code = index > 0 ? [] : screen.flatMap { QRCode(address.url)?.lines(on: $0) } ?? []
            write(code.map { "\($0)\n" }.joined() + (code.isEmpty ? "" : "\n"))
            write("    \(address.url)   (\(address.interface))\n\n")
        }
        if let name = addresses.name { write("    \(name)   (by name)\n\n") }
        let url = addresses.url
        let rights = options.allowsPhones ? "see and enter scores" : "see the scores"
        let message =
            switch (options.servesNetwork, addresses.lan.isEmpty) {
            case (false, _): "Only this laptop can open it. "
            case (true, true): "Not connected to a network. Only this laptop can open \(url). "
            case (true, false): "Anyone with this address can \(rights). "
            }
        if !options.servesNetwork { print("Board: \(url)") }
        print(message + ending(options))
        if options.allowsPhones, !options.servesNetwork {
            inform("Phones cannot reach it: --enter needs --lan")
        }
    }

    private static func printCode(of text: String) throws(ControlError) {
        guard let screen = Screen.current() else {
            throw ControlError(.usage, "a QR code needs a terminal")
        }
        guard let code = QRCode(text) else {
            throw ControlError(.failed, "too long for a QR code (\(text.utf8.count) bytes)")
        }
        let lines = code.lines(on: screen)
        guard !lines.isEmpty else {
            let columns = code.columns(on: screen)
            throw ControlError(
                .failed,
                "the QR code is \(columns) columns wide, and this terminal \(screen.columns)",
                hint: "make the letters of the terminal smaller, or its window larger"
            )
        }
        write(lines.map { "\($0)\n" }.joined())
    }

    /// Returns the sentence that says how the board ends.
    private static func ending(_ options: BoardOptions) -> String {
        guard let duration = options.duration else { return "Press Ctrl-C to stop." }
        let now = platform_wall_milliseconds()
        let end = now + duration.milliseconds
        let isToday = LocalTime.date(now) == LocalTime.date(end)
        let date = isToday ? "" : LocalTime.date(end) + " "
        return "It ends at \(date)\(LocalTime.timeOfDay(end)); press Ctrl-C to stop it before."
    }

    private static func print(_ text: String) { print([Line(text)]) }

    private static func print(_ lines: [Line]) { write(Terminal.ofThisProcess.page(lines)) }

    private static func inform(_ text: String) {
        write(Terminal.ofThisProcess.message(text) + "\n", to: 2)
    }

    private static func write(_ text: String, to descriptor: Int32 = 1) {
        _ = unsafe platform_write_all(descriptor, Array(text.utf8), text.utf8.count)
    }
}

// Top-level closures would be isolated to the main actor, so a function does all the work.
platform_exit(BoardProgram.run(Array(CommandLine.arguments.dropFirst())))
