/// The limits of the transport, except those on which both ends must agree (`Limits`).
package enum TransportLimits {
    /// The number of vain retransmissions of one segment after which a link counts as stalled: the
    /// kernel has waited for more than half a second then.
    package static let stalledRetransmissions = 2

    // MARK: Admission

    /// The maximum number of connections whose TLS handshake is not finished.
    package static let unprovenConnections = 64
    /// The number of these connections that is reserved for known addresses.
    package static let reservedForKnown = 16
    /// The maximum number of unfinished connections from one address; loopback counts in total
    /// only, because all users of one machine share it.
    package static let unprovenConnectionsPerAddress = 8
    /// The maximum number of bytes read from a connection before its TLS handshake is finished.
    package static let handshakeBytes = 16 << 10
    /// The number of connections that the kernel keeps waiting.
    package static let backlog: Int32 = 128
    /// The pause in accepting when descriptors have run out.
    package static let descriptorShortageBackoff = Duration.milliseconds(200)

    // MARK: Links

    /// The maximum number of plain bytes given to TLS at once: one write of 10 MB took thirty times
    /// as long as the same bytes in pieces of this size.
    package static let pieceBytes = 64 << 10
    /// The maximum number of bytes read by one call.
    package static let readBytes = 64 << 10
    /// The number of reads, accepts or datagrams of one event before others get their turn.
    package static let turnsPerEvent = 16
    /// The number of frames of one link that may be read in a burst.
    package static let frameBurst = 256
    /// The maximum sustained number of frames of one link read per second: friends who all type at
    /// once come nowhere near, and that many short frames take a few hundredths of a core.
    package static let framesPerSecond = 1_000
    /// The pause in reading a link that has used up its frames, so that a few are handled together.
    package static let framePause = Duration.milliseconds(20)
    /// The minimum interval between two `.heard` events of one link.
    package static let heardInterval = Duration.seconds(1)
    /// The maximum length of a PSK identity, in bytes of ASCII.
    package static let identityBytes = 64
    /// The length of a pre-shared key, in bytes.
    package static let keyBytes = 32

    // MARK: Dialling

    /// The maximum number of concurrent connection attempts of one dial.
    package static let attempts = 12
    /// The pause between two connection attempts.
    package static let attemptSpacing = Duration.milliseconds(500)
    /// The minimum pause between two attempts when a hint asks for one: a machine that is heard is
    /// often heard ten times in a millisecond.
    package static let minAttemptSpacing = Duration.milliseconds(50)
    /// The maximum number of concurrent host name lookups.
    package static let lookups = 8
    /// The maximum number of addresses used from one lookup.
    package static let lookupAddresses = 16

    // MARK: Interfaces

    /// The time for which changes of interfaces are gathered after a report: they come in bursts.
    package static let interfaceDebounce = Duration.milliseconds(200)
    /// The maximum number of interface addresses considered.
    package static let interfaces = 128
}

/// The time limits of the steps in a link's life; the daemon uses `.standard`, tests others.
package struct LinkDurations: Sendable {
    /// The time limit for the TCP connection.
    package var connect: Duration
    /// The time limit for the TLS handshake after that.
    package var handshake: Duration
    /// The time from the call of `close` until the connection is cut, with or without a goodbye.
    package var goodbye: Duration

    package init(
        connect: Duration = .seconds(3),
        handshake: Duration = .seconds(5),
        goodbye: Duration = .milliseconds(500)
    ) {
        (self.connect, self.handshake, self.goodbye) = (connect, handshake, goodbye)
    }

    package static let standard = LinkDurations()
}
