import BoardSite
import CPlatform
import ControlSocket
import SyncProtocol

/// One run of the board: from the words that were typed to the exit status.
enum Startup {
    /// Serves until it is ended, or its time is over.
    static func run(_ words: [String]) -> Int32 {
        do throws(ControlError) {
            let options = try BoardOptions(words)
            switch options.wish {
            case .help: write(BoardOptions.help)
            case .version: write("scoresync-board \(Versions.program)\n")
            case .serve: try serve(options)
            }
            return 0
        } catch {
            write("scorectl board: \(error.text)\n", to: 2)
            return error.exitCode
        }
    }

    private static func serve(_ options: BoardOptions) throws(ControlError) {
        let paths = try ControlPaths.current(chosen: options.home)
        let end = options.lasting.map { platform_steady_milliseconds() + $0 } ?? .max
        let signals = [platform_signal_interrupt(), platform_signal_terminate()]
        let ending = unsafe platform_signal_pipe(signals, Int32(signals.count))
        platform_ignore_broken_pipes()
        let place = BoardPlace(options)
        let (server, board) = try listen(options, place, Clerk(paths))
        defer { server.stop() }
        try announce(options, place, server.port)
        let follower = Follower(
            session: options.session,
            paths: paths,
            board: board,
            letsPhonesEnter: options.letsPhonesEnter,
            ending: ending
        )
        try follower.run(until: end)
    }

    /// Listens on the port that was asked for, or on the first that is free.
    private static func listen(
        _ options: BoardOptions,
        _ place: BoardPlace,
        _ clerk: Clerk
    ) throws(ControlError) -> (HTTPServer, Board) {
        let address = options.servesRoom ? OwnAddress.any : OwnAddress.loopback
        let wishes = options.port.map { $0...$0 } ?? BoardOptions.ports
        for port in wishes {
            let site = Site(
                place.secret,
                hosts: place.hosts(port),
                files: Set(PageFile.all.map(\.name)),
                letsPhonesEnter: options.letsPhonesEnter
            )
            let board = Board(site, address: place.roomAddress(port), clerk)
            do throws(ControlError) {
                return (try HTTPServer(at: address, port: port, board), board)
            } catch {
                if port == wishes.upperBound { throw error }
            }
        }
        throw ControlError(.failed, "no port is free")
    }

    /// Says where it is, and opens the browser.
    private static func announce(
        _ options: BoardOptions,
        _ place: BoardPlace,
        _ port: UInt16
    ) throws(ControlError) {
        let addresses = place.addresses(port)
        if options.opensBrowser { openBrowser(addresses.url) }
        if options.isJSON {
            return write(String(decoding: try ControlJSON.encode(addresses), as: UTF8.self) + "\n")
        }
        let screen = Screen.current()
        for room in addresses.lan {
            let code = screen.flatMap { QRCode(room.url)?.lines(on: $0) } ?? []
            write(code.map { "\($0)\n" }.joined() + (code.isEmpty ? "" : "\n"))
            write("    \(room.url)   (\(room.interface))\n\n")
        }
        let own = addresses.url
        let deeds = options.letsPhonesEnter ? "sees the scores and enters" : "sees the scores"
        let words =
            switch (options.servesRoom, addresses.lan.isEmpty) {
            case (false, _): "The board: \(own)\nIt is for this laptop only. "
            case (true, true): "No network is up: the board is at \(own) on this laptop only. "
            case (true, false): "Whoever has the address \(deeds). "
            }
        write(words + "Ctrl-C ends it.\n")
    }

    private static func openBrowser(_ address: String) {
        #if os(macOS)
        let name = "open"
        #else
        let name = "xdg-open"
        #endif
        InstalledProgram(name)?.startInSilence([address])
    }

    private static func write(_ text: String, to descriptor: Int32 = 1) {
        _ = unsafe platform_write_all(descriptor, Array(text.utf8), text.utf8.count)
    }
}

/// Outside of the main actor, to which everything in this file would belong.
platform_exit(Startup.run(Array(CommandLine.arguments.dropFirst())))
