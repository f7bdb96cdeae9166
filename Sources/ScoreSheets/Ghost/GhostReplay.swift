import SessionCRDT

/// Where a game stands after the letters that count so far.
struct GhostReplay {
    /// Who plays.
    let circle: GhostCircle
    /// What it is played for and with.
    let terms: GhostTerms
    /// How many lives each has left, by place.
    private(set) var lives: [Int]
    /// The rounds that were lost, the first first.
    private(set) var losses: [GhostLoss] = []
    /// The turn that has no letter yet, from 1.
    private(set) var turn: UInt32 = 1
    /// The first turn of the round under way; of the last round once the game is over.
    private(set) var firstTurn: UInt32 = 1
    /// The letters of the round so far.
    private(set) var beginning = ""
    /// Whether the rules ended the game.
    private(set) var isOver = false
    /// The stamp of the latest letter that counts.
    private(set) var latest: Stamp?
    /// How many letters of each player count, by place.
    private(set) var counts: [Int]

    /// The place where the turn goes to, present or not.
    private var next = 0
    /// The places of those who have lives left.
    private var contenders: [Int]
    /// The places of those of them who are there.
    private var present: [Int]

    /// Before the first letter.
    init(_ circle: GhostCircle, _ terms: GhostTerms) {
        self.circle = circle
        self.terms = terms
        lives = circle.players.map { _ in terms.lives }
        counts = circle.players.map { _ in 0 }
        contenders = Array(circle.players.indices)
        present = contenders.filter { circle.players[$0].isPresent }
    }

    /// Whether a lost round need not be the last.
    var hasRounds: Bool { terms.isTable || circle.players.count > 2 }

    /// The round under way, from 1; the last one once the game is over.
    var round: Int { losses.count + (isOver ? 0 : 1) }

    /// Who is to move: nobody once the game is over, or while fewer than two are left.
    var mover: Player? {
        guard !isOver, present.count > 1 else { return nil }
        return Self.first(of: present, from: next).map { circle.players[$0] }
    }

    /// Why a letter does not count at a turn; nil when it does.
    func reason(against letter: GhostLetter?, at turn: UInt32, by place: Int) -> GhostRule? {
        if isOver { return .over }
        if turn != self.turn { return .gap(turn: self.turn) }
        guard lives[place] > 0 else { return .turn(of: mover?.name ?? "nobody") }
        guard let letter else { return .unjudged }
        guard letter.goesOn(from: beginning) else {
            return .otherBeginning(letter.beginning, now: beginning)
        }
        // Of a verdict this much can be checked without a list.
        guard letter.verdict != .complete || letter.beginning.utf8.count >= terms.minimum else {
            return .tooShort(letter.beginning, minimum: terms.minimum)
        }
        return nil
    }

    /// Enters a letter of a player at the turn that has none; without a stamp one that is only
    /// wished.
    mutating func enter(_ letter: GhostLetter, by place: Int, at stamp: Stamp? = nil) {
        latest = stamp.map { max(latest ?? $0, $0) } ?? latest
        counts[place] += 1
        turn += 1
        beginning = letter.beginning
        guard letter.verdict != .open else {
            next = following(place)
            return
        }
        lives[place] -= 1
        losses.append(GhostLoss(place: place, letter: letter, livesLeft: lives[place]))
        if lives[place] == 0 {
            contenders.removeAll { $0 == place }
            present.removeAll { $0 == place }
        }
        isOver = contenders.count < 2
        guard !isOver else { return }
        next = following(place)
        beginning = ""
        firstTurn = turn
    }

    /// The next place of somebody who is in the game.
    private func following(_ place: Int) -> Int {
        Self.first(of: contenders, from: place + 1) ?? place
    }

    /// The first of these places around the table, from one on; they are in their order.
    private static func first(of places: [Int], from place: Int) -> Int? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low < places.count ? places[low] : places.first
    }
}
