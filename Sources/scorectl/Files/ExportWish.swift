import ControlSocket
import SyncProtocol

/// What somebody wants to export, and where.
struct ExportWish {
    /// In which form.
    enum Form: String, CaseIterable {
        /// Everything, for `import`.
        case json
        /// A line for each cell.
        case csv
        /// A line for each play that has ended.
        case bgstats

        /// A number of what its lines are about, in words.
        func counted(_ count: Int) -> String {
            switch self {
            case .json: count == 1 ? "1 session" : "\(count) sessions"
            case .csv: count == 1 ? "1 cell" : "\(count) cells"
            case .bgstats: count == 1 ? "1 play" : "\(count) plays"
            }
        }
    }

    /// The form.
    let form: Form
    /// Whether all sessions are meant.
    let isAll: Bool
    /// Whether keys go along.
    let withKeys: Bool
    /// The file; nil is standard output.
    let file: String?
    /// The session as it was named; nil is the current one.
    private let session: String?

    /// What a command line says.
    init(_ call: Invocation) throws(ControlError) {
        let name = call.value("format") ?? Form.json.rawValue
        guard let form = Form(rawValue: name) else {
            let forms = Form.allCases.map(\.rawValue)
            throw ControlError(
                .usage,
                "--format is json, csv or bgstats, not '\(name)'",
                candidates: forms
            )
        }
        self.form = form
        isAll = call.has("all")
        withKeys = call.has("with-key")
        guard form == .json || !withKeys else {
            throw ControlError(.usage, "--with-key goes with --format json only")
        }
        var words = call.words
        if isAll || call.session != nil {
            guard words.count < 2, !(isAll && call.session != nil) else {
                throw ControlError(.usage, "the session is named twice")
            }
            session = call.session
        } else if let first = words.first, words.count == 2 || !ExportWish.isFile(first) {
            session = first
            words.removeFirst()
        } else {
            session = nil
        }
        file = words.first == "-" ? nil : words.first
        guard file != nil || !call.isJSON else {
            throw ControlError(.usage, "--json tells about a file: name one")
        }
    }

    private static func isFile(_ word: String) -> Bool {
        word == "-" || word.contains("/") || word.contains(".")
    }

    /// What is meant, as calls name it; the latest first, so that a next game comes before the one
    /// that names it.
    func sessions(_ client: ControlClient) throws(ControlError) -> [String?] {
        guard isAll else { return [session] }
        return try client.call(SessionListRequest()).sessions.map(\.id)
    }

    /// What is meant, by ids.
    func ids(_ client: ControlClient) throws(ControlError) -> Set<String> {
        var ids: Set<String> = []
        for session in try sessions(client) {
            ids.insert(try client.call(SessionShowRequest(session: session)).session.id)
        }
        return ids
    }
}
