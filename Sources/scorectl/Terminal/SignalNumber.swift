import CPlatform

/// The signals that a live view cares about.
enum SignalNumber {
    /// Ctrl-C.
    case interrupt
    /// Somebody asks the process to end.
    case terminate
    /// The terminal has gone.
    case hangUp
    /// Ctrl-\.
    case quit
    /// The terminal has another size now.
    case resize
    /// Ctrl-Z.
    case stop

    /// Those that end a process that shows something.
    static let ends: [SignalNumber] = [.interrupt, .terminate, .hangUp, .quit]

    /// The number that this system gives it.
    var number: Int32 {
        switch self {
        case .interrupt: platform_signal_interrupt()
        case .terminate: platform_signal_terminate()
        case .hangUp: platform_signal_hang_up()
        case .quit: platform_signal_quit()
        case .resize: platform_signal_resize()
        case .stop: platform_signal_stop()
        }
    }
}
