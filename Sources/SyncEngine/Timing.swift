/// Every time of the engine, in milliseconds, in one place.
package enum Timing {
    /// Silence after which a peer is asked whether it is there.
    package static let pingAfter: UInt64 = 5_000
    /// How long an announcement of a peer that misses nobody speaks for the links that come from
    /// where it does: a little longer than the pause before the next.
    package static let announcedLife: UInt64 = 13_000
    /// Silence after which a peer is asked whatever it announces, for anybody can announce.
    package static let longestSilence: UInt64 = 120_000
    /// How long a link lives that does not answer a ping.
    package static let deadAfter: UInt64 = 10_000
    /// How often who takes in the parts of a delta says so: its sender hears nothing meanwhile.
    package static let sign: UInt64 = 2_000
    /// How long a peer may take to say hello.
    package static let helloWithin: UInt64 = 5_000
    /// Age up to which two links of one pair count as opened at the same time.
    package static let sameTime: UInt64 = 5_000
    /// Silence after which an announcement makes a second link worth while.
    package static let suspiciousSilence: UInt64 = 1_000
    /// Silence of a link, when a second one is opened, from which on it may be dead.
    package static let doubtfulSilence: UInt64 = 300
    /// How long a link may take to answer after the network of this machine changed, which cuts
    /// links without a word: a needless second one costs less than a wait.
    package static let changedAnswer: UInt64 = 50
    /// The longest that a dial can take: connecting, and the handshake.
    package static let longestDial: UInt64 = 10_000
    /// The least time between two dials to one address.
    package static let dialSpacing: UInt64 = 500
    /// The first and the longest pause before a failed address is dialled again.
    package static let redial: ClosedRange<UInt64> = 500...15_000
    /// The longest such pause while the session is finished: who was missed there when it ended may
    /// have left it since, and need not be looked for as long as they stay away.
    package static let rarestRedial: UInt64 = 600_000
    /// The first and the longest pause before a member that holds the same of a finished session is
    /// asked whether it still does: it may have written since, and be unable to dial.
    package static let poll: ClosedRange<UInt64> = 600_000...21_600_000
    /// The longest time for which an address is not believed that announced runs which were not
    /// there.
    package static let longestDisbelief: UInt64 = 60_000
    /// When a burst of announcements goes out, after its start.
    package static let burst: [UInt64] = [0, 100, 500, 2_000]
    /// The least time between two bursts that others cause.
    package static let burstSpacing: UInt64 = 2_000
    /// How long after a peer was lost the announcements are frequent.
    package static let searching: UInt64 = 120_000
    /// The pause between announcements after a peer was lost, and while an invite is open.
    package static let frequently: UInt64 = 1_000
    /// The pause between announcements while a known peer is missing.
    package static let sometimes: UInt64 = 5_000
    /// The pause between announcements while all is well: what they cost grows with the devices,
    /// and what pings cost that they spare with the links, of which there are many more.
    package static let rarely: UInt64 = 10_000
    /// The longest pause between announcements of finished sessions, of which there are ever more.
    package static let finished: UInt64 = 300_000
    /// The first and the longest pause before a session that could not be read is read again.
    package static let reload: ClosedRange<UInt64> = 5_000...60_000
    /// The first and the longest pause before peers are asked again for what the disk did not take.
    package static let askAgain: ClosedRange<UInt64> = 1_000...30_000
    /// Who says sooner than this and again and again that deltas do not fit makes no sense.
    package static let needSpacing: UInt64 = 500
    /// The pause before everything is sent by one link again, after it was sent often.
    static let unionSpacing: UInt64 = 30_000
    /// How long what somebody else sends to a peer is left to them.
    package static let passOnAfter: UInt64 = 200
    /// How long after a delta its sender tells the others at the latest who has it.
    package static let reportWithin: UInt64 = 100
    /// The time in which an unanswered delta makes its link doubtful.
    package static let answerWithin: UInt64 = 300
    /// How long a link that was asked because of that may be silent before the peer is dialled.
    package static let doubtfulAnswer: UInt64 = 500
    /// The difference between two clocks that is worth telling.
    package static let tellSkew: Int64 = 10_000
    /// How long a peer may go on dialling an address that it was told before it is told again: as
    /// long as `hopelessDials` take.
    static let tellAgain: UInt64 = 60_000
    /// Failed dials after which an address that nobody ever answered at is dropped.
    package static let hopelessDials = 8
}

/// Pauses that grow, and that drift apart.
extension Timing {
    /// The pause after one that was of no use: twice as long, within the range; 0 is none before.
    static func pause(after last: UInt64, in range: ClosedRange<UInt64>) -> UInt64 {
        min(range.upperBound, max(range.lowerBound, last * 2))
    }

    /// A pause made longer or shorter by up to a fifth, so that devices that began together drift
    /// apart; `jitter` is between 0 and 1.
    static func spread(_ pause: UInt64, _ jitter: Double) -> UInt64 {
        UInt64(Double(pause) * (0.8 + 0.4 * jitter))
    }
}
