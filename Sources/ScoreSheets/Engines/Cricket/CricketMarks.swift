/// How many marks there are of each number, 20 first and the bull last.
struct CricketMarks: Hashable, Sendable {
    /// The numbers that count, each as much as a mark of it can score.
    static let numbers = [20, 19, 18, 17, 16, 15, 25]
    /// How many marks close a number.
    static let most = 3

    private var counts = SIMD8<UInt8>()

    /// How many there are of the number at this place.
    subscript(place: Int) -> Int {
        get { Int(counts[place]) }
        set { counts[place] = UInt8(newValue) }
    }

    /// Whether the number at this place is closed.
    func isClosed(_ place: Int) -> Bool { self[place] == CricketMarks.most }

    /// Whether every number is closed.
    var areAllClosed: Bool { CricketMarks.numbers.indices.allSatisfy(isClosed) }

    /// How many there are of all numbers.
    var sum: Int { CricketMarks.numbers.indices.reduce(0) { $0 + self[$1] } }

    /// Where the number of a dart is; nil of one that does not count.
    static func place(of dart: Dart) -> Int? { numbers.firstIndex(of: dart.number) }

    /// What the number at this place is called: `20`, `bull`.
    static func name(_ place: Int) -> String {
        numbers[place] == 25 ? "bull" : "\(numbers[place])"
    }
}
