/// The limits of the transport on this side; `Limits` has those on which both sides must agree.
package enum TransportLimits {
    /// The number of unsuccessful retransmissions of a segment after which a link counts as
    /// stalled; by then the kernel has waited for more than half a second.
    package static let stalledRetransmissions = 2

    // MARK: Admission

    /// The maximum number of connections whose TLS handshake is not finished.
    package static let unprovenConnections = 64
    /// The number of these connections that are reserved for known addresses.
    package static let reservedForKnown = 16
    /// The maximum number of unfinished connections from one address; connections from loopback,
    /// which all users of the machine share, count only in total.
    package static let unprovenConnectionsPerAddress = 8
    /// The maximum number of bytes read from a connection before its TLS handshake is finished.
    package static let handshakeBytes = 16 << 10
    /// The number of connections that the kernel queues until they are accepted.
    package static let backlog: Int32 = 128
    /// The pause in accepting after descriptors have run out.
    package static let descriptorShortageBackoff = Duration.milliseconds(200)

    // MARK: Links

    /// The maximum number of plain bytes passed to TLS at once: one write of 10 MB took thirty
    /// times as long as the same bytes in pieces of this size.
    package static let pieceBytes = 64 << 10
    /// The maximum number of bytes read by one system call.
    package static let readBytes = 64 << 10
    /// The number of reads, accepts or datagrams per event before other events have their turn.
    package static let turnsPerEvent = 16
    /// The number of frames of one link that may be read in a burst.
    package static let frameBurst = 256
    /// The maximum number of frames per second that are read from one link over time.
    ///
    /// Users who all type at once stay far below it, and handling that many short frames takes a few
    /// per cent of a processor core.
    package static let framesPerSecond = 1_000
    /// The pause in reading a link that has used up its tokens, after which a few frames are read
    /// at once.
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
    /// The minimum pause between two attempts if a hint asks for one, because one machine may be
    /// heard ten times in a millisecond.
    package static let minAttemptSpacing = Duration.milliseconds(50)
    /// The maximum number of concurrent host name lookups.
    package static let lookups = 8
    /// The maximum number of addresses used from one lookup.
    package static let lookupAddresses = 16

    // MARK: Interfaces

    /// The time for which changes of interfaces are collected after a report, because they come in
    /// bursts.
    package static let interfaceDebounce = Duration.milliseconds(200)
    /// The maximum number of interface addresses that are used.
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
