import SyncTestKit

/// An independent model of a game of rounds: random rounds, each with what its players type and the
/// points that the rulebook gives them.
struct CardReferee: Sendable {
    struct Entry: Sendable {
        let seat: Int
        let words: String
        let points: Int

        init(_ seat: Int, _ words: String, _ points: Int) {
            (self.seat, self.words, self.points) = (seat, words, points)
        }
    }

    let game: String
    var people = 2...2
    var options = ""
    /// The number of rounds, if totals do not end the game.
    var rounds = 60
    /// Whether these totals end the game, once the round is complete or at once.
    var ends: @Sendable ([Int]) -> Bool = { _ in false }
    var endsAtOnce = false
    /// Adds the points of an entry to a total.
    var add: @Sendable (Int, Int) -> Int = { $0 + $1 }
    /// The points that are added at the end of a game of these rounds.
    var bonus: @Sendable ([Int], [[Entry]]) -> [Int] = { totals, _ in totals.map { _ in 0 } }
    /// The entries of a round, by its number and the number of players.
    let round: @Sendable (Int, Int, inout SeededGenerator) -> [Entry]

    /// A game as it was played: who typed what, the totals, and whether it ended.
    struct Game {
        var entries: [Entry] = []
        var totals: [Int]
        var isOver = false
    }

    /// Plays a random game to its end.
    func play(_ random: inout SeededGenerator) -> Game {
        let people = Int.random(in: people, using: &random)
        var game = Game(totals: Array(repeating: 0, count: people))
        var all: [[Entry]] = []
        for number in 1...rounds where !game.isOver {
            let entries = round(number, people, &random)
            all.append(entries)
            for entry in entries where !(endsAtOnce && game.isOver) {
                game.entries.append(entry)
                game.totals[entry.seat] = add(game.totals[entry.seat], entry.points)
                if endsAtOnce { game.isOver = ends(game.totals) }
            }
            game.isOver = ends(game.totals)
        }
        if game.isOver { game.totals = zip(game.totals, bonus(game.totals, all)).map(+) }
        return game
    }

    static func reach(_ target: Int) -> @Sendable ([Int]) -> Bool {
        { $0.contains { $0 >= target } }
    }

    static let all = [
        euchre, fiveHundred, pinochle, cribbage, ginRummy, bridge, belote, differenzler, rummikub,
        sushiGo, flip7, backgammon, snooker, halveIt, shanghai, kingdomino, coiffeur, coinche,
        lostCities, triominos, ligretto,
    ]
}

// Two sides at cards.
extension CardReferee {
    private static let euchre = CardReferee(game: "euchre", ends: reach(10)) { number, _, random in
        let (maker, tricks) = (
            Int.random(in: 0...1, using: &random), Int.random(in: 0...5, using: &random)
        )
        let isAlone = Bool.random(using: &random)
        var points = [0, 0]
        switch tricks {
        case 5: points[maker] = isAlone ? 4 : 2
        case 3...4: points[maker] = 1
        default: points[1 - maker] = 2
        }
        return [
            Entry(
                maker,
                "deal.\(number) tricks=\(tricks) call=\(isAlone ? "alone" : "makers")",
                points[maker]
            ),
            Entry(1 - maker, "deal.\(number) tricks=\(5 - tricks)", points[1 - maker]),
        ]
    }

    private static func isFiveHundred(_ totals: [Int]) -> Bool {
        totals.contains { abs($0) >= 500 }
    }

    private static func pegged(_ total: Int, _ points: Int) -> Int { min(total + points, 121) }

    private static func bonusOfGin(_ totals: [Int], _ deals: [[Entry]]) -> [Int] {
        totals.indices.map { seat in
            let boxes = deals.count { $0[0].seat == seat }
            let isWon = totals[seat] >= 100
            return 20 * boxes + (isWon ? 100 : 0) + (isWon && totals[1 - seat] == 0 ? 100 : 0)
        }
    }

    /// The schedule of Avondale.
    private static let fiveHundred = CardReferee(
        game: "five-hundred",
        ends: isFiveHundred
    ) { number, _, random in
        let side = Int.random(in: 0...1, using: &random)
        let tricks = Int.random(in: 0...10, using: &random)
        if Int.random(in: 0...9, using: &random) == 0 {
            let (word, value) = Bool.random(using: &random) ? ("misere", 250) : ("open-misere", 500)
            return [
                Entry(
                    side,
                    "deal.\(number) tricks=\(tricks) contract=\(word)",
                    tricks == 0 ? value : -value
                ),
                Entry(1 - side, "deal.\(number) tricks=0", 0),
            ]
        }
        let schedule = [
            [40, 60, 80, 100, 120], [140, 160, 180, 200, 220], [240, 260, 280, 300, 320],
            [340, 360, 380, 400, 420], [440, 460, 480, 500, 520],
        ]
        let (level, suit) = (
            Int.random(in: 6...10, using: &random), Int.random(in: 0...4, using: &random)
        )
        var value = schedule[level - 6][suit]
        if tricks < level { value = -value } else if tricks == 10, value < 250 { value = 250 }
        let word = "\(level)" + ["s", "c", "d", "h", "nt"][suit]
        return [
            Entry(side, "deal.\(number) tricks=\(tricks) contract=\(word)", value),
            Entry(1 - side, "deal.\(number) tricks=\(10 - tricks)", 10 * (10 - tricks)),
        ]
    }

    private static let pinochle = CardReferee(game: "pinochle", ends: reach(1000), endsAtOnce: true)
    {
        number,
        _,
        random in
        let side = Int.random(in: 0...1, using: &random)
        let tricks = Int.random(in: 0...25, using: &random) * 10
        let meld = (0...1).map { _ in Int.random(in: 0...40, using: &random) * 10 }
        let bid = Int.random(in: 20...50, using: &random) * 10
        let isMade = tricks > 0 && tricks + meld[0] >= bid
        return [
            Entry(
                side,
                "deal.\(number) tricks=\(tricks) meld=\(meld[0]) bid=\(bid)",
                isMade ? tricks + meld[0] : -bid
            ),
            Entry(
                1 - side,
                "deal.\(number) tricks=\(250 - tricks) meld=\(meld[1])",
                tricks == 250 ? 0 : 250 - tricks + meld[1]
            ),
        ]
    }

    private static let cribbage = CardReferee(
        game: "cribbage",
        ends: reach(121),
        endsAtOnce: true,
        add: pegged
    ) { number, _, random in
        let hands = Array(0...18) + Array(20...24) + [28, 29]
        let dealer = number % 2
        return [1 - dealer, dealer].map { seat in
            let play = Int.random(in: 1...9, using: &random)
            let hand = hands.randomElement(using: &random) ?? 0
            guard seat == dealer else {
                return Entry(seat, "deal.\(number) play=\(play) hand=\(hand)", play + hand)
            }
            let crib = hands.randomElement(using: &random) ?? 0
            return Entry(
                seat,
                "deal.\(number) play=\(play) hand=\(hand) crib=\(crib)",
                play + hand + crib
            )
        }
    }

    private static let ginRummy = CardReferee(
        game: "gin-rummy",
        ends: reach(100),
        bonus: bonusOfGin
    ) { number, _, random in
        let winner = Int.random(in: 0...1, using: &random)
        let word = ["knock", "gin", "big-gin", "undercut"].randomElement(using: &random) ?? ""
        let (own, other, more): (ClosedRange<Int>, ClosedRange<Int>, Int) =
            switch word {
            case "knock": (0...10, 11...70, 0)
            case "gin": (0...0, 0...70, 20)
            case "big-gin": (0...0, 0...70, 31)
            default: (0...4, 4...10, 10)
            }
        let (mine, yours) = (
            Int.random(in: own, using: &random), Int.random(in: other, using: &random)
        )
        return [
            Entry(winner, "deal.\(number) deadwood=\(mine) result=\(word)", yours - mine + more),
            Entry(1 - winner, "deal.\(number) deadwood=\(yours)", 0),
        ]
    }

    /// Chicago with part-scores as in duplicate bridge: Laws of Duplicate Bridge, 77.
    private static let bridge = CardReferee(game: "bridge", options: "part=fifty", rounds: 8) {
        number,
        _,
        random in
        let side = Int.random(in: 0...1, using: &random)
        let (level, suit) = (
            Int.random(in: 1...7, using: &random), Int.random(in: 0...4, using: &random)
        )
        let (double, tricks) = (
            Int.random(in: 0...2, using: &random), Int.random(in: 0...13, using: &random)
        )
        let isVulnerable = number % 4 == 0 || number % 4 != 1 && Bool.random(using: &random)
        let (made, failed) = contract(level, suit, double, isVulnerable, tricks)
        let honours = [0, 0, 100, 150].randomElement(using: &random) ?? 0
        let suits = ["clubs", "diamonds", "hearts", "spades", "notrump"]
        return [
            Entry(
                side,
                "deal.\(number) tricks=\(tricks) level=\(level) suit=\(suits[suit]) honours=\(honours) "
                    + "double=\(["none", "doubled", "redoubled"][double]) "
                    + "vulnerable=\(isVulnerable ? "yes" : "no")",
                made + honours
            ),
            Entry(1 - side, "deal.\(number) tricks=\(13 - tricks)", failed),
        ]
    }

    private static func contract(
        _ level: Int,
        _ suit: Int,
        _ double: Int,
        _ isVulnerable: Bool,
        _ tricks: Int
    ) -> (made: Int, failed: Int) {
        let times = [1, 2, 4][double]
        guard tricks >= level + 6 else {
            let down = level + 6 - tricks
            guard double > 0 else { return (0, down * (isVulnerable ? 100 : 50)) }
            let each = (1...down).map { trick in
                isVulnerable ? (trick == 1 ? 200 : 300) : trick == 1 ? 100 : trick < 4 ? 200 : 300
            }
            return (0, each.reduce(0, +) * times / 2)
        }
        let trick = suit < 2 ? 20 : 30
        let odd = (level * trick + (suit == 4 ? 10 : 0)) * times
        var points = odd + (odd < 100 ? 50 : isVulnerable ? 500 : 300)
        if level == 6 { points += isVulnerable ? 750 : 500 }
        if level == 7 { points += isVulnerable ? 1500 : 1000 }
        let over = tricks - level - 6
        guard double > 0 else { return (points + over * trick, 0) }
        return (points + 25 * times + over * 50 * times * (isVulnerable ? 2 : 1), 0)
    }

    /// Deals that are equal are left out: what is held over is typed by hand.
    private static let belote = CardReferee(game: "belote", ends: reach(1000)) {
        number,
        _,
        random in
        while true {
            let taker = Int.random(in: 0...1, using: &random)
            let isCapot = Int.random(in: 0...7, using: &random) == 0
            let own =
                isCapot
                ? [0, 252].randomElement(using: &random) ?? 0
                : Int.random(in: 0...162, using: &random)
            let points = [own, (isCapot ? 252 : 162) - own]
            let declarer = Int.random(in: 0...1, using: &random)
            let declared = [0, 0, 20, 50, 100].randomElement(using: &random) ?? 0
            let belote = Int.random(in: -1...1, using: &random)
            let sums = (0...1).map { side in
                points[side] + (side == declarer ? declared : 0) + (side == belote ? 20 : 0)
            }
            if sums[0] == sums[1] { continue }
            // The first of the two is the taker.
            var scores = sums
            if sums[0] < sums[1] {
                scores[0] = belote == 0 ? 20 : 0
                scores[1] = max(points[1], 162) + declared + (belote == 1 ? 20 : 0)
            }
            return (0...1).map { side in
                Entry(
                    side == 0 ? taker : 1 - taker,
                    "deal.\(number) points=\(points[side])" + (side == 0 ? " took=yes" : "")
                        + (side == declarer && declared > 0 ? " declared=\(declared)" : "")
                        + (side == belote ? " belote=yes" : ""),
                    scores[side]
                )
            }
        }
    }
}

// Everybody alone, and other games.
extension CardReferee {
    private static let differenzler = CardReferee(game: "differenzler", people: 3...5, rounds: 6) {
        number,
        people,
        random in
        var left = 157
        return (0..<people).map { seat in
            let points = seat == people - 1 ? left : Int.random(in: 0...left, using: &random)
            left -= points
            let said = Int.random(in: 0...157, using: &random)
            return Entry(seat, "deal.\(number) said=\(said) points=\(points)", abs(said - points))
        }
    }

    private static let rummikub = CardReferee(game: "rummikub", people: 2...6, rounds: 6) {
        number,
        people,
        random in
        let winner = Int.random(in: 0..<people, using: &random)
        let racks = (0..<people).map { $0 == winner ? 0 : Int.random(in: 1...120, using: &random) }
        return racks.enumerated().map { seat, rack in
            Entry(seat, "rack.\(number)=\(rack)", seat == winner ? racks.reduce(0, +) : -rack)
        }
    }

    private static let sushiGo = CardReferee(game: "sushi-go", people: 2...5, rounds: 4) {
        number,
        people,
        random in
        if number == 4 {
            return puddings((0..<people).map { _ in Int.random(in: 0...4, using: &random) })
        }
        let makis = (0..<people).map { _ in Int.random(in: 0...3, using: &random) }
        let ranks = Array(Set(makis)).sorted(by: >)
        let first = makis.count { $0 == ranks[0] }
        return makis.enumerated().map { seat, maki in
            var points = 0
            if maki > 0, maki == ranks[0] { points += 6 / first }
            if maki > 0, first == 1, ranks.count > 1, maki == ranks[1] {
                points += 3 / makis.count { $0 == ranks[1] }
            }
            // Seven cards at most, as with five players.
            let isTempura = Bool.random(using: &random)
            let tempura = isTempura ? Int.random(in: 0...2, using: &random) : 0
            let sashimi = isTempura ? 0 : Int.random(in: 0...3, using: &random)
            points += [0, 0, 5][tempura] + [0, 0, 0, 10][sashimi]
            let dumplings = Int.random(in: 0...1, using: &random)
            points += [0, 1][dumplings]
            let nigiri = Int.random(in: 1...3, using: &random)
            let isOnWasabi = Bool.random(using: &random)
            points += isOnWasabi ? 3 * nigiri : nigiri
            let name = ["egg", "salmon", "squid"][nigiri - 1]
            return Entry(
                seat,
                "round.\(number) maki=\(maki) tempura=\(tempura) sashimi=\(sashimi) "
                    + "dumplings=\(dumplings) " + (isOnWasabi ? "wasabi=\(nigiri)" : "\(name)=1"),
                points
            )
        }
    }

    private static func puddings(_ counts: [Int]) -> [Entry] {
        let (most, least) = (counts.max() ?? 0, counts.min() ?? 0)
        return counts.enumerated().map { seat, count in
            var points = 0
            if most > least, count == most { points += 6 / counts.count { $0 == most } }
            if most > least, count == least, counts.count > 2 {
                points -= 6 / counts.count { $0 == least }
            }
            return Entry(seat, "puddings=\(count)", points)
        }
    }

    private static let flip7 = CardReferee(game: "flip-7", people: 3...6, ends: reach(200)) {
        number,
        people,
        random in
        var cards = [2, 4, 6, 8, 10].shuffled(using: &random)
        let doubler = Int.random(in: 0..<people, using: &random)
        let flipper = Int.random(in: -people..<people, using: &random)
        return (0..<people).map { seat in
            let count = seat == flipper ? 7 : Int.random(in: 0...6, using: &random)
            let numbers = Array(0...12).shuffled(using: &random).prefix(count).reduce(0, +)
            let plus = count > 0 && Bool.random(using: &random) ? cards.popLast() ?? 0 : 0
            var (points, words) = (numbers, "round.\(number) numbers=\(numbers)")
            if seat == doubler, count > 0 {
                points += numbers
                words += " double=yes"
            }
            if plus > 0 { words += " plus=\(plus)" }
            if seat == flipper { words += " flip=yes" }
            return Entry(seat, words, points + plus + (seat == flipper ? 15 : 0))
        }
    }

    private static let backgammon = CardReferee(
        game: "backgammon",
        ends: reach(7),
        endsAtOnce: true
    ) {
        number,
        _,
        random in
        let winner = Int.random(in: 0...1, using: &random)
        let win = Int.random(in: 1...3, using: &random)
        let cube = [1, 1, 2, 4].randomElement(using: &random) ?? 1
        let word = ["single", "gammon", "backgammon"][win - 1]
        return [
            Entry(1 - winner, "game.\(number) win=lost", 0),
            Entry(
                winner,
                "game.\(number) win=\(word)" + (cube > 1 ? " cube=\(cube)" : ""),
                win * cube
            ),
        ]
    }

    private static let snooker = CardReferee(game: "snooker", ends: reach(4), endsAtOnce: true) {
        number,
        _,
        random in
        let winner = Int.random(in: 0...1, using: &random)
        let points = Int.random(in: 0...60, using: &random)
        let more = points + Int.random(in: 1...80, using: &random)
        return [
            Entry(1 - winner, "frame.\(number) points=\(points)", 0),
            Entry(winner, "frame.\(number) points=\(more)", 1),
        ]
    }

    private static func halved(_ total: Int, _ points: Int) -> Int {
        points == 0 ? total - total / 2 : total + points
    }

    private static let halveIt = CardReferee(
        game: "halve-it",
        people: 1...5,
        rounds: 7,
        add: halved
    ) { number, people, random in
        (0..<people).map { seat in
            let points = Bool.random(using: &random) ? 0 : Int.random(in: 1...60, using: &random)
            return Entry(seat, "visit.\(number)=\(points)", points)
        }
    }

    private static let shanghai = CardReferee(game: "shanghai", people: 1...5, rounds: 6) {
        number,
        people,
        random in
        (0..<people).map { seat in
            let marks = Int.random(in: 0...9, using: &random)
            return Entry(seat, "visit.\(number) marks=\(marks)", number * marks)
        }
    }

    private static let kingdomino = CardReferee(game: "kingdomino", people: 2...4, rounds: 6) {
        number,
        people,
        random in
        (0..<people).map { seat in
            let (squares, crowns) = (
                Int.random(in: 2...9, using: &random), Int.random(in: 0...5, using: &random)
            )
            return Entry(
                seat,
                "property.\(number) squares=\(squares) crowns=\(crowns)",
                squares * crowns
            )
        }
    }

    private static let coiffeur = CardReferee(game: "coiffeur", people: 2...3, rounds: 8) {
        number,
        people,
        random in
        let games = [
            "eichel", "rosen", "schilten", "schellen", "obenabe", "undenufe", "joker1", "joker2",
        ]
        return (0..<people).map { seat in
            let isMatch = Int.random(in: 0...9, using: &random) == 0
            let points = isMatch ? 257 : Int.random(in: 0...157, using: &random)
            return Entry(seat, "\(games[number - 1])=\(points)", number * points)
        }
    }
}

extension CardReferee {
    /// A contract is made by the points of tricks and belote together; one that was doubled or lost
    /// counts for one side only.
    private static let coinche = CardReferee(game: "coinche", ends: reach(2000)) {
        number,
        _,
        random in
        let taker = Int.random(in: 0...1, using: &random)
        let isCapot = Int.random(in: 0...7, using: &random) == 0
        let contract = isCapot ? 250 : 10 * Int.random(in: 8...16, using: &random)
        let hasAll = Int.random(in: 0...5, using: &random) == 0
        var tricks = [0, 0]
        tricks[taker] = hasAll ? isCapot ? 252 : 162 : Int.random(in: 0...162, using: &random)
        tricks[1 - taker] = (tricks[taker] == 252 ? 252 : 162) - tricks[taker]
        let belote = Int.random(in: -1...1, using: &random)
        let double = [1, 1, 1, 2, 4][Int.random(in: 0...4, using: &random)]
        let worth = isCapot ? 500 : 160 + contract
        let isMade = tricks[taker] + (belote == taker ? 20 : 0) >= contract
        var points = [0, 0]
        if double > 1 || !isMade {
            points[isMade ? taker : 1 - taker] = double * worth
        } else {
            for side in 0...1 {
                // Rounded to tens, halves up.
                let (tens, rest) = tricks[side].quotientAndRemainder(dividingBy: 10)
                points[side] = 10 * (rest < 5 ? tens : tens + 1)
            }
            points[taker] += contract
        }
        return (0...1).map { side in
            var words = "deal.\(number) points=\(tricks[side])"
            if side == taker { words += " contract=\(contract)" }
            if side == belote { words += " belote=yes" }
            if side != taker, double > 1 {
                words += double == 2 ? " double=coinche" : " double=sur"
            }
            return Entry(side, words, points[side] + (side == belote ? 20 : 0))
        }
    }

    /// Every card lies with one of the two players, mostly that of its colour, or with nobody.
    private static let lostCities = CardReferee(
        game: "lost-cities",
        options: "purple=yes",
        rounds: 3
    ) { number, _, random in
        var words = ["", ""]
        var points = [0, 0]
        var long = [0, 0]
        for color in ["yellow", "blue", "white", "green", "red", "purple"] {
            let owner = Int.random(in: 0...1, using: &random)
            var (cards, wagers) = ([[Int](), []], [0, 0])
            for card in 2...13 {
                let chance = Int.random(in: 0...9, using: &random)
                guard chance > 0 else { continue }
                let seat = chance < 8 ? owner : 1 - owner
                if card <= 10 { cards[seat].append(card) } else { wagers[seat] += 1 }
            }
            for seat in 0...1 {
                let sum = cards[seat].reduce(0, +)
                if sum > 0 || color == "yellow" { words[seat] += " \(color).\(number)=\(sum)" }
                if wagers[seat] > 0 {
                    words[seat] += " \(color)-wagers.\(number)=\(wagers[seat])"
                }
                let count = cards[seat].count + wagers[seat]
                if count > 0 { points[seat] += (sum - 20) * (1 + wagers[seat]) }
                if count >= 8 { long[seat] += 1 }
            }
        }
        return (0...1).map { seat in
            let more = long[seat] > 0 ? " long.\(number)=\(long[seat])" : ""
            return Entry(seat, words[seat] + more, points[seat] + 20 * long[seat])
        }
    }

    private static let triominos = CardReferee(game: "triominos", people: 2...6, ends: reach(400)) {
        number,
        people,
        random in
        var hands = (0..<people).map { _ in Int.random(in: 1...24, using: &random) }
        let out = Int.random(in: -1..<people, using: &random)
        let opener = Int.random(in: -1..<people, using: &random)
        if out >= 0 { hands[out] = 0 }
        let lowest = hands.min() ?? 0
        let winner = hands.count { $0 == lowest } == 1 ? hands.firstIndex(of: lowest) : nil
        return (0..<people).map { seat in
            let tiles = Int.random(in: 0...45, using: &random)
            let (bridges, hexagons) = (
                Int.random(in: 0...1, using: &random), Int.random(in: 0...1, using: &random)
            )
            let further = hexagons * Int.random(in: 0...1, using: &random)
            let (drawn, passes) = (
                Int.random(in: 0...6, using: &random), Int.random(in: 0...2, using: &random)
            )
            var points =
                tiles + 40 * bridges + 50 * hexagons + 10 * further - 5 * drawn - 10 * passes
            var words = "round.\(number) tiles=\(tiles) bridges=\(bridges) hexagons=\(hexagons)"
            words += " further=\(further) drawn=\(drawn) passes=\(passes) hand=\(hands[seat])"
            if seat == opener {
                let isZeros = Bool.random(using: &random)
                points += isZeros ? 40 : 10
                words += isZeros ? " opening=zeros" : " opening=triple"
            }
            if seat == winner {
                points += hands.reduce(0, +) - 2 * hands[seat] + (seat == out ? 25 : 0)
            }
            return Entry(seat, words, points)
        }
    }

    private static let ligretto = CardReferee(game: "ligretto", people: 2...12, ends: reach(99)) {
        number,
        people,
        random in
        (0..<people).map { seat in
            let left = Int.random(in: 0...10, using: &random)
            let cards = Int.random(in: 0...40 - left, using: &random)
            return Entry(seat, "round.\(number) cards=\(cards) left=\(left)", cards - 2 * left)
        }
    }
}
