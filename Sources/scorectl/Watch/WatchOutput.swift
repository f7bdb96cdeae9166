import SyncProtocol

/// Where `watch` shows what it is told.
protocol WatchOutput: AnyObject {
    /// What can be read when somebody wants something: signals and keys.
    var sources: [Int32] { get }
    /// The id of the session that is shown; nil before anything was.
    var session: String? { get }

    /// For how many milliseconds what is shown can stay as it is.
    var patience: Int { get }

    /// Takes an event in and shows what it comes to.
    func show(_ event: WatchEvent) throws(ControlError)
    /// The session to watch in place of the one that is shown, once; nil to stay.
    func nextSession() -> String?
    /// Shows the same again, because time has passed.
    func redraw()
    /// Tells that the daemon has gone.
    func lost()
    /// Does what is asked for where something can be read; false when that ended the view.
    func attend() -> Bool
    /// Ends, and leaves the last sheet behind.
    func end()
}
