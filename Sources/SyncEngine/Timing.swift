/// All durations of the engine, in milliseconds.
package enum Timing {
    // MARK: Links

    /// The maximum time until a peer must have said hello.
    package static let helloTimeout: UInt64 = 5_000
    package static let pingAfter: UInt64 = 5_000
    /// The time after which a link with an unanswered ping is dead.
    package static let pingTimeout: UInt64 = 10_000
    /// The silence after which a peer is pinged even if it keeps announcing itself, because
    /// announcements can be forged.
    package static let maxSilence: UInt64 = 120_000
    /// The time for which an announcement by a peer that misses no other peer replaces the pings on
    /// its links: slightly longer than the interval of announcements.
    package static let announcementLifetime: UInt64 = 13_000
    /// The interval at which the receiver of a long delta reports progress, because it sends
    /// nothing else meanwhile.
    package static let progressInterval: UInt64 = 2_000
    /// The difference in age up to which two links between the same instances count as opened at
    /// once.
    package static let simultaneousOpening: UInt64 = 5_000
    /// The silence after which an announcement of the peer causes a ping, and the usual time after
    /// which an unanswered ping makes its link doubtful.
    package static let suspiciousSilence: UInt64 = 1_000
    /// The silence of a link, at the time a duplicate is opened, after which it may be dead.
    package static let doubtfulSilence: UInt64 = 300
    /// The timeout of a ping after this machine's network changed, which cuts links silently;
    /// short, because a needless second link costs less than waiting.
    package static let networkChangeTimeout: UInt64 = 50
    /// The time after which an unanswered delta makes its link doubtful.
    package static let answerTimeout: UInt64 = 300
    /// The timeout of the ping on a doubtful link, after which the peer is dialled at other
    /// addresses.
    package static let doubtTimeout: UInt64 = 500
    /// The difference between two clocks above which an alarm is raised.
    package static let clockSkewThreshold: Int64 = 10_000

    // MARK: Dialling

    /// The maximum duration of a dial: TCP connection and TLS handshake.
    package static let maxDial: UInt64 = 10_000
    /// The minimum time between two dials of one address for one session.
    package static let dialSpacing: UInt64 = 500
    /// The backoff before a failed address is dialled again.
    package static let redialBackoff: ClosedRange<UInt64> = 500...15_000
    /// The maximum backoff in a finished session: a member that was missing at the end of the game
    /// may have left, and need not be searched for often.
    package static let maxFinishedRedial: UInt64 = 600_000
    /// The pause before a member with the same finished session is polled again: it may have
    /// written since and be unable to dial.
    package static let finishedPoll: ClosedRange<UInt64> = 600_000...21_600_000
    /// The maximum time for which announcements from an address are ignored after they named
    /// instances that were not there.
    package static let maxDistrust: UInt64 = 60_000
    /// The number of failed dials after which an address where no member ever answered is dropped.
    package static let maxFailedDials = 8
    /// The time after which a known address is sent to a peer again, which may have dropped it
    /// meanwhile: as long as `maxFailedDials` dials take.
    static let addressResendInterval: UInt64 = 60_000

    // MARK: Announcements

    /// The times of the announcements of a burst, relative to its start.
    package static let burst: [UInt64] = [0, 100, 500, 2_000]
    /// The minimum time between two bursts that peers cause.
    package static let burstSpacing: UInt64 = 2_000
    /// The time for which announcements stay frequent after the loss of a peer.
    package static let searchDuration: UInt64 = 120_000
    /// The interval of announcements after a peer was lost, and while an invite is open.
    package static let searchingInterval: UInt64 = 1_000
    /// The interval of announcements while a known peer is missing.
    package static let missingInterval: UInt64 = 5_000
    /// The interval of announcements while all known peers are linked: their cost grows with the
    /// number of devices, and they replace pings, whose number grows with that of links, which is
    /// much larger.
    package static let completeInterval: UInt64 = 10_000
    /// The maximum interval of announcements of finished sessions, whose number only grows.
    package static let finishedInterval: UInt64 = 300_000

    // MARK: Exchange

    /// The time for which a delta that another device is sending to a peer is not forwarded to the
    /// peer.
    package static let forwardAfter: UInt64 = 200
    /// The maximum time after which the sender of a delta reports to the receivers who has it.
    package static let reportDelay: UInt64 = 100
    /// The minimum time between two `need` messages of a peer; a peer that repeatedly sends them
    /// faster breaks the protocol.
    package static let needSpacing: UInt64 = 500
    /// The pause between two unions of a link after the first `Exchange.maxUnions`.
    static let unionSpacing: UInt64 = 30_000

    // MARK: Disk

    /// The backoff before a session that could not be read is read again.
    package static let reloadBackoff: ClosedRange<UInt64> = 5_000...60_000
    /// The backoff before deltas that could not be saved are requested again.
    package static let refusedBackoff: ClosedRange<UInt64> = 1_000...30_000

    // MARK: Backoff

    /// Returns the pause after `last`: twice as long, within the range; `last` is 0 for the first
    /// one.
    static func nextPause(after last: UInt64, in range: ClosedRange<UInt64>) -> UInt64 {
        min(range.upperBound, max(range.lowerBound, last * 2))
    }

    /// Returns a pause that is changed randomly by up to a fifth, so that devices that started
    /// together drift apart; `jitter` is between 0 and 1.
    static func jittered(_ pause: UInt64, _ jitter: Double) -> UInt64 {
        UInt64(Double(pause) * (0.8 + 0.4 * jitter))
    }
}
