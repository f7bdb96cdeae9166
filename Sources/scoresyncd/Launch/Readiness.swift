import CPlatform

/// Tells whoever started the daemon that it answers.
enum Readiness {
    /// Tells `scorectl`, which gave a pipe, and a service manager, which gave a socket.
    static func tell() {
        tellLauncher("\n")
        notify("READY=1\nSTATUS=Keeping scores in sync")
    }

    /// Tells `scorectl` why the daemon cannot start: a full disk keeps that out of the log.
    static func tellFailure(_ reason: String) { tellLauncher("!" + reason) }

    private static func tellLauncher(_ text: String) {
        guard let number = platform_environment("SCORESYNC_READY_FD"),
            let descriptor = Int32(String(cString: number)), descriptor > 2
        else { return }
        let bytes = Array(text.utf8)
        _ = platform_write_all(descriptor, bytes, bytes.count)
        platform_close(descriptor)
    }

    /// Tells a service manager that the daemon is about to end.
    static func tellStopping() { notify("STOPPING=1") }

    private static func notify(_ state: String) {
        // Nobody waits for it where no service manager is.
        _ = platform_notify_service(state)
    }
}
