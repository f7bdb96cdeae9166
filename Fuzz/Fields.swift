import ScoreSheets
import SessionCRDT

/// Texts that the daemon parses: the next session with its key, computer players, the order of
/// seats, and darts.
func fuzzFields(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let next = Successor(text) {
        demand(next.key.count == Successor.keyBytes)
        demand(next.text == text, "a successor has two spellings")
        demand(!"\(next)".contains(text.suffix(64)), "a key is shown")
    }
    if let computer = Computer(text) {
        demand(Computer.depths.contains(computer.depth), "a search without an end")
        demand(Computer(computer.text) == computer)
    }
    if let visit = DartsVisit(spelling: text) {
        demand(visit.description == text, "a visit has two spellings")
    }
    if let visit = try? DartsVisit(typed: [text]) { demand((1...3).contains(visit.dartCount)) }
    if let place = try? RowReference(text), let round = place.round {
        demand((1...Cell.lastRound).contains(round), "a round that no cell has")
    }
    let words = text.split(separator: "\n").map(String.init)
    let live = words.enumerated().map { place, word in
        (Key.session(Field.seats), place, word)
    }
    for (key, place, word) in live {
        let entry = Entry(
            dot: Dot(actor: ActorID(high: 0, low: UInt64(place)), sequence: 1),
            stamp: Stamp(bits: 1),
            author: DeviceID(high: 0, low: 1),
            value: .text(word)
        )
        var seating = Seating()
        for key in [key, .session(Field.next), Key(word)] { _ = seating.apply(key, LiveSet(entry)) }
        demand(seating.players.count <= 1)
        demand(Successor.all(in: LiveSet(entry)).count <= 1)
    }
}
