import CPlatform

/// Tells whoever started the daemon that it answers.
enum Readiness {
    /// Tells `scorectl`, which gave a pipe, and a service manager, which gave a socket.
    static func tell() {
        _ = tellLauncher(Array("\n".utf8))
        notify("READY=1\nSTATUS=Keeping scores in sync")
    }

    /// Tells `scorectl` why the daemon cannot start: a full disk keeps that out of the log.
    ///
    /// - Returns: whether it gave a pipe.
    @discardableResult
    static func tellFailure(_ reason: String) -> Bool { tellLauncher(Array("!\(reason)".utf8)) }

    /// Tells what came of something that `scorectl` had done; false where nobody gave a pipe.
    static func tellResult(_ document: [UInt8]) -> Bool { tellLauncher(document) }

    /// Tells how much more of something is done, before what comes of it: a line feed for each
    /// hundredth, which is nothing to who reads only the document behind them.
    static func tellProgress(hundredths: Int) {
        guard let descriptor = launcher else { return }
        let bytes = [UInt8](repeating: 0x0A, count: hundredths)
        _ = platform_write_all(descriptor, bytes, bytes.count)
    }

    private static func tellLauncher(_ bytes: [UInt8]) -> Bool {
        guard let descriptor = launcher else { return false }
        _ = platform_write_all(descriptor, bytes, bytes.count)
        platform_close(descriptor)
        return true
    }

    private static var launcher: Int32? {
        guard let number = platform_environment("SCORESYNC_READY_FD"),
            let descriptor = Int32(String(cString: number)), descriptor > 2
        else { return nil }
        return descriptor
    }

    /// Tells a service manager that the daemon is about to end.
    static func tellStopping() { notify("STOPPING=1") }

    private static func notify(_ state: String) {
        // Nobody waits for it where no service manager is.
        _ = platform_notify_service(state)
    }
}
