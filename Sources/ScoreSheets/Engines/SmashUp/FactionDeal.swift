import SessionCRDT

/// Who plays which factions, dealt at random and recorded once.
///
/// All of a deal is one value of one cell. So where two devices deal at once while apart, the last
/// writer's deal counts as a whole on all of them, and no faction is ever dealt twice; deals that
/// stood in a cell for each player would mix.
struct FactionDeal: Hashable {
    /// What one player was dealt.
    struct Hand: Hashable {
        /// Who.
        let player: PlayerID
        /// The factions: two.
        let factions: [Symbol]
    }

    /// How many factions make a deck.
    static let factionsEach = 2

    /// What everybody was dealt, in the order of the seats at that time.
    let hands: [Hand]

    /// Deals to the players from the factions; there must be two for each player at least.
    init(
        to players: [PlayerID],
        from pool: [Faction],
        using chance: inout any RandomNumberGenerator
    ) {
        let dealt = pool.map(\.id).shuffled(using: &chance)
        hands = players.enumerated().map { index, player in
            let first = index * FactionDeal.factionsEach
            let last = min(first + FactionDeal.factionsEach, dealt.count)
            return Hand(player: player, factions: Array(dealt[min(first, last)..<last]))
        }
    }

    private init(_ hands: [Hand]) {
        self.hands = hands
    }

    /// The deal that a value says, to players of the table and from the factions of the sheet.
    ///
    /// Nil where it says no deal, deals something twice or to strangers. Whether the factions are
    /// still chosen is not asked: they were when it was dealt.
    init?(_ value: Value, by terms: SmashUpTerms) {
        guard let text = value.string else { return nil }
        var players: Set<PlayerID> = []
        var dealt: Set<Symbol> = []
        var hands: [Hand] = []
        // By bytes: whatever is no deal has another text than the deal that is read.
        for word in text.utf8.split(separator: UInt8(ascii: " ")) {
            let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 2, let player = PlayerID(Substring(parts[0])),
                terms.seats[player] != nil, players.insert(player).inserted
            else { return nil }
            let factions = parts[1].split(separator: UInt8(ascii: "+"))
                .compactMap { Symbol(String(Substring($0))) }
            let isSound = factions.allSatisfy {
                terms.factions[$0] != nil && dealt.insert($0).inserted
            }
            guard isSound, factions.count == FactionDeal.factionsEach else { return nil }
            hands.append(Hand(player: player, factions: factions))
        }
        self.hands = hands
        // One deal has one text, so that a reveal can name it.
        guard !hands.isEmpty, value == self.value else { return nil }
    }

    /// The deal as it is recorded: `PLAYER:FACTION+FACTION` for each player.
    var value: Value {
        let words = hands.map { hand in
            "\(hand.player):\(hand.factions.map(\.description).joined(separator: "+"))"
        }
        return .text(words.joined(separator: " "))
    }

    /// What these of the players were dealt; nil where that is nothing.
    func dealt(to players: [PlayerID]) -> FactionDeal? {
        let players = Set(players)
        let hands = hands.filter { players.contains($0.player) }
        return hands.isEmpty ? nil : FactionDeal(hands)
    }

    /// What a player was dealt; nothing of those who came later.
    func factions(of player: PlayerID) -> [Symbol] {
        hands.first { $0.player == player }?.factions ?? []
    }
}
