import SyncProtocol

/// An arbitrary file of plays: what is read is within the limits, and is the same when it is read
/// again.
func fuzzPlayFiles(_ input: [UInt8]) {
    guard let found = try? PlayFile.plays(in: input) else { return }
    demand(found.others >= 0, "fewer plays than none")
    for play in found.plays {
        demand((1...PlayFile.players).contains(play.players.count), "too many players, or none")
        let names = [play.game] + play.players.map(\.name) + play.players.compactMap(\.team)
        demand(names.allSatisfy { $0.utf8.count <= Limits.nameBytes }, "a name is too long")
        demand(play.id.utf8.count == 32, "an id of another length")
    }
    demand((try? PlayFile.plays(in: input))?.plays == found.plays, "another result")
}
