extension ControlError {
    /// The exit code of `scorectl` for this kind of failure.
    package var exitCode: Int32 {
        switch kind {
        case .failed, .lost: 1
        case .usage: 2
        case .noDaemon: 3
        case .notFound: 4
        case .refused: 5
        case .wrongCode: 6
        case .timedOut: 7
        case .versionMismatch: 8
        }
    }
}
