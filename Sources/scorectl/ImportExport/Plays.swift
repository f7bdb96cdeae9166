import ControlSocket
import SessionCRDT
import SyncProtocol

/// Finished plays in the format of the app BG Stats: a line of JSON each, links, or a QR code.
enum Plays {
    /// Writes the plays of sessions, with `--all` also those of sessions that were left, and returns
    /// their number.
    static func write(
        _ options: ExportOptions,
        _ client: ControlClient,
        _ call: Invocation,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        let plays = try plays(options, client)
        for play in plays {
            let line = try options.isOfLinks ? Array(play.link.utf8) : play.json
            try target.write(line + [0x0A])
        }
        if plays.isEmpty { call.inform("No finished plays to export.") }
        return plays.count
    }

    /// Shows the latest play as a QR code; it is drawn by `scoresync-board`, which has the library
    /// for that.
    static func showCode(_ options: ExportOptions, _ call: Invocation) throws(ControlError) {
        guard let play = try plays(options, try call.connect()).first else {
            throw .notFound("no finished play to show")
        }
        guard let program = InstalledProgram("scoresync-board") else {
            throw .failed("scoresync-board is neither next to scorectl nor in PATH")
        }
        try Files.check(program.become(["--qr", try play.link]), "start \(program.path)")
    }

    /// Returns the plays, the latest first.
    private static func plays(
        _ options: ExportOptions,
        _ client: ControlClient
    ) throws(ControlError) -> [BGStatsPlay] {
        let all = try client.call(.results, .init()).items
        let ids = try options.isAll ? nil : options.ids(client)
        return all.filter { ids?.contains($0.session) ?? true }.compactMap { BGStatsPlay($0) }
    }
}
