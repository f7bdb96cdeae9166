import BoardSite
import CPlatform
import ControlSocket
import SyncProtocol

/// One run of the program, from its arguments to its exit status.
enum BoardProgram {
    static func run(_ arguments: [String]) -> Int32 {
        do throws(ControlError) {
            let options = try BoardOptions(arguments)
            switch options.action {
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

    /// Serves until a signal arrives or the time is over.
    private static func serve(_ options: BoardOptions) throws(ControlError) {
        let paths = try ControlPaths.current(chosen: options.home)
        let end = options.duration.map { platform_steady_milliseconds() + $0 } ?? .max
        let signals = [platform_signal_interrupt(), platform_signal_terminate()]
        let ending = unsafe platform_signal_pipe(signals, Int32(signals.count))
        platform_ignore_broken_pipes()
        let location = BoardLocation(options)
        let (server, board) = try listen(options, location, SubmissionQueue(paths))
        defer { server.stop() }
        try announce(options, location.addresses(server.port))
        let watcher = SessionWatcher(
            session: options.session,
            paths: paths,
            board: board,
            allowsPhones: options.allowsPhones,
            ending: ending
        )
        try watcher.run(until: end)
    }

    /// Listens on the chosen port, or on the first free one.
    private static func listen(
        _ options: BoardOptions,
        _ location: BoardLocation,
        _ submissions: SubmissionQueue
    ) throws(ControlError) -> (HTTPServer, Board) {
        let address = options.servesNetwork ? OwnAddress.any : OwnAddress.loopback
        let ports = options.port.map { $0...$0 } ?? BoardOptions.ports
        for port in ports {
            let site = Site(
                location.token,
                hosts: location.hosts(port),
                files: Set(PageFile.all.map(\.name)),
                allowsPhones: options.allowsPhones
            )
            let board = Board(site, address: location.serverAddress(port), submissions)
            do throws(ControlError) {
                return (try HTTPServer(at: address, port: port, board), board)
            } catch {
                if port == ports.upperBound { throw error }
            }
        }
        throw ControlError(.failed, "no port is free")
    }

    /// Prints the URLs, and opens the browser.
    private static func announce(
        _ options: BoardOptions,
        _ addresses: BoardAddresses
    ) throws(ControlError) {
        if options.opensBrowser { openBrowser(addresses.url) }
        if options.isJSON {
            return write(String(decoding: try ControlJSON.encode(addresses), as: UTF8.self) + "\n")
        }
        let screen = Screen.current()
        for address in addresses.lan {
            let code = screen.flatMap { QRCode(address.url)?.lines(on: $0) } ?? []
            write(code.map { "\($0)\n" }.joined() + (code.isEmpty ? "" : "\n"))
            write("    \(address.url)   (\(address.interface))\n\n")
        }
        let url = addresses.url
        let rights = options.allowsPhones ? "see and enter scores" : "see the scores"
        let message =
            switch (options.servesNetwork, addresses.lan.isEmpty) {
            case (false, _): "Board: \(url)\nOnly this laptop can open it. "
            case (true, true): "Not connected to a network. Only this laptop can open \(url). "
            case (true, false): "Anyone with this address can \(rights). "
            }
        write(message + "Press Ctrl-C to stop.\n")
    }

    private static func openBrowser(_ address: String) {
        #if os(macOS)
        let name = "open"
        #else
        let name = "xdg-open"
        #endif
        InstalledProgram(name)?.startDetached([address])
    }

    private static func write(_ text: String, to descriptor: Int32 = 1) {
        _ = unsafe platform_write_all(descriptor, Array(text.utf8), text.utf8.count)
    }
}

// Top-level closures would be isolated to the main actor, so a function does all the work.
platform_exit(BoardProgram.run(Array(CommandLine.arguments.dropFirst())))
