/// What a visit of cricket comes to.
struct CricketResult: Hashable, Sendable {
    /// The marks of the player after it.
    var marks: CricketMarks
    /// How many marks were made, those among them that scored.
    var made = 0
    /// The numbers that it closed, by place.
    var closed: [Int] = []
    /// How often each number scored, by place.
    var scoring = CricketMarks()
    /// Who wins with it, by seat.
    var winners: [Int] = []
    /// What it adds to the total of the player.
    var gained = 0

    /// What it scored, whoever gets that.
    var points: Int { points { _ in true } }

    /// What it scored of the numbers of which something is true.
    func points(where counts: (Int) -> Bool) -> Int {
        CricketMarks.numbers.indices.reduce(0) { sum, place in
            sum + (counts(place) ? scoring[place] * CricketMarks.numbers[place] : 0)
        }
    }
}
