/// Squares as people type or paste them: `d3`, `F5 D6`, `f5d6c3d3c4`.
struct ReversiTranscript: Hashable {
    /// The squares, the first first.
    let squares: [ReversiSquare]

    private static let passes: Set<String> = ["pass", "pa", "ps", "pp", "--", "p"]

    /// The squares of these words; refuses what is none.
    init(_ words: [String]) throws(ReversiRule) {
        var squares: [ReversiSquare] = []
        // A transcript that was pasted in quotation marks is one word with spaces in it.
        for word in words.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
            guard !Self.passes.contains(word.lowercased()) else { throw .pass }
            var letters = Array(word.utf8)[...]
            while !letters.isEmpty {
                guard let square = ReversiSquare(letters.prefix(2)) else {
                    let found =
                        letters.count == word.utf8.count && letters.count <= 4
                        ? String(word) : String(decoding: letters.prefix(2), as: UTF8.self)
                    throw .noSquare(ReversiSquare.named(found))
                }
                squares.append(square)
                letters = letters.dropFirst(2)
            }
        }
        guard !squares.isEmpty else { throw .nothingNamed }
        self.squares = squares
    }
}
