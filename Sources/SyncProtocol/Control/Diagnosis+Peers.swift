extension Diagnosis {
    /// Another device, in one session, or a typed address from which nobody has answered.
    package struct Peer: Codable, Hashable, Sendable {
        /// The id of the session.
        package var session: String
        /// The device's id; null for an address that nobody has answered from.
        @ExplicitNull package var device: String?
        /// The device's name, or the address.
        package var name: String
        /// Who opened the link; null where it is not linked.
        @ExplicitNull package var caller: Caller?
        /// How long it has been linked, in milliseconds.
        @ExplicitNull package var linkedMs: Int64?
        /// How far its clock is ahead of this one's, in milliseconds.
        @ExplicitNull package var clockSkewMs: Int64?
        /// How long ago an announcement of it came, in milliseconds; null where none has.
        @ExplicitNull package var heardMs: Int64?
        /// When it was last linked, where it is not now.
        @ExplicitNull package var lastSeen: Timestamp?
        /// What came of knocking just now where it listens, for one that called this device: that
        /// does not show that it can be called.
        @ExplicitNull package var knock: Address?
        /// Where it is, was or may be.
        package var addresses: [Address]

        package init(
            session: String,
            device: String?,
            name: String,
            caller: Caller? = nil,
            linkedMs: Int64? = nil,
            clockSkewMs: Int64? = nil,
            heardMs: Int64? = nil,
            lastSeen: Timestamp? = nil,
            knock: Address? = nil,
            addresses: [Address] = []
        ) {
            self.session = session
            self.device = device
            self.name = name
            self.caller = caller
            self.linkedMs = linkedMs
            self.clockSkewMs = clockSkewMs
            self.heardMs = heardMs
            self.lastSeen = lastSeen
            self.knock = knock
            self.addresses = addresses
        }
    }

    /// Who opened a link.
    package enum Caller: String, Codable, Hashable, Sendable {
        /// This device.
        case here
        /// The other one.
        case there
    }

    /// An address that is kept of the device.
    package struct Address: Codable, Hashable, Sendable {
        /// The address, `192.168.0.7:47615`.
        package var address: String
        /// Whether somebody typed it.
        package var typed: Bool
        /// What came of the last dial by this run of the daemon; null where none has ended.
        @ExplicitNull package var outcome: Outcome?
        /// The same for people; null where it became a link.
        @ExplicitNull package var text: String?
        /// How long ago that was, in milliseconds.
        @ExplicitNull package var agoMs: Int64?

        package init(
            address: String,
            typed: Bool = false,
            outcome: Outcome? = nil,
            text: String? = nil,
            agoMs: Int64? = nil
        ) {
            self.address = address
            self.typed = typed
            self.outcome = outcome
            self.text = text
            self.agoMs = agoMs
        }
    }

    /// What came of a dial.
    package enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        /// A link.
        case linked
        /// The machine answers, and nobody listens at that port.
        case refused
        /// Nothing answers.
        case silent
        /// No machine has this address in the network.
        case absent
        /// This machine knows no way to that network.
        case noWay = "no-way"
        /// A daemon answers that does not hold the session.
        case unknownSession = "unknown-session"
        /// A daemon answers that has another key for the session.
        case wrongKey = "wrong-key"
        /// Anything else.
        case failed
    }
}
