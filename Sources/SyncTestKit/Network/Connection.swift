import SessionCRDT
import SyncEngine
import SyncProtocol

/// A TCP connection: two ends that may each believe something else, and a stream in each direction.
struct Connection {
    /// What one side believes.
    enum State {
        /// The daemon has not been told of it.
        case pending
        /// The daemon has a link.
        case open
        /// It is over for this side.
        case closed
    }

    /// One side.
    struct End {
        let laptop: Int
        /// The run of the daemon that holds this end.
        let run: Int
        /// The address that this side had when the connection began.
        let address: UInt32
        let link: LinkID
        var state = State.pending
        /// The deltas that went out and have no answer.
        var unanswered = 0
        /// Reads what comes in as bytes.
        var decoder = PeerMessageDecoder()
        /// Whether the next delta from here loses its beginning.
        var losesBeginning = false
        /// Whether a part of a message has come, and not the rest.
        var hasPart = false
    }

    /// What travels in a stream.
    enum Parcel {
        case message(PeerMessage)
        /// A message or a part of one as it is on the wire.
        case payload([UInt8])
        case end
    }

    /// What is under way in one direction.
    struct Stream {
        var parcels: [Parcel] = []
        var isMoving = false
        var tries = 0
    }

    let number: Int
    let session: SessionID
    /// Where the first side dialled.
    let target: Endpoint
    /// Chance of its own, so that what happens elsewhere changes nothing here.
    var chance: SeededGenerator
    /// The side that dialled, then the side that accepted.
    var ends: [End]
    /// The stream from each side to the other.
    var streams = [Stream(), Stream()]

    var isOver: Bool { ends.allSatisfy { $0.state == .closed } }
}
