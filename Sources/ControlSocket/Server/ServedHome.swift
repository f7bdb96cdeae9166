/// Whose daemon answers, for the negotiation: two homes may share a runtime directory.
struct ServedHome: Sendable {
    /// The daemon's version.
    let program: String
    /// Which build it is, where that is known.
    let build: ProgramBuild?
    /// The words with which it was started, as it tells them.
    let options: [String]
    /// The versions of the control interface that it speaks.
    let versions: ClosedRange<Int>
    /// The directory of its state, as it was named when the daemon began.
    let path: String
    private let identity: FileIdentity?

    /// A daemon of this version over a home that is there.
    init(
        _ path: String,
        program: String,
        build: ProgramBuild? = nil,
        options: [String] = [],
        speaking versions: ClosedRange<Int>
    ) {
        self.path = path
        self.program = program
        self.build = build
        self.options = options
        self.versions = versions
        identity = FileIdentity(at: path)
    }

    /// Whether a caller means this home, whatever way the path goes.
    func isMeant(by home: String) -> Bool {
        home == path || (identity != nil && FileIdentity(at: home) == identity)
    }
}
