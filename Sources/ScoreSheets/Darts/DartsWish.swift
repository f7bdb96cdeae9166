import SessionCRDT

/// A visit that somebody wishes to write.
struct DartsWish {
    let player: PlayerID
    let turn: UInt32
    let visit: DartsVisit
}
