import ControlSocket
import SyncProtocol

/// Writes sessions as `import` reads them: the daemon makes the lines, page by page.
struct LosslessExport {
    private let client: ControlClient
    private let call: Invocation
    private let wish: ExportWish
    private let target: ExportTarget

    /// An export by a connection.
    init(
        _ client: ControlClient,
        _ call: Invocation,
        _ wish: ExportWish,
        _ target: ExportTarget
    ) {
        self.client = client
        self.call = call
        self.wish = wish
        self.target = target
    }

    /// Writes everything; how many sessions there were.
    func write() throws(ControlError) -> Int {
        let sessions = try wish.sessions(client)
        var progress = Progress("exporting", call.console)
        defer { progress.clear() }
        var header: String?
        for (place, session) in sessions.enumerated() {
            let request = ExportBeginRequest(session: session, withKey: wish.withKeys)
            let begun = try client.call(request)
            if header == nil {
                header = begun.header
                try target.write(Array(begun.header.utf8))
            }
            if begun.isKeyMissing {
                progress.clear()
                call.tell("“\(begun.title)” goes along without key: it has none here.")
            }
            var isLast = false
            while !isLast {
                let page = try client.call(ExportNextRequest())
                try target.write(Array(page.text.utf8))
                isLast = page.isLast
                let share = Double(min(page.rows, begun.rows)) / Double(max(1, begun.rows))
                progress.show((Double(place) + share) / Double(sessions.count))
            }
        }
        guard header != nil else {
            throw ControlError(.notFound, "there is no session here to export")
        }
        try target.write(ExportEnd.line(ofFileWith: sessions.count) + [0x0A])
        return sessions.count
    }
}
