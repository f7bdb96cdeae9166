/// The ports of the program.
package enum Ports {
    /// The UDP port of announcements.
    package static let discovery: UInt16 = 47_615
    /// The TCP port that a daemon tries first, and that an address without a port means.
    package static let standard: UInt16 = 47_615
    /// The TCP ports that a daemon listens on: the first that is free.
    package static let listening: ClosedRange<UInt16> = 47_615...47_634

    /// Whether a port that another device named is dialled; one that the user typed always is.
    ///
    /// Anybody may announce any port. With this rule an announcement cannot make daemons knock at a
    /// printer, a router or a web server.
    package static func mayDial(named port: UInt16) -> Bool { listening.contains(port) }
}
