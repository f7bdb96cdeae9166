/// Decides which connections may try to prove themselves.
///
/// A stranger can open connections faster than anyone can refuse them, so places are few, short
/// and taken from the oldest: at most `TransportLimits.unprovenConnections`, of which strangers get
/// all but `placesForKnown`; at most `unprovenConnectionsPerAddress` of one address, but for
/// loopback, which all users of the machine share. A connection leaves the gate when its TLS is
/// finished, so what is linked is never touched. A value without input or output.
package struct AdmissionGate {
    /// One connection in the gate.
    private struct Place {
        let id: Int
        let address: UInt32
        let isKnown: Bool
    }

    private let places: Int
    private let placesForKnown: Int
    private let perAddress: Int
    /// The oldest first.
    ///
    /// At most `places`, so that a search costs nothing.
    private var held: [Place] = []

    /// A gate with the limits of `TransportLimits`, unless a test wants others.
    package init(
        places: Int = TransportLimits.unprovenConnections,
        placesForKnown: Int = TransportLimits.placesForKnown,
        perAddress: Int = TransportLimits.unprovenConnectionsPerAddress
    ) {
        precondition(places > placesForKnown && perAddress > 0, "a gate that admits nobody")
        self.places = places
        self.placesForKnown = placesForKnown
        self.perAddress = perAddress
    }

    /// The connections in the gate.
    package var count: Int { held.count }

    /// Lets a connection in, and returns the one that has to go for it, if any.
    ///
    /// The newest is always let in: a place that an attacker could hold until its time is over
    /// would shut out everybody else. Who goes is the oldest of the same address when that has its
    /// share, else the oldest stranger, else the oldest.
    package mutating func admit(_ id: Int, address: UInt32, isKnown: Bool) -> Int? {
        let evicted = indexToEvict(address: address, isKnown: isKnown).map {
            held.remove(at: $0).id
        }
        held.append(Place(id: id, address: address, isKnown: isKnown))
        return evicted
    }

    /// Frees the place of a connection that has proven itself or ended.
    package mutating func leave(_ id: Int) {
        held.removeAll { $0.id == id }
    }

    private func indexToEvict(address: UInt32, isKnown: Bool) -> Int? {
        let isLoopback = address >> 24 == 127
        if !isLoopback, held.count(where: { $0.address == address }) >= perAddress {
            return held.firstIndex { $0.address == address }
        }
        let oldestStranger = held.firstIndex { !$0.isKnown }
        if !isKnown, held.count(where: { !$0.isKnown }) >= places - placesForKnown {
            return oldestStranger
        }
        guard held.count >= places else { return nil }
        return oldestStranger ?? held.startIndex
    }
}
