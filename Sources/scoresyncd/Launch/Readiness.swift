import CPlatform

/// Tells whoever started the daemon that it answers.
enum Readiness {
    /// Tells `scorectl`, which gave a pipe, and a service manager, which gave a socket.
    static func tell() {
        if let text = platform_environment("SCORESYNC_READY_FD"),
            let descriptor = Int32(String(cString: text)), descriptor > 2
        {
            _ = platform_write_all(descriptor, [UInt8(ascii: "\n")], 1)
            platform_close(descriptor)
        }
        notify("READY=1\nSTATUS=Keeping scores in sync")
    }

    /// Tells a service manager that the daemon is about to end.
    static func tellStopping() { notify("STOPPING=1") }

    private static func notify(_ state: String) {
        // Nobody waits for it where no service manager is.
        _ = platform_notify_service(state)
    }
}
