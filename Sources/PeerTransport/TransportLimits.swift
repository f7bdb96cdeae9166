/// Every number of the transport, in one place; what both ends must agree on is in `Limits`.
package enum TransportLimits {
    /// The most connections whose TLS is not finished.
    package static let unprovenConnections = 64
    /// How many of those places strangers cannot take: they are for known addresses.
    package static let placesForKnown = 16
    /// The most unfinished connections of one address; loopback counts in total only, because all
    /// users of one machine share it.
    package static let unprovenConnectionsPerAddress = 8
    /// The most bytes that are read of a connection before its TLS is finished.
    package static let unprovenBytes = 16 << 10
    /// The connections that the kernel keeps waiting for us.
    package static let backlog: Int32 = 128

    /// The most plain bytes given to TLS at once: one write of 10 MB took thirty times as long as
    /// the same bytes in pieces of this size.
    package static let pieceBytes = 64 << 10
    /// The most bytes read by one call.
    package static let readBytes = 64 << 10
    /// How often one event may read, accept or receive before others get their turn.
    package static let turnsPerEvent = 16
    /// How many frames of one link are read at once.
    package static let framesAtOnce = 256
    /// How many are read each second in the long run: friends who all type at once come nowhere
    /// near, and so much of the shortest takes a few hundredths of a core.
    package static let framesPerSecond = 1_000
    /// How long a link that has used up its frames is left unread, so that a few go together.
    package static let frameRest = Duration.milliseconds(20)
    /// The longest PSK identity, in bytes of ASCII.
    package static let identityBytes = 64
    /// The length of a pre-shared key in bytes.
    package static let keyBytes = 32

    /// The most attempts of one dial to connect that go on side by side.
    package static let attempts = 12
    /// The pause between two of them.
    package static let attemptSpacing = Duration.milliseconds(500)
    /// How long an attempt has at least before somebody who hurries begins another: a machine that
    /// is heard is often heard ten times in a millisecond.
    package static let shortestAttempt = Duration.milliseconds(50)
    /// The shortest time between two `.heard` of one link.
    package static let heardInterval = Duration.seconds(1)
    /// How long accepting rests when descriptors have run out.
    package static let shortageRest = Duration.milliseconds(200)
    /// How long after a report of a change the next one waits: changes come in bursts.
    package static let interfaceDebounce = Duration.milliseconds(200)
    /// The most interface addresses that are looked at.
    package static let interfaces = 128
    /// The most names that are looked up at a time.
    package static let lookups = 8
    /// The most addresses that are taken from one look-up of a name.
    package static let lookupAddresses = 16
}

/// How long a link may take for each step of its life.
///
/// Passed in so that tests can be fast; the daemon uses `.standard`.
package struct LinkDurations: Sendable {
    /// From the first packet to an established TCP connection.
    package var connect: Duration
    /// From there to a finished TLS handshake.
    package var handshake: Duration
    /// From the wish to close until the connection is cut, said goodbye or not.
    package var goodbye: Duration

    /// Durations for each step.
    package init(
        connect: Duration = .seconds(3),
        handshake: Duration = .seconds(5),
        goodbye: Duration = .milliseconds(500)
    ) {
        self.connect = connect
        self.handshake = handshake
        self.goodbye = goodbye
    }

    /// The durations of the daemon: 3 s, 5 s, and half a second for the goodbye.
    package static let standard = LinkDurations()
}
