/// Whose daemon answers, for the negotiation: two homes may share a runtime directory.
struct ServedHome: Sendable {
    /// The daemon's version.
    let program: String
    /// The directory of its state, as it was named when the daemon began.
    let path: String
    private let identity: FileIdentity?

    /// A daemon of this version over a home that is there.
    init(_ path: String, program: String) {
        self.path = path
        self.program = program
        identity = FileIdentity(at: path)
    }

    /// Whether a caller means this home, whatever way the path goes.
    func isMeant(by home: String) -> Bool {
        home == path || (identity != nil && FileIdentity(at: home) == identity)
    }
}
